/** Where files lie that live for a moment: in memory where the system has a place for them, since disks take their time. */
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED_MEMORY = '/dev/shm';
let isUsable: boolean | undefined;

export function momentaryDirectory(): string {
  isUsable ??= mayWriteIn(SHARED_MEMORY);
  return isUsable ? SHARED_MEMORY : tmpdir();
}

function mayWriteIn(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
