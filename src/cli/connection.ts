/** What a command does with the daemon: find it, start it where it is needed, open sessions in it, see its questions. */
import { HookdError } from '../core/errors.ts';
import type { ApprovalReply, PendingApproval, SessionClient, SessionInfo } from '../core/protocol.ts';
import type { Decision } from '../core/vocabulary.ts';
import type { DaemonHealth, DaemonStatus } from '../daemon/api-daemon.ts';
import type { NewSession } from '../daemon/api-schema.ts';
import type { SettingsInForce } from '../daemon/api-settings.ts';
import type { ApprovalNotice } from '../daemon/approval-desk.ts';
import { VERSION } from '../daemon/version.ts';
import { DaemonSocket } from './client.ts';
import { approvalPath, RemoteSession } from './remote-session.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const HEALTH_MS = 5_000;

export interface Connection {
  readonly health: DaemonHealth;
  readonly socketPath: string;
  createSession(request: NewSession): Promise<SessionClient>;
  /** Throws SESSION_UNKNOWN. */
  openSession(id: string): Promise<SessionClient>;
  listSessions(): Promise<readonly SessionInfo[]>;
  approvals(): Promise<readonly PendingApproval[]>;
  /** What refuses the call all the same: a rule that was saved while the question stood. */
  answer(approvalId: string, reply: ApprovalReply): Promise<Decision | undefined>;
  /** Those that wait now, then what comes; ends with the daemon, or when `signal` aborts. */
  watchApprovals(signal: AbortSignal): AsyncIterable<ApprovalNotice>;
  settingsOf(sessionId: string): Promise<SettingsInForce>;
  status(): Promise<DaemonStatus>;
  /** Resolves when the daemon has begun to stop. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * `client` is the name that the audit gives to what is done here. Throws DAEMON_UNREACHABLE where none runs,
 * DAEMON_OTHER_VERSION where another hookd does.
 */
export async function connect(env: Environment, client: string): Promise<Connection> {
  const socket = new DaemonSocket(env, client);
  const health = await healthOf(socket);
  if (health.version !== VERSION)
    throw new HookdError(
      'DAEMON_OTHER_VERSION',
      `The daemon that runs (pid ${health.pid}) is hookd ${health.version}; this is hookd ${VERSION}.`,
    );
  return connectionOver(socket, health);
}

/** Like `connect`, whatever its version: to look at it, and to end it. */
export async function connectAnyVersion(env: Environment, client: string): Promise<Connection> {
  const socket = new DaemonSocket(env, client);
  return connectionOver(socket, await healthOf(socket));
}

/** Like `connect`; starts the daemon where none runs. */
export async function ensureDaemon(env: Environment, client: string): Promise<Connection> {
  try {
    return await connect(env, client);
  } catch (error) {
    if (!(error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE')) throw error;
  }
  const { startDaemon } = await import('./daemon-start.ts');
  await startDaemon(env, { endsWhenIdle: true });
  return connect(env, client);
}

async function healthOf(socket: DaemonSocket): Promise<DaemonHealth> {
  const call = { method: 'GET', path: '/v1/health', timeoutMs: HEALTH_MS } as const;
  return (await socket.call(call)) as DaemonHealth;
}

function connectionOver(socket: DaemonSocket, health: DaemonHealth): Connection {
  const get = (path: string): Promise<unknown> => socket.call({ method: 'GET', path });
  const session = (info: unknown): SessionClient => new RemoteSession(socket, info as SessionInfo);
  return {
    health,
    socketPath: socket.place.socket,
    createSession: async (body) => session(await socket.call({ method: 'POST', path: '/v1/sessions', body })),
    openSession: async (id) => session(await get(`/v1/sessions/${encodeURIComponent(id)}`)),
    listSessions: async () => (await get('/v1/sessions')) as readonly SessionInfo[],
    approvals: async () => (await get('/v1/approvals')) as readonly PendingApproval[],
    answer: async (id, body) => {
      const said = await socket.call({ method: 'POST', path: approvalPath(id), body });
      return (said as { readonly refusal: Decision } | undefined)?.refusal;
    },
    async *watchApprovals(signal) {
      const { events } = await socket.stream({ path: '/v1/approvals/events', signal });
      try {
        for await (const { data } of events) yield JSON.parse(data) as ApprovalNotice;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    settingsOf: async (id) =>
      (await get(`/v1/sessions/${encodeURIComponent(id)}/settings`)) as SettingsInForce,
    status: async () => (await get('/v1/status')) as DaemonStatus,
    stop: async (graceMs) => {
      const body = graceMs === undefined ? {} : { graceMs };
      await socket.call({ method: 'POST', path: '/v1/daemon/stop', body });
    },
  };
}
