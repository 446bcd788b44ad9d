/** `hookd` on a terminal: opens a session, or comes back to one, and converses until the person leaves. */
import type { PromptFlags } from '../agent/system-prompt.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { type ChatEnd, converse } from './chat-session.ts';
import { daemonUse, findHost } from './find-host.ts';
import { PromptHistory } from './history.ts';
import { letGo } from './let-go.ts';
import { LineInput } from './line-input.ts';
import { type Output, printable } from './output.ts';
import { chosenSession, type SessionChoice } from './session-choice.ts';
import { closeQuietly, type OpenedSession, type SessionHost } from './session-host.ts';
import { interruptSignal } from './signals.ts';
import { startDirectory } from './start-directory.ts';
import { offerTrust } from './trust-offer.ts';

export interface ChatOptions {
  readonly firstPrompt: string | undefined;
  readonly choice: SessionChoice;
  /** `--daemon`, `--no-daemon`, or neither. */
  readonly daemon: boolean | undefined;
  readonly flags: CommandLine;
  readonly modelScript: string | undefined;
  readonly promptFlags: PromptFlags;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the exit code. Throws HookdError before the session has started. */
export async function chatCommand(options: ChatOptions, output: Output): Promise<number> {
  needTerminal();
  const start = startDirectory();
  // Ctrl-C is a key here; these two mean that the terminal goes away.
  const leave = interruptSignal(['SIGTERM', 'SIGHUP']);
  const use = daemonUse(options.daemon, options.env, 'start');
  const host = await findHost(use, options.env, 'terminal', output.note);
  const history = new PromptHistory(hookdHomeOf(options.env));
  const input = new LineInput({ input: process.stdin, output: process.stdout, history: history.read() });
  const { flags, env } = options;
  const given = options.firstPrompt === undefined ? [] : [options.firstPrompt];
  try {
    let { choice } = options;
    for (;;) {
      const opened = await openChosen({ options, choice, host, start, input, output });
      const stage = { host, opened, flags, env, input, history, given, output };
      const end = await converse({ ...stage, leave: leavingOf(host, input, leave) });
      if (end.next === undefined) return await leaveFor(end, { host, opened, output });
      for (const line of await letGo(opened, { isDaemon: true })) output.result(output.colours.dim(line));
      choice = { resume: end.next, continues: false, fork: false };
    }
  } catch (error) {
    await closeQuietly(host, messageOf(error));
    throw error;
  } finally {
    input.close();
  }
}

/** A turn of this process is played to its end; one of the daemon goes on without the person. */
function leavingOf({ isDaemon }: SessionHost, input: LineInput, leave: AbortSignal): AbortSignal {
  return isDaemon ? AbortSignal.any([leave, input.closed]) : leave;
}

/** Throws USAGE where nobody can type. */
function needTerminal(): void {
  if (process.stdin.isTTY === true && process.stdout.isTTY === true) return;
  throw new HookdError('USAGE', 'A conversation needs a terminal. Without one use: hookd run "PROMPT".');
}

interface Opening {
  readonly options: ChatOptions;
  readonly choice: SessionChoice;
  readonly host: SessionHost;
  readonly start: string;
  readonly input: LineInput;
  readonly output: Output;
}

async function openChosen(opening: Opening): Promise<OpenedSession> {
  const { options, choice, host, start, input, output } = opening;
  const { flags, env, modelScript, promptFlags } = options;
  const resume = await chosenSession(choice, host, start);
  const directory = resume?.cwd ?? start;
  await offerTrust(input.readline, flags, env, directory, output);
  return host.open({
    startDirectory: directory,
    ...{ flags, modelScript, promptFlags, resume, fork: choice.fork },
    someoneAnswers: true,
    watchesSettings: true,
  });
}

interface Leaving {
  readonly host: SessionHost;
  readonly opened: OpenedSession;
  readonly output: Output;
}

/** The exit code: what the audit could not record comes before all else. */
async function leaveFor(end: ChatEnd, { host, opened, output }: Leaving): Promise<number> {
  if (end.failure !== undefined) {
    await closeQuietly(host, end.failure.code);
    return end.failure.exitCode;
  }
  if (end.lost !== undefined) {
    output.note(
      `hookd: ${printable(end.lost)}\nIts conversation is kept: hookd --resume ${opened.client.info.id}`,
    );
    await closeQuietly(host, 'the session was lost');
    return EXIT.failed;
  }
  const lines = await letGo(opened, host);
  await host.close('left');
  for (const line of lines) output.result(output.colours.dim(line));
  return EXIT.done;
}
