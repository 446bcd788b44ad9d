/** The files that are to be verified, cut into pieces, of which each thread takes the next that nobody has taken yet. */
import { statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { checkPiece, type Piece, type Stretch, type Wanted } from './check-piece.ts';
import type { SegmentFile } from './read.ts';

export interface PlannedFile {
  readonly path: string;
  /** Bytes. What is added meanwhile belongs to no piece. */
  readonly size: number;
  readonly wanted: Wanted;
}

/** What another thread is handed. */
export interface Errand {
  readonly files: readonly PlannedFile[];
  readonly pieceBytes: number;
  readonly shared: SharedArrayBuffer;
  /** For its findings. */
  readonly port: MessagePort;
}

export interface Finding {
  readonly index: number;
  readonly stretch: Stretch | undefined;
}

/** The files of a chain, as large as they are now. Throws a system error. */
export function planFiles(segments: readonly SegmentFile[], wanted: Wanted): readonly PlannedFile[] {
  return segments.map(({ path }) => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { path, size, wanted };
  });
}

/** What all threads share: how many pieces are taken, and how many others than the first thread have done. */
const [TAKEN, DONE] = [0, 1];
const COUNTERS = 2;
/** More than there are pieces of any log. */
const ALL = 2 ** 30;

/** Each thread makes its own, of the same files, over the same counters. Pieces go by their index in the whole list. */
export class PieceList {
  readonly length: number;
  readonly #files: readonly PlannedFile[];
  readonly #pieceBytes: number;
  readonly #counters: Int32Array;
  /** By piece: its file. By file: its first piece. */
  readonly #fileOf: Uint32Array;
  readonly #first: Uint32Array;

  constructor(files: readonly PlannedFile[], pieceBytes: number, shared: SharedArrayBuffer) {
    this.#files = files;
    this.#pieceBytes = pieceBytes;
    this.#counters = new Int32Array(shared);
    const counts = files.map(({ size }) => Math.ceil(size / pieceBytes));
    this.length = counts.reduce((sum, count) => sum + count, 0);
    this.#fileOf = new Uint32Array(this.length);
    this.#first = new Uint32Array(files.length);
    let index = 0;
    for (const [file, count] of counts.entries()) {
      this.#first[file] = index;
      this.#fileOf.fill(file, index, index + count);
      index += count;
    }
  }

  /** The counters of a new list, all at nothing. */
  static sharedCounters(): SharedArrayBuffer {
    return new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT);
  }

  /** The pieces of a file: from the first one to before the other. */
  range(file: number): readonly [number, number] {
    return [this.#first[file] ?? this.length, this.#first[file + 1] ?? this.length];
  }

  /** Takes the next piece: its index, which is not below `length` when all are taken. */
  take(): number {
    return Atomics.add(this.#counters, TAKEN, 1);
  }

  /** How many are taken; that many from the start. */
  get taken(): number {
    return Atomics.load(this.#counters, TAKEN);
  }

  /** Those before `index` are not needed any more; without an index, none is. */
  skipTo(index = ALL): void {
    for (let taken = this.taken; taken < index; taken = this.taken)
      if (Atomics.compareExchange(this.#counters, TAKEN, taken, index) === taken) return;
  }

  /** Undefined where there is nothing to be said of the piece, for whatever reason. */
  check(index: number): Stretch | undefined {
    try {
      return checkPiece(this.#at(index));
    } catch {
      // Said by who reads its lines.
      return undefined;
    }
  }

  /** How many pieces other threads have done. */
  get done(): number {
    return Atomics.load(this.#counters, DONE);
  }

  /** Called by another thread than the first: it has done one more, and told of it. */
  finish(): void {
    Atomics.add(this.#counters, DONE, 1);
    Atomics.notify(this.#counters, DONE);
  }

  /** Blocks until `done` is another number; false when after `ms` it still is this one. */
  wait(done: number, ms: number): boolean {
    return Atomics.wait(this.#counters, DONE, done, ms) !== 'timed-out';
  }

  #at(index: number): Piece {
    const number = this.#fileOf[index] ?? this.#files.length;
    const file = this.#files[number];
    if (file === undefined) throw new RangeError(`there is no piece ${index}`);
    const from = (index - (this.#first[number] ?? 0)) * this.#pieceBytes;
    const { path, size, wanted } = file;
    return { path, wanted, from, to: Math.min(size, from + this.#pieceBytes) };
  }
}
