/** `hookd daemon status`: does one run, and what is it doing? Exit code 1 when none does. */
import { EXIT, HookdError } from '../core/errors.ts';
import type { DaemonStatus } from '../daemon/api-daemon.ts';
import { VERSION } from '../daemon/version.ts';
import { type Connection, connectAnyVersion } from './connection.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StatusOutput {
  readonly result: (line: string) => void;
  readonly note: (line: string) => void;
}

export async function statusCommand(
  { env, json }: { readonly env: Environment; readonly json: boolean },
  output: StatusOutput,
): Promise<number> {
  let connection: Connection;
  try {
    connection = await connectAnyVersion(env, 'hookd daemon status');
  } catch (error) {
    if (!(error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE')) throw error;
    if (json) output.result(JSON.stringify({ running: false, why: error.message }));
    else output.result(error.message);
    return EXIT.failed;
  }
  const status = await connection.status();
  if (json) output.result(JSON.stringify({ running: true, ...status, socket: connection.socketPath }));
  else for (const line of lines(status, connection.socketPath)) output.result(line);
  if (status.version !== VERSION)
    output.note(`hookd: this is hookd ${VERSION}. "hookd daemon restart" runs the daemon as this version.`);
  return EXIT.done;
}

function lines(status: DaemonStatus, socket: string): readonly string[] {
  const { sessions, audit, memory } = status;
  const states = Object.entries(sessions.byState).map(([state, count]) => `${count} ${state}`);
  return [
    `hookd ${status.version} runs${status.stopping ? ', and is stopping' : ''} (pid ${status.pid}) since ${status.startedAt}, ${duration(status.uptimeMs)}`,
    `  socket     ${socket}`,
    `  sessions   ${states.length === 0 ? 'none' : states.join(', ')}`,
    `  approvals  ${approvalWords(status)}`,
    `  settings   ${status.settings.length === 0 ? 'none in force' : status.settings.map((digest) => digest.slice(0, 12)).join(', ')}`,
    `  audit      ${audit.records} records, head ${audit.head}`,
    `             ${audit.file}`,
    ...status.sinks.map(
      ({ name, behind, required }) =>
        `  sink       ${name}${required ? ' (required)' : ''}: ${behind === 0 ? 'has everything' : `${behind} records behind`}`,
    ),
    `  memory     ${Math.round(memory.rss / 1024 / 1024)} MiB`,
  ];
}

function approvalWords({ approvals, approvalsToResume = 0 }: DaemonStatus): string {
  const waiting = approvals === 0 ? 'none waits' : `${approvals} waiting`;
  const left = approvalsToResume === 0 ? '' : `, ${approvalsToResume} of sessions to resume`;
  return approvals + approvalsToResume === 0 ? waiting : `${waiting}${left}: hookd approvals list`;
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
