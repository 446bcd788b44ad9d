/**
 * Reads chains from their end, block by block: the newest records of a log of any size cost what they are, not what the
 * log is. Each record comes once, also where a segment repeats what was not durable in the one before.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { bodyDigest, hashOf, openLine, type StoredRecord } from './chain.ts';
import { openFile, readLines, type SegmentFile } from './read.ts';
import { bodiesAfterFirst } from './successor.ts';

const FIRST_BLOCK_BYTES = 64 * 1024;
const BLOCK_BYTES = 1024 * 1024;
/** No record is as long as this: a file without line ends is not read into memory whole. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface Found {
  readonly record: StoredRecord;
  /** The line as it stands in the file, without its newline. */
  readonly bytes: Buffer;
  readonly path: string;
}

/** The complete lines of a file before byte `end`, the last one first. The file is not held open meanwhile. */
function* linesBack(path: string, end = sizeOf(path)): Generator<Buffer> {
  /** The line whose beginning is still to come, in pieces; the bytes after the last newline are none. */
  let pieces: Buffer[] = [];
  let bytesBegun = 0;
  let isTorn = true;
  let block = FIRST_BLOCK_BYTES;
  for (let position = end; position > 0; ) {
    const bytes = readBefore(path, position, block);
    if (bytes.length === 0) return;
    position -= bytes.length;
    block = Math.min(2 * block, BLOCK_BYTES);
    let stop = bytes.length;
    while (stop > 0) {
      const newline = bytes.subarray(0, stop).lastIndexOf(NEWLINE);
      if (newline === -1) break;
      if (!isTorn) yield Buffer.concat([bytes.subarray(newline + 1, stop), ...pieces]);
      isTorn = false;
      pieces = [];
      bytesBegun = 0;
      stop = newline;
    }
    pieces.unshift(bytes.subarray(0, stop));
    bytesBegun += stop;
    if (bytesBegun > LONGEST_LINE) throw new Error(`it has a line of more than ${LONGEST_LINE} bytes`);
  }
  if (!isTorn) yield Buffer.concat(pieces);
}

function sizeOf(path: string): number {
  const fd = openFile(path);
  try {
    return fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
}

/** Up to `most` bytes that end where `position` is; none when the file has become shorter. */
function readBefore(path: string, position: number, most: number): Buffer {
  const fd = openFile(path);
  try {
    const bytes = Buffer.allocUnsafe(Math.min(most, position));
    const start = position - bytes.length;
    for (let read = 0; read < bytes.length; ) {
      const length = readSync(fd, bytes, read, bytes.length - read, start + read);
      if (length === 0) return bytes.subarray(0, 0);
      read += length;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/** Where the last complete line of a file ends. */
export function endOfLines(path: string): number {
  const size = sizeOf(path);
  for (let position = size; position > 0; ) {
    const bytes = readBefore(path, position, FIRST_BLOCK_BYTES);
    if (bytes.length === 0) return 0;
    const newline = bytes.lastIndexOf(NEWLINE);
    if (newline !== -1) return position - bytes.length + newline + 1;
    position -= bytes.length;
  }
  return 0;
}

export interface ReadOptions {
  /** Where to begin in a file; undefined: at its end. */
  readonly endOf?: (path: string) => number | undefined;
  /** Looks at a line's bytes before it is checked and parsed: false leaves it out. */
  readonly mayFit: (bytes: Buffer) => boolean;
  /** Called for a line that is no sound record. */
  readonly onUnsound: (path: string) => void;
  /** Called for a file that cannot be read; reading goes on with the one before it. */
  readonly onUnread: (path: string, error: unknown) => void;
}

/** The sound records of a chain, the newest first. */
export function* chainBack(segments: readonly SegmentFile[], options: ReadOptions): Generator<Found> {
  let again: Again | undefined;
  for (const { path } of segments.toReversed()) {
    try {
      for (const bytes of linesBack(path, options.endOf?.(path))) {
        if (again?.hash === hashOf(bytes)) again = undefined;
        if (!options.mayFit(bytes) || again?.bodies.has(bodyDigest(bytes)) === true) continue;
        const opened = openLine(bytes);
        if (opened.ok) yield { record: opened.record, bytes, path };
        else options.onUnsound(path);
      }
      again = repeatedBy(path) ?? again;
    } catch (error) {
      options.onUnread(path, error);
    }
  }
}

/** What a segment repeats of those before it, and the record after which that begins. */
interface Again {
  readonly hash: string;
  readonly bodies: ReadonlySet<string>;
}

function repeatedBy(path: string): Again | undefined {
  for (const line of readLines(path)) {
    const opened = openLine(line.bytes);
    if (!opened.ok || opened.record.kind !== 'segment_started') return undefined;
    const { after, repeated } = opened.record;
    if (typeof after !== 'string' || typeof repeated !== 'number' || repeated < 1) return undefined;
    return { hash: after, bodies: new Set(bodiesAfterFirst(path, repeated)) };
  }
  return undefined;
}
