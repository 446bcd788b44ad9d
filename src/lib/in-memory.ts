/** Where files lie that live for a moment: in memory where the system has a place for them, since disks take their time. */
import { accessSync, constants, lstatSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn } from './names-in.ts';

const SHARED_MEMORY = '/dev/shm';
/** How all such names begin. */
export const OURS = 'hookd-moment-';
/** What lives for a moment lives for a few milliseconds, on a machine that stands still for some seconds. */
const LEFT_AFTER_MS = 10 * 60_000;
let isUsable: boolean | undefined;

/**
 * What `make` makes in a directory for such files. Memory that is full (whoever may write there can fill it) is no reason
 * to fail: then it is made where temporary files are. Throws what `make` threw there.
 */
export async function madeForAMoment<Made>(make: (directory: string) => Made | Promise<Made>): Promise<Made> {
  if (isUsable === undefined) {
    isUsable = isSafePlace(SHARED_MEMORY);
    // Nobody else empties this place.
    if (isUsable) removeLeft(SHARED_MEMORY, Date.now());
  }
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

/** Removes what processes that were killed (kill -9) have left there of ours. What cannot be removed stays. */
export function removeLeft(directory: string, now: number): void {
  for (const name of namesIn(directory)) {
    if (!name.startsWith(OURS)) continue;
    const path = join(directory, name);
    try {
      const { uid, mtimeMs } = lstatSync(path);
      if (uid === process.getuid?.() && now - mtimeMs > LEFT_AFTER_MS)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else has removed it.
    }
  }
}
