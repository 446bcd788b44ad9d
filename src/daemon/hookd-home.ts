/** Where a user's hookd lives: from the environment, and from nothing that a project could choose. */
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { HookdError } from '../core/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** $HOOKD_HOME: settings, audit, keys of one user. */
export function hookdHomeOf(env: Environment): string {
  const given = env['HOOKD_HOME'];
  if (given === undefined) return join(homeOf(env), '.hookd');
  if (isAbsolute(given)) return resolve(given);
  throw new HookdError(
    'USAGE',
    `HOOKD_HOME must be an absolute path, not ${JSON.stringify(given)}: a directory that depends on where hookd starts would give a project the authority of its user.`,
  );
}

export function auditDirectoryOf(hookdHome: string): string {
  return join(hookdHome, 'audit');
}

/** What is not absolute would begin in the project: then it is the system's own entry that counts. */
export function homeOf(env: Environment): string {
  const given = env['HOME'];
  if (given !== undefined && isAbsolute(given)) return resolve(given);
  try {
    const { homedir } = userInfo();
    if (isAbsolute(homedir)) return resolve(homedir);
  } catch {
    // a user without an entry: said below
  }
  throw new HookdError('USAGE', 'There is no home directory: set HOME to an absolute path.');
}
