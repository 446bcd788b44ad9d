/**
 * One open audit file. It is only ever appended to; each check compares what is open with what lies at its path,
 * so that a file which was removed, replaced, truncated or written to by somebody else is noticed.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HookdError, messageOf, systemCode } from '../core/errors.ts';

const syncData = promisify(fdatasync);

export function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}.jsonl`;
}

/** The number of a segment's file name; undefined for every other name: one number has one name. */
export function segmentNumber(name: string): number | undefined {
  const digits = /^(\d{6,})\.jsonl$/.exec(name)?.[1];
  const number = Number(digits);
  return digits !== undefined && name === segmentName(number) ? number : undefined;
}

export class Segment {
  readonly path: string;
  readonly #fd: number;
  readonly #device: bigint;
  readonly #inode: bigint;
  #size = 0;
  #syncs = 0;
  #closed = false;
  /** What came of a write of ours that failed: a part of it may stand in the file. */
  #failure: HookdError | undefined;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
    const stats = fstatSync(fd, { bigint: true });
    this.#device = stats.dev;
    this.#inode = stats.ino;
  }

  /** Creates the file (it must not exist) and makes its name durable; a failure leaves neither descriptor nor file. Throws AUDIT_UNAVAILABLE. */
  static create(directory: string, number: number): Segment {
    const path = join(directory, segmentName(number));
    const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
    let fd: number | undefined;
    try {
      fd = openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_NOFOLLOW, 0o600);
      const segment = new Segment(path, fd);
      syncDirectory(directory);
      return segment;
    } catch (error) {
      if (fd !== undefined) takeBack(fd, path);
      throw unavailable('create', path, error);
    }
  }

  /** Creates the next file; a number that is taken (by somebody else, or by an attempt that could not be taken back) is left out. */
  static createAfter(directory: string, last: number): { segment: Segment; number: number } {
    for (let number = last + 1; ; number++) {
      try {
        return { segment: Segment.create(directory, number), number };
      } catch (error) {
        const isTaken = error instanceof HookdError && systemCode(error.cause) === 'EEXIST';
        if (!isTaken) throw error;
      }
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Returns when the bytes have been handed to the kernel: they survive the death of this process. Throws AUDIT_UNAVAILABLE. */
  append(bytes: Buffer): void {
    this.#refuseWhenClosed('write');
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      this.#failure = unavailable('write', this.path, error);
      throw this.#failure;
    }
    this.#size += bytes.length;
  }

  /** Resolves when all bytes appended so far survive a power loss. */
  async sync(): Promise<void> {
    this.#refuseWhenClosed('sync');
    this.#syncs += 1;
    try {
      await syncData(this.#fd);
    } catch (error) {
      throw unavailable('sync', this.path, error);
    } finally {
      this.#syncs -= 1;
      if (this.#closed && this.#syncs === 0) quietly(() => closeSync(this.#fd));
    }
  }

  /** As `sync`, at once. Not while a sync is under way: the system tells one of the two that it failed. Throws AUDIT_UNAVAILABLE. */
  syncNow(): void {
    this.#refuseWhenClosed('sync');
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      throw unavailable('sync', this.path, error);
    }
  }

  /**
   * Throws AUDIT_TAMPERED unless the open file is the one at its path, with the size that we gave it; AUDIT_UNAVAILABLE
   * where what is too much may be of a write of ours.
   */
  check(): void {
    this.#refuseWhenClosed('look at');
    const open = fstatSync(this.#fd, { bigint: true });
    let named: { dev: bigint; ino: bigint };
    try {
      named = lstatSync(this.path, { bigint: true });
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw tampered(this.path, 'was removed');
      throw unavailable('look at', this.path, error);
    }
    if (open.nlink === 0n || named.dev !== this.#device || named.ino !== this.#inode)
      throw tampered(this.path, 'was replaced');
    if (open.size > BigInt(this.#size) && this.#failure !== undefined) throw this.#failure;
    if (open.size !== BigInt(this.#size)) {
      throw tampered(this.path, `has ${open.size} bytes where ${this.#size} were written`);
    }
  }

  /**
   * Gives the descriptor back, once, and not before the syncs that use it have ended: its number may belong to
   * another file a moment later.
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // What mattered is durable or was written again elsewhere: a failing close has nothing left to say.
    if (this.#syncs === 0) quietly(() => closeSync(this.#fd));
  }

  #refuseWhenClosed(act: string): void {
    if (this.#closed) throw unavailable(act, this.path, 'it is closed');
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

function takeBack(fd: number, path: string): void {
  quietly(() => closeSync(fd));
  quietly(() => rmSync(path));
}

export function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Called where another failure is being reported already, or where nothing depends on the act.
  }
}

function tampered(path: string, what: string): HookdError {
  return new HookdError('AUDIT_TAMPERED', `The audit file ${path} ${what} while it was open.`);
}
