/** `hookd run PROMPT`, `hookd -p PROMPT`: one prompt, its turn, its result. */

import { createInterface } from 'node:readline/promises';
import type { Session } from '../agent/session.ts';
import type { PromptFlags } from '../agent/system-prompt.ts';
import { EXIT, HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { TurnEnd } from '../core/vocabulary.ts';
import { nobody } from '../daemon/approvals.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { COLUMNS } from './columns.ts';
import type { Output } from './output.ts';
import { eventLines } from './render.ts';
import { RunLog, type RunReport } from './run-report.ts';
import { interruptSignal } from './signals.ts';
import { startDirectory } from './start-directory.ts';
import { eventObjects, initLine } from './stream-json.ts';
import { terminalApprovals } from './terminal-approvals.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface RunOptions {
  readonly prompt: string;
  readonly format: OutputFormat;
  readonly flags: CommandLine;
  readonly failOnDenial: boolean;
  /** In stream-json: a line when a hook starts and one when it has ended. */
  readonly includeHookEvents: boolean;
  readonly modelScript: string | undefined;
  readonly promptFlags: PromptFlags;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the exit code. Throws HookdError before the session has started. */
export async function runCommand(options: RunOptions, output: Output): Promise<number> {
  const start = startDirectory();
  const log = new RunLog();
  const interrupt = interruptSignal();
  const daemon = await Daemon.open({ env: options.env });
  const terminal = openTerminal();
  let session: Session | undefined;
  let end: TurnEnd | HookdError;
  try {
    session = await daemon.startSession({
      startDirectory: start,
      flags: options.flags,
      approvals: terminal ? terminalApprovals(terminal, process.stderr) : nobody,
      modelScript: options.modelScript,
      promptFlags: options.promptFlags,
      signal: interrupt,
      onEvent: (event) => {
        log.watch(event);
        show(event, session, options, output);
      },
    });
    if (options.format === 'stream-json') {
      const { toolbox, hooks } = session.gate;
      const info = {
        id: session.id,
        cwd: toolbox.workplace.cwd,
        tools: toolbox.tools.map((tool) => tool.name),
        model: session.modelName,
        permissionMode: hooks.current().permissionMode,
      };
      output.result(JSON.stringify(initLine(info)));
    }
    end = await session.prompt(options.prompt, interrupt);
    await daemon.close(end.reason);
  } catch (error) {
    if (session === undefined || !isAuditFailure(error)) {
      await closeQuietly(daemon, messageOf(error));
      throw error;
    }
    end = error;
    await closeQuietly(daemon, error.code);
  } finally {
    terminal?.close();
  }
  if (end instanceof HookdError) {
    const report = log.report(end.message, session.id, daemon.audit);
    if (options.format !== 'text') output.result(JSON.stringify(report));
    output.note(`hookd: ${end.code}: ${end.message} ${end.hint}`);
    return end.exitCode;
  }
  printReport(log.report(end, session.id, daemon.audit), options.format, output);
  return exitCode(end, options.failOnDenial && log.denials > 0);
}

function exitCode(end: TurnEnd, wasDenied: boolean): number {
  if (end.reason === 'interrupted') return EXIT.interrupted;
  if (end.reason === 'error' || end.reason === 'max_turns') return EXIT.failed;
  return wasDenied ? EXIT.denied : EXIT.done;
}

function show(
  event: SessionEvent,
  session: Session | undefined,
  { format, includeHookEvents }: RunOptions,
  output: Output,
): void {
  if (event.kind === 'warning') output.note(`hookd: warning: ${event.text}`);
  if (format === 'stream-json') {
    for (const object of eventObjects(event, session?.id ?? '', includeHookEvents))
      output.result(JSON.stringify(object));
  } else if (event.kind !== 'warning') {
    for (const line of eventLines(event, {
      colours: output.colours,
      columns: process.stderr.columns || COLUMNS,
    }))
      output.progress(line);
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

/** Only where a person can read the question and type the answer. */
function openTerminal() {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // In raw mode Ctrl-C is a key, which readline turns into an event of its own.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  return terminal;
}

/** After a failure the chain may not take its last records; the failure itself is what is reported. */
export async function closeQuietly(daemon: Daemon, reason: string): Promise<void> {
  try {
    await daemon.close(reason);
  } catch (error) {
    if (!isAuditFailure(error)) throw error;
  }
}
