/** Appends to a file that others read meanwhile: all of a text or nothing of it. */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const NEWLINE = 0x0a;

/** Where a file ended when we had written to it. */
interface End {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
}

/** We must be the only writer. Opened each time: it is begun anew where somebody removed it. */
export class WholeAppender {
  readonly #path: string;
  #end: End | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Makes the file (0600) and its directories (0700) where they are missing. `lines` ends with a newline; where a crash
   * left half a line, a newline is put after it first. Throws a system error; what was half written is then taken back.
   */
  append(lines: string): void {
    const fd = openOrMake(this.#path);
    try {
      const { dev: device, ino: inode, size } = fstatSync(fd);
      const endsLine = isSame(this.#end, { device, inode, size }) || endsWithNewline(fd, size);
      const bytes = Buffer.from(lines === '' || endsLine ? lines : `\n${lines}`);
      this.#end = undefined;
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
      } catch (error) {
        ftruncateSync(fd, size);
        throw error;
      }
      if (endsLine || bytes.length > 0) this.#end = { device, inode, size: size + bytes.length };
    } finally {
      closeSync(fd);
    }
  }
}

function isSame(one: End | undefined, other: End): boolean {
  return one?.size === other.size && one.inode === other.inode && one.device === other.device;
}

function openOrMake(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const open = () => openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    return open();
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return open();
  }
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
}
