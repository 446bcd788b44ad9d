/**
 * A regular file that is open for reading. Whatever may have to wait for a network or for another program is left to a
 * thread: this one serves all sessions. What lies on a disk is there sooner than a thread has woken up.
 */
import {
  type BigIntStats,
  close,
  closeSync,
  fstat,
  fstatSync,
  open,
  openSync,
  read,
  readSync,
} from 'node:fs';
import { promisify } from 'node:util';

const later = {
  open: promisify(open),
  close: promisify(close),
  stat: promisify(fstat),
  read: promisify(read),
};

/** So much of a file is read at once. */
const SMALL_BYTES = 64 * 1024;

/**
 * Whether its file system has a block device of its own. What the network, a program or the kernel itself makes up
 * has none: its device has the major number 0.
 */
export function isOnDisk(device: number | bigint): boolean {
  const number = BigInt(device);
  return process.platform === 'linux' && (((number >> 8n) & 0xfffn) !== 0n || number >> 44n !== 0n);
}

export class OpenedFile {
  readonly descriptor: number;
  /** As the file was before the first byte was read. */
  readonly stats: BigIntStats;
  #waits: boolean;
  #bytes = 0;
  #isClosed = false;

  private constructor(descriptor: number, stats: BigIntStats) {
    this.descriptor = descriptor;
    this.stats = stats;
    this.#waits = !isOnDisk(stats.dev) || stats.size > SMALL_BYTES;
  }

  /** `waits`: opening it may take as long as it likes. Throws a system error. */
  static async open(path: string, flags: number, waits: boolean): Promise<OpenedFile> {
    const descriptor = waits ? await later.open(path, flags) : openSync(path, flags);
    try {
      const bigint = { bigint: true } as const;
      const stats = waits ? await later.stat(descriptor, bigint) : fstatSync(descriptor, bigint);
      return new OpenedFile(descriptor, stats);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** Goes on where the last one ended; 0 at the end of the file. Throws a system error. */
  async read(into: Buffer): Promise<number> {
    const bytes = this.#waits
      ? (await later.read(this.descriptor, into, 0, into.length, null)).bytesRead
      : readSync(this.descriptor, into);
    // It may grow as fast as we read.
    this.#bytes += bytes;
    this.#waits ||= this.#bytes > SMALL_BYTES;
    return bytes;
  }

  /** Once: its number may mean another file by then. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (isOnDisk(this.stats.dev)) closeSync(this.descriptor);
    else await later.close(this.descriptor);
  }
}
