/** A conversation on a terminal: what the session tells is shown, what the person types is sent; questions come in between. */
import { errorNamed, HookdError, messageOf } from '../core/errors.ts';
import type { Delivery, PendingApproval, SessionClient, SessionEvent } from '../core/protocol.ts';
import type { ApprovalAnswer } from '../core/vocabulary.ts';
import { type Asking, askPerson } from './ask-person.ts';
import { followSession } from './follow-session.ts';
import type { LineInput } from './line-input.ts';
import { type Colours, printable } from './output.ts';
import { answerLine, rowsOf } from './render.ts';
import type { Screen } from './screen.ts';

export interface ConversationParts {
  readonly client: SessionClient;
  /** The event after which to begin; what came before the conversation did is only shown. */
  readonly after: number;
  readonly input: LineInput;
  readonly screen: Screen;
  readonly asking: Asking;
  /** Ends the conversation, not the session: the terminal goes away. */
  readonly leave: AbortSignal;
}

/** Why a conversation is over, and what of its last turn could not be recorded. */
export interface Left {
  readonly failure: HookdError | undefined;
  /** The session is not there any more, or the way to it. */
  readonly lost: string | undefined;
}

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #leaving = new AbortController();
  /** Prompts that were sent from here and whose turn has not begun. */
  readonly #sent: string[] = [];
  #isRunning: boolean;
  #isInterrupting = false;
  /** Until then events are history: their questions may have been answered. */
  readonly #news: number;
  #isNews: boolean;
  readonly #open = new Map<string, PendingApproval>();
  /** Questions that stand on this terminal, and those that are being answered from it, with the answer that came in. */
  readonly #asked = new Map<string, AbortController>();
  readonly #answering = new Map<string, ApprovalAnswer | undefined>();
  #asking: Promise<void> = Promise.resolve();
  #failure: HookdError | undefined;
  #lost: string | undefined;
  #wake: () => void = () => undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const { info } = parts.client;
    this.#news = info.lastEventId;
    this.#isNews = parts.after >= this.#news;
    this.#isRunning = info.state === 'running' || info.state === 'waiting';
  }

  /** `next` gives a prompt to send, or undefined to leave; it is asked whenever no turn runs. */
  async play(next: (signal: AbortSignal) => Promise<string | undefined>): Promise<Left> {
    const { input, leave } = this.#parts;
    const over = AbortSignal.any([leave, this.#leaving.signal]);
    over.addEventListener('abort', () => this.#wake());
    input.onInterrupt = () => this.#interrupt();
    const following = this.#follow(over);
    await this.#settled(over);
    while (!over.aborted) {
      const text = await next(over);
      if (text === undefined) break;
      await this.#send(text);
      await this.#settled(over);
    }
    this.#leaving.abort();
    await Promise.all([following, this.#asking]);
    input.onInterrupt = () => undefined;
    return { failure: this.#failure, lost: this.#lost };
  }

  async #send(text: string): Promise<void> {
    this.#failure = undefined;
    this.#sent.push(text);
    try {
      await this.#parts.client.prompt(text);
    } catch (error) {
      this.#sent.splice(this.#sent.indexOf(text), 1);
      this.#complain(error);
    }
  }

  /** Resolves when no turn runs, and none that was asked for here is to come. */
  async #settled(over: AbortSignal): Promise<void> {
    while (!over.aborted && (this.#isRunning || this.#sent.length > 0 || !this.#isNews)) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  async #follow(over: AbortSignal): Promise<void> {
    const { client, after } = this.#parts;
    try {
      for await (const delivery of followSession(client, after, over)) this.#take(delivery);
      if (!over.aborted) this.#lost = 'The session has ended.';
    } catch (error) {
      if (!over.aborted) this.#lost = messageOf(error);
    }
    this.#leaving.abort();
  }

  #take(delivery: Delivery): void {
    if (delivery.kind === 'reset') {
      const { info, approvals } = delivery;
      this.#isRunning = info.state === 'running' || info.state === 'waiting';
      for (const approval of approvals) this.#open.set(approval.id, approval);
      this.#isNews = true;
    } else if (delivery.kind === 'event') {
      this.#takeEvent(delivery.event);
      if (!this.#isNews && delivery.id !== undefined && delivery.id >= this.#news) this.#isNews = true;
    }
    if (this.#isNews) for (const approval of this.#open.values()) this.#ask(approval);
    if (this.#isRunning) this.#parts.input.hide();
    else this.#parts.input.reveal();
    this.#wake();
  }

  #takeEvent(event: SessionEvent): void {
    switch (event.kind) {
      case 'prompt':
        this.#beginTurn(event.prompt.text);
        break;
      case 'approval_requested':
        this.#open.set(event.approval.id, event.approval);
        return;
      case 'approval_resolved':
        this.#resolve(event);
        return;
      case 'turn_failed':
        this.#failure = failureOf(event);
        break;
      default:
    }
    this.#show(() => this.#parts.screen.show(event));
    if (event.kind === 'turn_ended' || event.kind === 'turn_failed') this.#endTurn(event);
  }

  #beginTurn(text: string): void {
    this.#isRunning = true;
    if (this.#sent[0] === text) {
      this.#sent.shift();
      return;
    }
    const { screen } = this.#parts;
    const lines = rowsOf(printable(text), { columns: screen.look.columns - 2 });
    const from = this.#isNews ? ['(from another client)'] : [];
    const rows = [...from, ...lines.map((line, index) => `${index === 0 ? '>' : '…'} ${line}`)];
    this.#show(() => screen.lines(rows.map(screen.look.colours.dim)));
  }

  #endTurn(event: Extract<SessionEvent, { kind: 'turn_ended' | 'turn_failed' }>): void {
    // A turn that could not even begin is one that was asked for all the same.
    if (!this.#isRunning) this.#sent.shift();
    this.#isRunning = false;
    this.#isInterrupting = false;
    // What ends a turn so drops the prompts that wait.
    if (event.kind === 'turn_failed' || event.end.reason === 'interrupted') this.#sent.length = 0;
    this.#open.clear();
    this.#answering.clear();
    for (const gone of this.#asked.values()) gone.abort();
  }

  #resolve({ id, answer }: Extract<SessionEvent, { kind: 'approval_resolved' }>): void {
    this.#open.delete(id);
    if (this.#answering.has(id)) {
      this.#answering.set(id, answer);
      return;
    }
    this.#asked.get(id)?.abort();
    this.#tellAnswer(answer);
  }

  /** Of an answer that was given elsewhere. */
  #tellAnswer(answer: ApprovalAnswer): void {
    if (answer.answer === 'unanswered' && this.#isInterrupting) return;
    const { screen } = this.#parts;
    this.#show(() => screen.lines([answerLine(answer, screen.look)]));
  }

  #ask(approval: PendingApproval): void {
    const { id } = approval;
    if (this.#asked.has(id)) return;
    const gone = new AbortController();
    this.#asked.set(id, gone);
    this.#asking = this.#asking.then(() => this.#askNow(approval, gone.signal));
  }

  async #askNow(approval: PendingApproval, gone: AbortSignal): Promise<void> {
    const { client, asking, screen } = this.#parts;
    const { id } = approval;
    const isOver = AbortSignal.any([gone, this.#leaving.signal, this.#parts.leave]);
    if (isOver.aborted) return;
    screen.lines([]);
    const reply = await askPerson(approval, asking, isOver);
    if (reply === undefined) return;
    this.#answering.set(id, undefined);
    try {
      await client.answer(id, reply);
    } catch (error) {
      const other = this.#answering.get(id);
      this.#answering.delete(id);
      if (other === undefined) this.#complain(error);
      else this.#tellAnswer(other);
    }
  }

  /** The first Ctrl-C interrupts the turn, a second one leaves it to itself. */
  #interrupt(): void {
    const { client, input } = this.#parts;
    if (!this.#isRunning && this.#sent.length === 0) return;
    if (this.#isInterrupting) {
      this.#leaving.abort();
      return;
    }
    this.#isInterrupting = true;
    input.forgetAhead();
    client.interrupt().catch((error: unknown) => this.#complain(error));
  }

  #complain(error: unknown): void {
    const { screen } = this.#parts;
    const text =
      error instanceof HookdError ? `${error.code}: ${error.message} ${error.hint}` : messageOf(error);
    this.#show(() => screen.lines(rowsOf(printable(text), screen.look).map(paint(screen.look.colours))));
    this.#wake();
  }

  #show(write: () => void): void {
    this.#parts.input.above(write);
  }
}

function paint(colours: Colours): (line: string) => string {
  return (line) => colours.red(line);
}

function failureOf({ code, message }: Extract<SessionEvent, { kind: 'turn_failed' }>): HookdError {
  return errorNamed(code, message);
}
