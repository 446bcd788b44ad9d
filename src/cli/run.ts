/** `hookd run PROMPT`, `hookd -p PROMPT`: one prompt, its turn, its result. */
import type { PromptFlags } from '../agent/system-prompt.ts';
import { EXIT, errorNamed, HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { AuditPosition, SessionEvent } from '../core/protocol.ts';
import type { TurnEnd } from '../core/vocabulary.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { COLUMNS } from './columns.ts';
import { daemonUse, findHost } from './find-host.ts';
import { followSession } from './follow-session.ts';
import type { Output } from './output.ts';
import { eventLines } from './render.ts';
import { RunLog, type RunReport } from './run-report.ts';
import { openTerminal, type RunTerminal } from './run-terminal.ts';
import { chosenSession, type SessionChoice } from './session-choice.ts';
import { closeQuietly, type OpenedSession, type SessionHost } from './session-host.ts';
import { interruptSignal } from './signals.ts';
import { startDirectory } from './start-directory.ts';
import { eventObjects, initLine } from './stream-json.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface RunOptions {
  readonly prompt: string;
  readonly format: OutputFormat;
  readonly choice: SessionChoice;
  /** `--daemon`, `--no-daemon`, or neither. */
  readonly daemon: boolean | undefined;
  readonly flags: CommandLine;
  readonly failOnDenial: boolean;
  /** In the daemon, without a terminal here: somebody else may answer. */
  readonly waitsForApproval: boolean;
  /** In stream-json: a line when a hook starts and one when it has ended. */
  readonly includeHookEvents: boolean;
  readonly modelScript: string | undefined;
  readonly promptFlags: PromptFlags;
  readonly env: NodeJS.ProcessEnv;
}

/** How the turn ended: by itself, or because it could not be recorded. */
type TurnOutcome = { readonly end: TurnEnd; readonly audit: AuditPosition } | HookdError;

/** Returns the exit code. Throws HookdError before the session has started. */
export async function runCommand(options: RunOptions, output: Output): Promise<number> {
  const start = startDirectory();
  const interrupt = interruptSignal();
  const use = daemonUse(options.daemon, options.env, 'ifRunning');
  const host = await findHost(use, options.env, 'hookd run', output.note);
  const terminal = openTerminal(options.env, output);
  const log = new RunLog();
  try {
    const resume = await chosenSession(options.choice, host, start);
    const opened = await host.open({
      startDirectory: start,
      flags: options.flags,
      modelScript: options.modelScript,
      promptFlags: options.promptFlags,
      someoneAnswers: terminal !== undefined || (host.isDaemon && options.waitsForApproval),
      watchesSettings: false,
      resume,
      fork: options.choice.fork,
      signal: interrupt,
    });
    const { client } = opened;
    const { id } = client.info;
    if (options.format === 'stream-json') output.result(JSON.stringify(initLine(client.info)));
    const show = (event: SessionEvent) => {
      log.watch(event);
      showEvent(event, id, options, output);
    };
    const outcome = await playPrompt({ opened, prompt: options.prompt, terminal, interrupt, show });
    // Nothing of a run stays behind but its record, and what was lost with the daemon.
    const isFault = outcome instanceof HookdError;
    const isLost = isFault && outcome.code === 'DAEMON_UNREACHABLE';
    if (host.isDaemon && !opened.isJoined && !isLost) {
      const ending = client.end('the run is over');
      await (isFault ? ending.catch(() => undefined) : ending);
    }
    return await report(outcome, { host, log, sessionId: id, options, output });
  } catch (error) {
    await closeQuietly(host, messageOf(error));
    throw error;
  } finally {
    terminal?.close();
  }
}

interface Play {
  readonly opened: OpenedSession;
  readonly prompt: string;
  readonly terminal: RunTerminal | undefined;
  readonly interrupt: AbortSignal;
  readonly show: (event: SessionEvent) => void;
}

async function playPrompt({ opened, prompt, terminal, interrupt, show }: Play): Promise<TurnOutcome> {
  const { client, after } = opened;
  const done = new AbortController();
  const stop = () => void client.interrupt().catch(() => undefined);
  interrupt.addEventListener('abort', stop);
  try {
    let isOurs = false;
    await client.prompt(prompt);
    if (interrupt.aborted) stop();
    for await (const delivery of followSession(client, after, done.signal)) {
      if (delivery.kind !== 'event') continue;
      const { event } = delivery;
      show(event);
      terminal?.watch(event, client);
      // Of a session that goes on, a turn may have to end first.
      isOurs ||= event.kind === 'prompt' && event.prompt.text === prompt;
      if (event.kind === 'turn_ended' && isOurs) return event;
      if (event.kind === 'turn_failed') return errorNamed(event.code, event.message);
    }
    return new HookdError(
      'SESSION_ENDED',
      `The session ended before the turn did. Go on with it: hookd --resume ${client.info.id}`,
    );
  } catch (error) {
    if (error instanceof HookdError) return error;
    throw error;
  } finally {
    interrupt.removeEventListener('abort', stop);
    done.abort();
  }
}

interface Reporting {
  readonly host: SessionHost;
  readonly log: RunLog;
  readonly sessionId: string;
  readonly options: RunOptions;
  readonly output: Output;
}

async function report(outcome: TurnOutcome, reporting: Reporting): Promise<number> {
  const { host, log, sessionId, options, output } = reporting;
  if (outcome instanceof HookdError) {
    const audit = await closeQuietly(host, outcome.code);
    const result = log.report(outcome.message, sessionId, audit ?? null);
    if (options.format !== 'text') output.result(JSON.stringify(result));
    if (!isAuditFailure(outcome)) throw outcome;
    output.note(`hookd: ${outcome.code}: ${outcome.message} ${outcome.hint}`);
    return outcome.exitCode;
  }
  const { end } = outcome;
  const audit = (await host.close(end.reason)) ?? outcome.audit;
  printReport(log.report(end, sessionId, audit), options.format, output);
  return exitCode(end, options.failOnDenial && log.denials > 0);
}

function exitCode(end: TurnEnd, wasDenied: boolean): number {
  if (end.reason === 'interrupted') return EXIT.interrupted;
  if (end.reason === 'error' || end.reason === 'max_turns') return EXIT.failed;
  return wasDenied ? EXIT.denied : EXIT.done;
}

function showEvent(
  event: SessionEvent,
  sessionId: string,
  { format, includeHookEvents }: RunOptions,
  output: Output,
): void {
  if (event.kind === 'warning') output.note(`hookd: warning: ${event.text}`);
  if (format === 'stream-json') {
    for (const object of eventObjects(event, sessionId, includeHookEvents))
      output.result(JSON.stringify(object));
  } else if (event.kind !== 'warning') {
    output.progress(() =>
      eventLines(event, { colours: output.colours, columns: process.stderr.columns || COLUMNS }),
    );
  }
}

function printReport(report: RunReport, format: OutputFormat, output: Output): void {
  if (format !== 'text') output.result(JSON.stringify(report));
  else if (report.subtype === 'success') output.modelText(`${report.result}\n`);
  else if (report.terminal_reason === 'max_turns')
    output.note('hookd: the turn was stopped at its limit of model requests (--max-turns).');
  else if (report.terminal_reason === 'interrupted') output.note('hookd: interrupted.');
  else output.note(`hookd: ${report.result}`);
}
