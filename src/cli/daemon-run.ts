/** `hookd daemon run`: the daemon in this process, until a signal or a client ends it. */
import { EXIT, HookdError } from '../core/errors.ts';
import { type Served, serveDaemon } from '../daemon/serve.ts';
import { VERSION } from '../daemon/version.ts';
import type { Output } from './output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface DaemonRunOptions {
  readonly env: Environment;
  readonly graceSeconds: number | undefined;
  readonly endsWhenIdle: boolean;
  readonly json: boolean;
}

const GRACE_SECONDS = 10;
const IDLE_MS = 30 * 60_000;

export async function daemonRunCommand(options: DaemonRunOptions, output: Output): Promise<number> {
  const { env, graceSeconds = GRACE_SECONDS, endsWhenIdle, json } = options;
  if (!(graceSeconds >= 0 && graceSeconds <= 3600))
    throw new HookdError('USAGE', '--grace takes seconds from 0 to 3600.');
  let early: string | undefined;
  let served: Served | undefined;
  onSignal((reason) => {
    early = reason;
    served?.stop(reason);
  });
  const tell = (words: string): void => {
    if (!json) output.note(`${new Date().toISOString()} hookd ${VERSION}: ${words}`);
  };
  served = await serveDaemon({
    env,
    graceMs: graceSeconds * 1000,
    onStop: (reason) => tell(`stopping: ${reason}`),
    idleMs: endsWhenIdle ? IDLE_MS : undefined,
  });
  const { socket, stopped } = served;
  if (json) output.result(JSON.stringify({ kind: 'listening', socket, pid: process.pid, version: VERSION }));
  tell(`listening on ${socket} (pid ${process.pid})`);
  if (early !== undefined) served.stop(early);
  await stopped;
  if (json) output.result(JSON.stringify({ kind: 'stopped', pid: process.pid }));
  tell('stopped');
  return EXIT.done;
}

/** The first signal ends in order, the second at once: what is on record stays on record. */
function onSignal(first: (reason: string) => void): void {
  let seen = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (seen) process.exit(EXIT.interrupted);
      seen = true;
      first(signal);
    });
}
