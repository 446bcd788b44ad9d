/** `hookd` on a terminal: prompts, streamed text, tool lines, questions; `q` leaves, Ctrl-C interrupts the turn. */
import { cursorTo, clearLine as eraseLine } from 'node:readline';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Session } from '../agent/session.ts';
import type { PromptFlags } from '../agent/system-prompt.ts';
import { EXIT, HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { COLUMNS } from './columns.ts';
import { HISTORY_LINES, PromptHistory } from './history.ts';
import { type Output, oneLine, printable } from './output.ts';
import { closeQuietly } from './run.ts';
import { Screen } from './screen.ts';
import { interruptSignal } from './signals.ts';
import { startDirectory } from './start-directory.ts';
import { clearLine, terminalApprovals } from './terminal-approvals.ts';
import { offerTrust } from './trust-offer.ts';

const PROMPT = '> ';
/** A path may be long, and may hold line ends. */
const GREETING_CHARACTERS = 4000;
const LEAVE = new Set(['q', 'quit', 'exit']);

export interface ChatOptions {
  readonly firstPrompt: string | undefined;
  readonly flags: CommandLine;
  readonly modelScript: string | undefined;
  readonly promptFlags: PromptFlags;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the exit code. Throws HookdError before the session has started. */
export async function chatCommand(options: ChatOptions, output: Output): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new HookdError('USAGE', 'A conversation needs a terminal. Without one use: hookd run "PROMPT".');
  }
  const start = startDirectory();
  // Ctrl-C is a key here; these two mean that the terminal goes away.
  const leave = interruptSignal(['SIGTERM', 'SIGHUP']);
  const daemon = await Daemon.open({ env: options.env });
  const history = new PromptHistory(daemon.hookdHome);
  const readline = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: history.read(),
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
  });
  const screen = new Screen(output, () => process.stdout.columns || COLUMNS, process.stdout);
  let conversation: Conversation | undefined;
  try {
    await offerTrust(readline, options.flags, options.env, start, output);
    const session = await daemon.startSession({
      startDirectory: start,
      flags: options.flags,
      approvals: terminalApprovals(readline, process.stdout),
      modelScript: options.modelScript,
      onEvent: (event) => (conversation === undefined ? screen.show(event) : conversation.show(event)),
      watchesSettings: true,
      promptFlags: options.promptFlags,
    });
    output.result(greeting(session, daemon, output));
    conversation = new Conversation(session, readline, screen, history, leave);
    const failure = await conversation.play(options.firstPrompt);
    if (failure === undefined) await daemon.close('left');
    else await closeQuietly(daemon, failure.code);
    return failure?.exitCode ?? EXIT.done;
  } catch (error) {
    await closeQuietly(daemon, messageOf(error));
    throw error;
  } finally {
    readline.close();
  }
}

function greeting(session: Session, daemon: Daemon, { colours }: Output): string {
  const { cwd } = session.gate.toolbox.workplace;
  const where = oneLine(`hookd in ${cwd} with ${session.modelName}.`, GREETING_CHARACTERS);
  const record = oneLine(`Everything is recorded in ${daemon.audit.file}`, GREETING_CHARACTERS);
  return colours.dim(`${where} "q" leaves, Ctrl-C interrupts.\n${record}`);
}

class Conversation {
  readonly #session: Session;
  readonly #readline: Interface;
  readonly #screen: Screen;
  readonly #history: PromptHistory;
  readonly #leave: AbortSignal;
  #takesPrompt = false;
  /** Lines that came while a turn ran and nothing was asked: the next prompts. */
  readonly #typedAhead: string[] = [];
  /** What kept the last turn from being recorded. */
  #failure: HookdError | undefined;

  constructor(
    session: Session,
    readline: Interface,
    screen: Screen,
    history: PromptHistory,
    leave: AbortSignal,
  ) {
    this.#session = session;
    this.#readline = readline;
    this.#screen = screen;
    this.#history = history;
    this.#leave = leave;
    // Answers to questions are no prompts: they stay out of the history.
    readline.on('history', (lines: string[]) => {
      if (!this.#takesPrompt) lines.shift();
    });
    readline.on('line', (line) => this.#typedAhead.push(line));
  }

  /** What comes up while somebody types goes above what they have typed. */
  show(event: SessionEvent): void {
    const { stdout } = process;
    const isTyping = this.#takesPrompt && stdout.isTTY === true;
    if (isTyping) {
      cursorTo(stdout, 0);
      eraseLine(stdout, 0);
    }
    this.#screen.show(event);
    if (isTyping) this.#readline.prompt(true);
  }

  /** Until the person leaves, or their terminal does. Returns what the audit failed with, where the last turn did. */
  async play(firstPrompt: string | undefined): Promise<HookdError | undefined> {
    let line = firstPrompt ?? (await this.#nextLine());
    while (line !== undefined && !LEAVE.has(line.trim())) {
      if (line.trim() !== '') {
        this.#history.add(line);
        await this.#playTurn(line);
      }
      line = await this.#nextLine();
    }
    return this.#failure;
  }

  /** undefined at the end of input, or on Ctrl-C at an empty prompt; on a line with text Ctrl-C clears it. */
  async #nextLine(): Promise<string | undefined> {
    const readline = this.#readline;
    const ahead = this.#typedAhead.shift();
    if (ahead !== undefined) {
      process.stdout.write(`${PROMPT}${printable(ahead)}\n`);
      return ahead;
    }
    const end = new AbortController();
    const onInterrupt = () => {
      if (readline.line === '') end.abort();
      else clearLine(readline);
    };
    const onClose = () => end.abort();
    readline.on('SIGINT', onInterrupt).once('close', onClose);
    this.#takesPrompt = true;
    try {
      return await readline.question(PROMPT, { signal: AbortSignal.any([end.signal, this.#leave]) });
    } catch {
      return undefined;
    } finally {
      this.#takesPrompt = false;
      readline.off('SIGINT', onInterrupt).off('close', onClose);
    }
  }

  async #playTurn(text: string): Promise<void> {
    this.#failure = undefined;
    const interrupt = new AbortController();
    const onInterrupt = () => {
      this.#typedAhead.length = 0;
      interrupt.abort(new Error('interrupted by Ctrl-C'));
    };
    this.#readline.on('SIGINT', onInterrupt);
    try {
      const end = await this.#session.prompt(text, AbortSignal.any([interrupt.signal, this.#leave]));
      this.#screen.show({ kind: 'turn_ended', end, audit: { file: '', head: '', records: 0 } });
    } catch (error) {
      if (!isAuditFailure(error)) throw error;
      this.#failure = error;
      const { code, message, hint } = error;
      this.#screen.show({ kind: 'turn_failed', code, message, hint });
    } finally {
      this.#readline.off('SIGINT', onInterrupt);
    }
  }
}
