/** Where files lie that live for a moment: in memory where the system has a place for them, since disks take their time. */
import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED_MEMORY = '/dev/shm';
let isUsable: boolean | undefined;

/**
 * What `make` makes in a directory for such files. Memory that is full (whoever may write there can fill it) is no reason
 * to fail: then it is made where temporary files are. Throws what `make` threw there.
 */
export async function madeForAMoment<Made>(make: (directory: string) => Made | Promise<Made>): Promise<Made> {
  isUsable ??= isSafePlace(SHARED_MEMORY);
  if (isUsable) {
    try {
      return await make(SHARED_MEMORY);
    } catch {
      // Said below, should the other place fail as well.
    }
  }
  return await make(tmpdir());
}

/** Writable, and nobody can put another file in the place of one of ours. */
export function isSafePlace(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    const { mode, uid } = statSync(directory);
    const isOthers = uid !== 0 && uid !== process.getuid?.();
    return !isOthers && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
  } catch {
    return false;
  }
}
