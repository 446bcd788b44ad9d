/**
 * One daemon from its first record to its last: the place, the audit, the socket; and, when it stops: nothing new, time
 * for what runs, everything on record, and only then the way free for the next one.
 */
import { messageOf } from '../core/errors.ts';
import type { SessionState } from '../core/protocol.ts';
import type { ManagedPlace } from '../settings/managed.ts';
import { createApi } from './api.ts';
import { API_TIMES, type ApiTimes } from './api-surroundings.ts';
import { Daemon } from './daemon.ts';
import { hookdHomeOf } from './hookd-home.ts';
import { claimInstance } from './instance.ts';
import { type RunningServer, SERVER_LIMITS, type ServerLimits, serveOn } from './server.ts';

export interface ServeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Instead of the system's: for tests. */
  readonly managed?: ManagedPlace;
  /** For running turns, once it is to stop. */
  readonly graceMs: number;
  /** It stops by itself after so long without clients, running sessions and questions. */
  readonly idleMs?: number | undefined;
  /** It begins to stop. */
  readonly onStop?: (reason: string) => void;
  readonly limits?: ServerLimits;
  readonly times?: ApiTimes;
}

export interface Served {
  readonly socket: string;
  /** Begins to stop. The first reason counts, and the shortest grace. */
  stop(reason: string, graceMs?: number): void;
  /** Resolves when everything has ended. Rejects when the end could not be recorded. */
  readonly stopped: Promise<void>;
}

const LOOK_MS = 25;
const IDLE_LOOKS = 20;
/** For streams to deliver what they hold. */
const LAST_WORDS_MS = 2_000;

/** Throws DAEMON_RUNNING, USAGE, AUDIT_UNAVAILABLE. */
export async function serveDaemon(options: ServeOptions): Promise<Served> {
  const { env, managed, graceMs, limits = SERVER_LIMITS, times = API_TIMES } = options;
  const instance = await claimInstance(hookdHomeOf(env));
  const closing = new AbortController();
  let daemon: Daemon | undefined;
  let server: RunningServer | undefined;
  let begin: (reason: string) => void = () => undefined;
  const asked = new Promise<string>((resolve) => {
    begin = resolve;
  });
  let deadline: number | undefined;
  const stop = (reason: string, grace = graceMs): void => {
    if (deadline === undefined) {
      options.onStop?.(reason);
      for (const session of daemon?.sessions.live ?? []) session.dropWaiting('the daemon is stopping');
    }
    deadline = Math.min(deadline ?? Number.POSITIVE_INFINITY, Date.now() + grace);
    begin(reason);
  };
  try {
    daemon = await Daemon.open({ env, mode: 'daemon', ...(managed === undefined ? {} : { managed }) });
    const around = {
      ...{ daemon, times, closing: closing.signal, startedAt: new Date(), stop },
      isStopping: () => deadline !== undefined,
      clients: () => server?.connections ?? 0,
    };
    const reportFault = (error: unknown): void => void daemon?.reportFault('a request failed', error);
    server = await serveOn(instance.place.socket, createApi(around, reportFault), limits);
    instance.announce();
  } catch (error) {
    await daemon?.close(`could not be served: ${messageOf(error)}`).catch(() => undefined);
    instance.release();
    throw error;
  }
  const served = daemon;
  const serving = server;
  const idle = watchIdleness(options.idleMs, () => serving.connections > 0 || isBusy(served), stop);
  const stopped = asked.then(async (reason) => {
    clearInterval(idle);
    try {
      await untilQuiet(served, () => deadline ?? 0);
      await served.close(reason);
    } finally {
      closing.abort();
      await serving.close(LAST_WORDS_MS);
      instance.release();
    }
  });
  // Whoever awaits it is told; until then it is no fault.
  stopped.catch(() => undefined);
  return { socket: instance.place.socket, stop, stopped };
}

/** A question is no reason to wait: nobody may answer it, and it is asked again when its session goes on. */
async function untilQuiet(daemon: Daemon, deadline: () => number): Promise<void> {
  while (statesOf(daemon).includes('running') && Date.now() < deadline())
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function isBusy(daemon: Daemon): boolean {
  return statesOf(daemon).some((state) => state === 'running' || state === 'waiting');
}

function statesOf(daemon: Daemon): readonly SessionState[] {
  return daemon.sessions.live.map(({ info }) => info.state);
}

function watchIdleness(
  idleMs: number | undefined,
  isNeeded: () => boolean,
  stop: (reason: string) => void,
): NodeJS.Timeout | undefined {
  if (idleMs === undefined) return undefined;
  let neededAt = Date.now();
  return setInterval(() => {
    if (isNeeded()) neededAt = Date.now();
    else if (Date.now() - neededAt >= idleMs) stop('nobody needed it any more');
  }, idleMs / IDLE_LOOKS);
}
