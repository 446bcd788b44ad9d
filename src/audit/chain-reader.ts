/**
 * Reads a chain while it is written, for sinks: whole lines, in order, only what counts. It reads the files and keeps no
 * record, so that a slow sink costs no memory.
 */
import { closeSync, readSync } from 'node:fs';
import { type Link, NO_PREVIOUS } from './chain.ts';
import { openFile } from './read.ts';

/** One file of a chain, and how many of its bytes count: up to the last durable record. */
export interface Extent {
  readonly path: string;
  readonly bytes: number;
}

export interface Lines {
  readonly bytes: Buffer;
  /** The last of them. */
  readonly last: Link;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const PLACE = /^\{"v":1,"seq":(\d+),"prev":"([0-9a-f]{64})",/;
const PLACE_BYTES = 128;
const HASH = /"hash":"([0-9a-f]{64})"\}\n$/;
const HASH_BYTES = 76;

interface Position {
  /** Which extent, and the byte in it. */
  readonly index: number;
  readonly offset: number;
  /** The record before. */
  readonly last: Link;
}

const BEGIN: Position = { index: 0, offset: 0, last: { seq: 0, hash: NO_PREVIOUS } };

export class ChainReader {
  readonly #extents: () => readonly Extent[];
  #at: Position = BEGIN;
  /** Where `goBack` leads. */
  #kept: Position = BEGIN;
  /** Of the file that is read. */
  #fd: number | undefined;

  /** `extents` grow, in number and in bytes. */
  constructor(extents: () => readonly Extent[]) {
    this.#extents = extents;
  }

  /** The next lines, about a quarter of a megabyte; undefined when all that counts was read. Throws where the files are not what was written. */
  next(): Lines | undefined {
    for (;;) {
      const extents = this.#extents();
      const { index, offset, last } = this.#at;
      const extent = extents[index];
      if (extent === undefined) return undefined;
      if (offset < extent.bytes) return this.#read(extent);
      if (index + 1 >= extents.length) return undefined;
      this.close();
      this.#at = { index: index + 1, offset: 0, last };
    }
  }

  /** What was read is taken: `goBack` leads here from now on. */
  keep(): void {
    this.#kept = this.#at;
  }

  goBack(): void {
    this.close();
    this.#at = this.#kept;
  }

  /** From the beginning again. */
  rewind(): void {
    this.close();
    this.#at = BEGIN;
    this.#kept = BEGIN;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #read({ path, bytes: end }: Extent): Lines {
    this.#fd ??= openFile(path);
    const { index, offset } = this.#at;
    for (let size = CHUNK_BYTES; ; size *= 2) {
      const wanted = Math.min(size, end - offset);
      const buffer = Buffer.allocUnsafe(wanted);
      const length = readSync(this.#fd, buffer, 0, wanted, offset);
      const whole = buffer.subarray(0, buffer.subarray(0, length).lastIndexOf(NEWLINE) + 1);
      if (whole.length === 0 && length === wanted && wanted < end - offset) continue;
      const last = this.#linked(whole);
      if (last === undefined) throw new Error(`${path} is not what was written`);
      this.#at = { index, offset: offset + whole.length, last };
      return { bytes: whole, last };
    }
  }

  /** The last record of `lines`, when the first one follows what was read before. */
  #linked(lines: Buffer): Link | undefined {
    if (lines.length === 0) return undefined;
    const first = placeAt(lines, 0);
    if (first?.prev !== this.#at.last.hash || first.seq !== this.#at.last.seq + 1) return undefined;
    const start = lines.subarray(0, lines.length - 1).lastIndexOf(NEWLINE) + 1;
    const seq = placeAt(lines, start)?.seq;
    const hash = HASH.exec(lines.subarray(-HASH_BYTES).toString('latin1'))?.[1];
    return seq === undefined || hash === undefined ? undefined : { seq, hash };
  }
}

function placeAt(lines: Buffer, start: number): { seq: number; prev: string } | undefined {
  const place = PLACE.exec(lines.subarray(start, start + PLACE_BYTES).toString('latin1'));
  return place === null ? undefined : { seq: Number(place[1]), prev: String(place[2]) };
}
