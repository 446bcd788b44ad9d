/** Replaces a small private file so that a reader, and a process that is killed, sees the old or the new one, whole. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** 0600 in a 0700 directory. Not flushed: what must survive a power loss is written elsewhere. Throws a system error. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // What a killed process, or somebody else, has put there is not written into: it may be a link, or a named pipe.
  const write = () => {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
  };
  try {
    write();
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    write();
  }
  renameSync(temporary, path);
}
