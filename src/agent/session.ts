/** One conversation: its transcript, its gate, its model. Prompts are taken one at a time. */
import { randomUUID } from 'node:crypto';
import type { Trail } from '../audit/trail.ts';
import { HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { ContextUse, SessionEvent } from '../core/protocol.ts';
import type {
  AddedContext,
  JsonObject,
  ModelRequest,
  SessionId,
  ToolDescription,
  TurnEnd,
  Usage,
} from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import { TurnNotes } from '../hooks/host.ts';
import { allTokens } from '../model/message.ts';
import type { Model } from '../model/model.ts';
import type { Gate } from './authorize.ts';
import { compact } from './compact.ts';
import { ContextGauge } from './context-gauge.ts';
import type { LeftBehind, SessionLimits, SessionOptions } from './session-options.ts';
import type { Transcript } from './transcript.ts';
import { runTurn } from './turn.ts';
import { newTurn } from './turn-state.ts';

/** Why SessionStart hooks run. */
export type SessionSource = 'startup' | 'resume' | 'fork';

const NOTHING_LEFT: LeftBehind = { turns: 0, tokens: 0, usage: undefined, waits: false };

export class Session {
  readonly id: SessionId;
  readonly gate: Gate;
  readonly model: Model;
  readonly limits: SessionLimits;
  readonly modelName: string;
  readonly transcript: Transcript;
  readonly gauge: ContextGauge;
  readonly #trail: Trail;
  readonly #system: string;
  readonly #tools: readonly ToolDescription[];
  readonly #onEvent: (event: SessionEvent) => void;
  /** Of what stands before the messages in every request. */
  readonly #headSize: number;
  #turns = 0;
  #promptId: string | undefined;
  #running = false;
  #startContext: readonly AddedContext[] = [];
  #usage: Usage | undefined;
  #tokens = 0;
  #waits = false;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.gate = options.gate;
    this.model = options.model;
    this.modelName = options.modelName;
    this.limits = options.limits;
    this.transcript = options.transcript;
    this.#trail = options.trail;
    this.#onEvent = options.onEvent;
    this.#system = options.system;
    const { turns, usage, tokens, waits } = options.left ?? NOTHING_LEFT;
    this.#turns = turns;
    this.#usage = usage;
    this.#tokens = tokens;
    this.#waits = waits;
    this.#tools = options.gate.toolbox.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.inputSchema,
    }));
    this.gauge = new ContextGauge(options.limits);
    this.#headSize = Buffer.byteLength(JSON.stringify([this.#system, this.#tools]));
  }

  /** SessionStart: what its hooks add stands before the first prompt. */
  async start(source: SessionSource, signal: AbortSignal, more: JsonObject = {}): Promise<void> {
    const notes = new TurnNotes(this.#trail);
    const fields = { source, model: this.modelName, ...more };
    await fire(
      this.#trail,
      this.gate.hooks,
      { event: 'SessionStart', subject: source, fields },
      notes,
      signal,
    );
    this.#startContext = notes.takeContext().map(({ value }) => value);
  }

  /** Plays one turn. Throws only when the audit fails, or when a turn is still running. */
  async prompt(text: string, signal: AbortSignal): Promise<TurnEnd> {
    return this.#play(text, signal);
  }

  /**
   * Goes on with the turn that an earlier process has left: its open calls, then the model. Throws USAGE where there is
   * nothing to go on with.
   */
  async goOn(signal: AbortSignal): Promise<TurnEnd> {
    if (this.unfinished === undefined)
      throw new HookdError('USAGE', 'The last turn of this session has ended: it needs a prompt to go on.');
    return this.#play(undefined, signal);
  }

  /** What is left to do without a prompt: a `question` is to be put to a person again, or an `answer` is missing. */
  get unfinished(): 'question' | 'answer' | undefined {
    if (this.#waits) return 'question';
    return this.transcript.messages().at(-1)?.role === 'user' ? 'answer' : undefined;
  }

  /** True once: the open calls of the transcript are to be put through the gate. */
  takeWaiting(): boolean {
    const waits = this.#waits;
    this.#waits = false;
    return waits;
  }

  async #play(text: string | undefined, signal: AbortSignal): Promise<TurnEnd> {
    if (this.#running) throw new Error('A turn is still running in this session.');
    this.#running = true;
    try {
      this.#turns += 1;
      if (text !== undefined) this.#promptId = randomUUID();
      return await runTurn(this, this.#trail.forTurn(this.#turns), text, signal);
    } finally {
      this.#running = false;
    }
  }

  /**
   * Puts a summary in place of all but the last turn; `instructions`: what it must keep. Throws NOT_COMPACTED with why it
   * did not, INTERRUPTED, or what the audit fails with.
   */
  async compact(instructions: string, signal: AbortSignal): Promise<void> {
    if (this.#running) throw new Error('A turn is still running in this session.');
    if (this.transcript.open.length > 0)
      throw new HookdError(
        'NOT_COMPACTED',
        'The last turn has calls without an answer: send a prompt first.',
      );
    this.#running = true;
    try {
      this.#trail.assertRoom();
      const turn = newTurn(this, this.#trail, signal);
      const whyNot = await compact(turn, { trigger: 'manual', instructions });
      this.#startContext = [...this.#startContext, ...turn.notes.takeContext().map(({ value }) => value)];
      if (whyNot !== undefined)
        throw new HookdError('NOT_COMPACTED', `The conversation was not compacted: ${whyNot}.`);
    } catch (error) {
      throw signal.aborted && !isAuditFailure(error)
        ? new HookdError('INTERRUPTED', messageOf(error))
        : error;
    } finally {
      this.#running = false;
    }
    await this.#trail.durable();
  }

  /** Names the prompt that is being worked on, for hooks; undefined before the first. */
  get promptId(): string | undefined {
    return this.#promptId;
  }

  /** For the model, with the next prompt. */
  addContext(event: string, text: string): void {
    this.#startContext = [...this.#startContext, { event, text }];
  }

  takeStartContext(): readonly AddedContext[] {
    const context = this.#startContext;
    this.#startContext = [];
    return context;
  }

  nextRequest(): ModelRequest {
    return {
      model: this.modelName,
      maxTokens: this.limits.maxTokens,
      system: this.#system,
      tools: this.#tools,
      messages: this.transcript.messages(),
    };
  }

  /** Of the last response; what the next request will cost at least. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** All that were sent and received until now, as the API counts them. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Of the next request, in bytes, about. */
  get size(): number {
    return this.#headSize + this.transcript.size;
  }

  get context(): ContextUse {
    return this.gauge.use(this.size);
  }

  /** A request was answered, whatever for. */
  spend(usage: Usage): void {
    this.#tokens += allTokens(usage);
  }

  /** The response is in the transcript: so many tokens does it take now. */
  measure(usage: Usage): void {
    this.gauge.count(allTokens(usage), this.size);
    this.tell({ kind: 'context', context: this.context });
  }

  tell(event: SessionEvent): void {
    if (event.kind === 'response') this.#usage = event.response.usage;
    this.#onEvent(event);
  }

  /** SessionEnd; then async hooks get a short grace. */
  async end(reason: string): Promise<void> {
    const { hooks } = this.gate;
    const signal = new AbortController().signal;
    const occasion = { event: 'SessionEnd', subject: 'other', fields: { reason: 'other' } } as const;
    try {
      await fire(this.#trail, hooks, occasion, undefined, signal).finally(() => hooks.background.end());
    } finally {
      // Also after a failure of the audit: it may work again.
      this.#trail.record('session_ended', { reason });
    }
  }
}
