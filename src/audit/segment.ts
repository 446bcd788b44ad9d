/**
 * One open audit file. It is only ever appended to; each check compares what is open with what lies at its path,
 * so that a file which was removed, replaced, truncated or written to by somebody else is noticed.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HookdError, messageOf, systemCode } from '../core/errors.ts';

const syncData = promisify(fdatasync);

export function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}.jsonl`;
}

export function segmentNumber(name: string): number | undefined {
  const digits = /^(\d{6,})\.jsonl$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export class Segment {
  readonly path: string;
  readonly #fd: number;
  readonly #device: bigint;
  readonly #inode: bigint;
  #size = 0;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
    const stats = fstatSync(fd, { bigint: true });
    this.#device = stats.dev;
    this.#inode = stats.ino;
  }

  /** Creates the file (it must not exist) and makes its name durable. Throws AUDIT_UNAVAILABLE. */
  static create(directory: string, number: number): Segment {
    const path = join(directory, segmentName(number));
    try {
      const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
      const fd = openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_NOFOLLOW, 0o600);
      syncDirectory(directory);
      return new Segment(path, fd);
    } catch (error) {
      throw unavailable('create', path, error);
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Returns when the bytes have been handed to the kernel: they survive the death of this process. Throws AUDIT_UNAVAILABLE. */
  append(bytes: Buffer): void {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      throw unavailable('write', this.path, error);
    }
    this.#size += bytes.length;
  }

  /** Resolves when all bytes appended so far survive a power loss. */
  async sync(): Promise<void> {
    try {
      await syncData(this.#fd);
    } catch (error) {
      throw unavailable('sync', this.path, error);
    }
  }

  /** Throws AUDIT_TAMPERED unless the open file is the one at its path, with the size that we gave it. */
  check(): void {
    const open = fstatSync(this.#fd, { bigint: true });
    let named: { dev: bigint; ino: bigint };
    try {
      named = statSync(this.path, { bigint: true });
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw tampered(this.path, 'was removed');
      throw unavailable('look at', this.path, error);
    }
    if (open.nlink === 0n || named.dev !== this.#device || named.ino !== this.#inode)
      throw tampered(this.path, 'was replaced');
    if (open.size !== BigInt(this.#size)) {
      throw tampered(this.path, `has ${open.size} bytes where ${this.#size} were written`);
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export function syncDirectory(directory: string): void {
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function unavailable(act: string, path: string, error: unknown): HookdError {
  return new HookdError('AUDIT_UNAVAILABLE', `The audit log cannot ${act} ${path}: ${messageOf(error)}.`, {
    cause: error,
  });
}

function tampered(path: string, what: string): HookdError {
  return new HookdError('AUDIT_TAMPERED', `The audit file ${path} ${what} while it was open.`);
}
