/** The session that a command line goes on with: `--resume ID`, `--continue`, `--fork-session`; none: a new one. */
import { HookdError } from '../core/errors.ts';
import type { SessionInfo } from '../core/protocol.ts';
import { realPath } from '../settings/scopes.ts';
import { byPrefix } from './by-prefix.ts';
import type { SessionHost } from './session-host.ts';

export interface SessionChoice {
  /** Its id, or how that begins. */
  readonly resume: string | undefined;
  /** The last one of the start directory. */
  readonly continues: boolean;
  /** Go on in a new session, from a copy. */
  readonly fork: boolean;
}

/** Throws SESSION_UNKNOWN where there is none, USAGE for flags that do not go together. */
export async function chosenSession(
  { resume, continues, fork }: SessionChoice,
  host: Pick<SessionHost, 'list'>,
  startDirectory: string,
): Promise<SessionInfo | undefined> {
  if (resume !== undefined && continues)
    throw new HookdError(
      'USAGE',
      '--resume names a session and --continue takes the last one: give one of them.',
    );
  if (resume !== undefined) return byPrefix(resume, await host.list(), 'session', 'SESSION_UNKNOWN');
  if (continues) {
    const here = realPath(startDirectory);
    const last = (await host.list()).find(({ cwd, turns }) => cwd === here && turns > 0);
    if (last === undefined)
      throw new HookdError('SESSION_UNKNOWN', `No session was started in ${here} before.`);
    return last;
  }
  if (fork) throw new HookdError('USAGE', '--fork-session needs --resume ID or --continue.');
  return undefined;
}
