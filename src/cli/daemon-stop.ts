/** `hookd daemon stop`, `hookd daemon restart`: resolves when the daemon has recorded its end and is gone. */
import { readFileSync } from 'node:fs';
import { EXIT, HookdError } from '../core/errors.ts';
import { processStartTime } from '../lib/proc.ts';
import { type Connection, connectAnyVersion } from './connection.ts';
import { startDaemon } from './daemon-start.ts';
import { refuseInsideAgent } from './inside-agent.ts';
import type { Output } from './output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StopArguments {
  readonly env: Environment;
  /** For running turns; the daemon's own default where it is not given. */
  readonly graceSeconds?: number | undefined;
  readonly json: boolean;
}

const LOOK_MS = 20;
/** Beyond the grace: SessionEnd hooks, records and sinks. */
const MORE_MS = 60_000;
const CLIENT = 'hookd daemon stop';

export async function stopCommand(options: StopArguments, output: Output): Promise<number> {
  const pid = await stopDaemon(options);
  if (options.json) output.result(JSON.stringify({ stopped: pid !== undefined, pid: pid ?? null }));
  else output.result(pid === undefined ? 'No daemon ran.' : `The daemon (pid ${pid}) has stopped.`);
  return EXIT.done;
}

export async function restartCommand(options: StopArguments, output: Output): Promise<number> {
  const stopped = await stopDaemon(options);
  const { graceSeconds } = options;
  const { connection } = await startDaemon(options.env, { endsWhenIdle: false, graceSeconds });
  const { health, socketPath } = connection;
  if (options.json)
    output.result(JSON.stringify({ stopped: stopped ?? null, ...health, socket: socketPath }));
  else
    output.result(
      `hookd ${health.version} runs (pid ${health.pid}${stopped === undefined ? '' : `, instead of ${stopped}`}); its socket is ${socketPath}`,
    );
  return EXIT.done;
}

/** The pid of the daemon that was stopped; undefined where none ran. */
async function stopDaemon({ env, graceSeconds }: StopArguments): Promise<number | undefined> {
  refuseInsideAgent(env, 'daemon stop');
  let connection: Connection;
  try {
    connection = await connectAnyVersion(env, CLIENT);
  } catch (error) {
    if (error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE') return undefined;
    throw error;
  }
  const { pid } = connection.health;
  const startTime = processStartTime(pid);
  await connection.stop(graceSeconds === undefined ? undefined : graceSeconds * 1000);
  const deadline = Date.now() + (graceSeconds ?? 600) * 1000 + MORE_MS;
  while (isAlive(pid, startTime)) {
    if (Date.now() > deadline)
      throw new HookdError(
        'DAEMON_UNREACHABLE',
        `The daemon (pid ${pid}) has been told to stop and still runs. "kill -TERM ${pid}" ends it at once.`,
      );
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return pid;
}

/** A zombie has ended: in a container nobody may take it away. */
function isAlive(pid: number, startTime: string | null): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z' && processStartTime(pid) === startTime;
  } catch {
    return startTime === null && isSignallable(pid);
  }
}

function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
