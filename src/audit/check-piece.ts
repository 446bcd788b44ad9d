/**
 * Checks a piece of a file by itself, whatever stands before it: that its lines are sound records of which each follows
 * the one before. That is nearly all the work of verifying, and pieces can be checked in any order, by several threads.
 */
import { closeSync, readSync } from 'node:fs';
import type { Link } from './chain.ts';
import { claimedPlace, quickCheck } from './quick-check.ts';
import { openFile } from './read.ts';

const NEWLINE = 0x0a;
/** Room for the end of a piece's last line. */
const OVERHANG_BYTES = 64 * 1024;
/** A piece with a longer last line than fits into this is left to who reads lines. */
export const MOST_BYTES = 32 * 1024 * 1024;
/** From the end of a line, without its newline, to its hash. */
const HASH_FROM_END = 66;

/** The lines of a file that begin in the bytes from `from` to before `to`. */
export interface Piece {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly wanted: Wanted;
}

/** What to look out for: the numbers of records that others name, a hash that somebody has kept. */
export interface Wanted {
  readonly seqs: ReadonlySet<number>;
  readonly head: string | undefined;
}

/** Sound lines, each in its place after the one before: the first ones of a piece, up to what needs another look. */
export interface Stretch {
  /** The byte where the first line begins, and the one behind the last newline. */
  readonly begin: number;
  readonly end: number;
  readonly lines: number;
  /** The record that the first one says it follows. */
  readonly before: Link;
  readonly last: Link;
  /** Those of its records that are wanted. */
  readonly seen: readonly Link[];
}

/** Undefined where no line begins, or the first one needs another look. Throws a system error. */
export function checkPiece({ path, from, to, wanted }: Piece): Stretch | undefined {
  // The byte before tells whether a line begins at `from`.
  const base = Math.max(0, from - 1);
  const bytes = readBytes(path, base, to);
  const begin = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
  if (from > 0 && begin === 0) return undefined;
  const place = claimedPlace(bytes, begin);
  if (place === undefined) return undefined;
  const before = { seq: place.seq - 1, hash: hashAt(bytes, place.previous) };
  const seen: Link[] = [];
  let { previous } = place;
  let seq = before.seq;
  let at = begin;
  while (base + at < to) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end === -1) break;
    const hash = quickCheck(bytes, at, end, seq + 1, previous);
    if (hash === undefined) break;
    seq += 1;
    if (hash === wanted.head || (wanted.seqs.size > 0 && wanted.seqs.has(seq))) seen.push({ seq, hash });
    previous = end - HASH_FROM_END;
    at = end + 1;
  }
  if (seq === before.seq) return undefined;
  const last = { seq, hash: hashAt(bytes, previous) };
  return { begin: base + begin, end: base + at, lines: seq - before.seq, before, last, seen };
}

function hashAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 64);
}

let reused = Buffer.alloc(0);

/** The file's bytes from `base` to `to`, and on to the end of the line that stands there; fewer where the file ends before. */
function readBytes(path: string, base: number, to: number): Buffer {
  const length = to - base;
  if (reused.length < length + OVERHANG_BYTES) reused = Buffer.allocUnsafe(length + OVERHANG_BYTES);
  let bytes = reused;
  let filled = 0;
  const fd = openFile(path);
  try {
    for (;;) {
      const read = readSync(fd, bytes, filled, bytes.length - filled, base + filled);
      filled += read;
      const whole = bytes.subarray(0, filled);
      if (read === 0 || (filled >= length && whole.indexOf(NEWLINE, length - 1) !== -1)) return whole;
      if (filled < bytes.length) continue;
      // Either no line begins here, or its end is too far away.
      if (bytes.length >= MOST_BYTES || (base > 0 && whole.indexOf(NEWLINE) === -1)) return whole;
      bytes = Buffer.concat([bytes], 2 * bytes.length);
    }
  } finally {
    closeSync(fd);
  }
}
