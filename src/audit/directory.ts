/** The audit directory itself: ours alone, and no link: what `$HOOKD_HOME/audit` names must lie in $HOOKD_HOME. */
import { closeSync, constants, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../core/errors.ts';
import { unavailable } from './segment.ts';

/** Makes it where it is missing and closes it to others (0700). Throws a system error, or one that says it is a link. */
function secureDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const fd = openItself(path);
  try {
    // By the descriptor, not by the path: it must not reach what somebody has put there meanwhile.
    fchmodSync(fd, 0o700);
  } finally {
    closeSync(fd);
  }
}

/** Makes a chain's directory, which must be new, in one that is closed to others. Throws AUDIT_UNAVAILABLE. */
export function createDirectory(path: string): void {
  try {
    secureDirectory(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw unavailable('create', path, error);
  }
}

function openItself(path: string): number {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (!['ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
    throw new Error(`${path} is not a directory itself; the audit log is kept behind no link`, {
      cause: error,
    });
  }
}
