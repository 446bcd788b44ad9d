/** Reads some lines of a file of any size: memory is bounded by what may be returned, not by what the file holds. */
import { isUtf8 } from 'node:buffer';
import type { OpenedFile } from './opened-file.ts';

const CHUNK_BYTES = 64 * 1024;
/** How far we look past the selection to count the lines there. */
const COUNTED_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export type Selection =
  /**
   * `more` counts the lines after the selection; null where there are more than we counted. `newlines` is their number
   * in the file, as far as we counted.
   */
  | { readonly kind: 'text'; readonly text: string; readonly more: number | null; readonly newlines: number }
  | { readonly kind: 'pastEnd'; readonly lines: number }
  | { readonly kind: 'tooLarge'; readonly oneLine: boolean }
  | { readonly kind: 'binary' }
  | { readonly kind: 'notUtf8' }
  | { readonly kind: 'interrupted' };

export interface Wanted {
  /** The first line, counted from 1. */
  readonly offset: number;
  /** How many lines; all when undefined. */
  readonly limit: number | undefined;
  readonly maxBytes: number;
}

export async function selectLines(file: OpenedFile, wanted: Wanted, signal: AbortSignal): Promise<Selection> {
  const end = wanted.offset + (wanted.limit ?? Number.POSITIVE_INFINITY);
  const selected: Buffer[] = [];
  let selectedBytes = 0;
  let bytesAfter = 0;
  /** The line that the next byte belongs to. */
  let line = 1;
  let endsInLine = false;
  let room = Buffer.allocUnsafe(firstChunk(file.stats.size));

  for (;;) {
    if (signal.aborted) return { kind: 'interrupted' };
    // A new buffer when one is full, since parts of it are kept.
    if (room.length === 0) room = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytesRead = await file.read(room);
    if (bytesRead === 0) break;
    const chunk = room.subarray(0, bytesRead);
    room = room.subarray(bytesRead);
    if (chunk.includes(0)) return { kind: 'binary' };
    endsInLine = chunk[bytesRead - 1] !== NEWLINE;

    let from = bytesRead;
    let to = 0;
    for (let position = 0; position < bytesRead; ) {
      const newline = chunk.indexOf(NEWLINE, position);
      const next = newline === -1 ? bytesRead : newline + 1;
      if (line >= wanted.offset && line < end) {
        from = Math.min(from, position);
        to = next;
        selectedBytes += next - position;
        if (selectedBytes > wanted.maxBytes) return { kind: 'tooLarge', oneLine: line === wanted.offset };
      }
      if (newline !== -1) line += 1;
      position = next;
    }
    if (from < to) selected.push(chunk.subarray(from, to));
    if (line >= end) bytesAfter += bytesRead;
    if (bytesAfter > COUNTED_BYTES) return decoded(selected, null, line - 1);
  }
  const lines = endsInLine ? line : line - 1;
  if (lines < wanted.offset && lines > 0) return { kind: 'pastEnd', lines };
  return decoded(selected, Math.max(0, lines - (end - 1)), line - 1);
}

/** Room for the whole of a small file, and a byte in which to see that it has ended; some that are not empty say 0. */
function firstChunk(size: bigint): number {
  return size === 0n || size >= CHUNK_BYTES ? CHUNK_BYTES : Number(size) + 1;
}

/** Whole lines: no character is cut, since no multi-byte character of UTF-8 holds the byte of a newline. */
function decoded(selected: readonly Buffer[], more: number | null, newlines: number): Selection {
  const bytes = Buffer.concat(selected);
  return isUtf8(bytes) ? { kind: 'text', text: bytes.toString(), more, newlines } : { kind: 'notUtf8' };
}
