/** Replaces a small private file so that a reader, and a process that is killed, sees the old or the new one, whole. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** 0600 in a 0700 directory. Not flushed: what must survive a power loss is written elsewhere. Throws a system error. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const write = () => writeFileSync(temporary, text, { mode: 0o600 });
  try {
    write();
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    write();
  }
  renameSync(temporary, path);
}
