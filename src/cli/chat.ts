/** `hookd` on a terminal: prompts, streamed text, tool lines, questions; `q` leaves, Ctrl-C interrupts the turn. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Session } from '../agent/session.ts';
import { EXIT, HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { Output } from './output.ts';
import { eventLines } from './render.ts';
import { closeQuietly } from './run.ts';
import { clearLine, terminalApprovals } from './terminal-approvals.ts';

const HISTORY_FILE = 'chat-history';
const HISTORY_LINES = 500;
const PROMPT = '> ';
const LEAVE = new Set(['q', 'quit', 'exit']);

export interface ChatOptions {
  readonly firstPrompt: string | undefined;
  readonly flags: CommandLine;
  readonly modelScript: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the exit code. Throws HookdError before the session has started. */
export async function chatCommand(options: ChatOptions, output: Output): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new HookdError('USAGE', 'A conversation needs a terminal. Without one use: hookd run "PROMPT".');
  }
  const daemon = await Daemon.open({ env: options.env });
  const historyPath = join(daemon.hookdHome, HISTORY_FILE);
  const readline = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: readHistory(historyPath),
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
  });
  const screen = new Screen(output);
  const prompts = keepPromptsOnly(readline);
  try {
    const session = await daemon.startSession({
      startDirectory: process.cwd(),
      flags: options.flags,
      approvals: terminalApprovals(readline, (text) => process.stdout.write(text)),
      modelScript: options.modelScript,
      onEvent: (event) => screen.show(event),
    });
    output.result(greeting(session, daemon, output));
    await converse(session, readline, screen, options.firstPrompt, prompts, (line) =>
      saveHistory(historyPath, line),
    );
    await daemon.close('left');
    return EXIT.done;
  } catch (error) {
    await closeQuietly(daemon, messageOf(error));
    throw error;
  } finally {
    readline.close();
  }
}

function greeting(session: Session, daemon: Daemon, { colours }: Output): string {
  const { cwd } = session.gate.toolbox.workplace;
  return colours.dim(
    `hookd in ${cwd} with ${session.modelName}. "q" leaves, Ctrl-C interrupts.\nEverything is recorded in ${daemon.audit.file}`,
  );
}

async function converse(
  session: Session,
  readline: Interface,
  screen: Screen,
  firstPrompt: string | undefined,
  prompts: { taking: boolean },
  remember: (line: string) => void,
): Promise<void> {
  const next = async () => {
    prompts.taking = true;
    const line = await nextLine(readline);
    prompts.taking = false;
    return line;
  };
  let line: string | undefined = firstPrompt ?? (await next());
  while (line !== undefined && !LEAVE.has(line.trim())) {
    if (line.trim() !== '') {
      remember(line);
      await playTurn(session, readline, screen, line);
    }
    line = await next();
  }
}

/** Answers to questions, and what is typed while a turn runs, are no prompts: they stay out of the history. */
function keepPromptsOnly(readline: Interface): { taking: boolean } {
  const prompts = { taking: false };
  readline.on('history', (history: string[]) => {
    if (!prompts.taking) history.shift();
  });
  return prompts;
}

/** undefined at the end of input, or on Ctrl-C at an empty prompt; on a line with text Ctrl-C clears it. */
async function nextLine(readline: Interface): Promise<string | undefined> {
  const leave = new AbortController();
  const onInterrupt = () => {
    if (readline.line === '') leave.abort();
    else clearLine(readline);
  };
  const onClose = () => leave.abort();
  readline.on('SIGINT', onInterrupt).once('close', onClose);
  try {
    return await readline.question(PROMPT, { signal: leave.signal });
  } catch {
    return undefined;
  } finally {
    readline.off('SIGINT', onInterrupt).off('close', onClose);
  }
}

async function playTurn(session: Session, readline: Interface, screen: Screen, text: string): Promise<void> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort(new Error('interrupted by Ctrl-C'));
  readline.on('SIGINT', onInterrupt);
  try {
    const end = await session.prompt(text, interrupt.signal);
    screen.endTurn(end.reason === 'completed' ? undefined : (end.detail ?? end.reason));
  } catch (error) {
    if (!isAuditFailure(error)) throw error;
    screen.endTurn(`${error.code}: ${error.message} ${error.hint}`);
  } finally {
    readline.off('SIGINT', onInterrupt);
  }
}

/** Keeps streamed text and whole lines apart. */
class Screen {
  readonly #output: Output;
  #midLine = false;

  constructor(output: Output) {
    this.#output = output;
  }

  show(event: SessionEvent): void {
    if (event.kind === 'text') {
      this.#output.modelText(event.text);
      this.#midLine = !event.text.endsWith('\n');
      return;
    }
    const lines = eventLines(event, this.#output.colours);
    if (lines.length > 0 || event.kind === 'response') this.#endLine();
    for (const line of lines) this.#output.result(line);
  }

  endTurn(problem: string | undefined): void {
    this.#endLine();
    if (problem !== undefined) this.#output.result(this.#output.colours.red(`[${problem}]`));
  }

  #endLine(): void {
    if (this.#midLine) this.#output.result('');
    this.#midLine = false;
  }
}

/** Newest first, as readline keeps it. */
function readHistory(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    return lines.slice(-HISTORY_LINES).toReversed();
  } catch {
    return [];
  }
}

/** A convenience: what cannot be saved is not worth a failure. */
function saveHistory(path: string, line: string): void {
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    appendFileSync(path, `${line.replaceAll('\n', ' ')}\n`, { mode: 0o600 });
  } catch {
    // The audit holds every prompt anyway.
  }
}
