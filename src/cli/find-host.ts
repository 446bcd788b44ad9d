/** Whether a command's session runs in the daemon or in this process. */
import { HookdError, messageOf } from '../core/errors.ts';
import { hostHere, type SessionHost } from './session-host.ts';

/** `ifRunning`: in the daemon where one runs already; nothing is started that outlives the command. */
export type DaemonUse = 'never' | 'ifRunning' | 'start';

/** `flag`: `--daemon`, `--no-daemon`, or neither. */
export function daemonUse(
  flag: boolean | undefined,
  env: NodeJS.ProcessEnv,
  otherwise: DaemonUse,
): DaemonUse {
  if (flag === true) return 'start';
  return flag === false || env['HOOKD_NO_DAEMON'] === '1' ? 'never' : otherwise;
}

/**
 * `client` is the name that the audit gives to the person here. Throws AUDIT_UNAVAILABLE, DAEMON_OTHER_VERSION, or why
 * no daemon could be started.
 */
export async function findHost(
  use: DaemonUse,
  env: NodeJS.ProcessEnv,
  client: string,
  note: (line: string) => void,
): Promise<SessionHost> {
  if (use === 'never') return hostHere(env);
  const { connect, ensureDaemon } = await import('./connection.ts');
  const { hostInDaemon } = await import('./daemon-host.ts');
  if (use === 'start') return hostInDaemon(await ensureDaemon(env, client), env);
  try {
    return hostInDaemon(await connect(env, client), env);
  } catch (error) {
    const isAbsent = error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE';
    if (!isAbsent) note(`hookd: warning: not in the daemon: ${messageOf(error)}`);
    return hostHere(env);
  }
}
