/**
 * Reads what lies in the audit directory: writers, their segments in order, complete lines. Bytes after the last
 * newline are not a line yet. Anything may lie there: nothing is opened that could make us wait, no link is followed.
 */
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';
import { openLine, type StoredRecord } from './chain.ts';
import { segmentNumber } from './segment.ts';

const CHUNK_BYTES = 1024 * 1024;
const FIRST_CHUNK_BYTES = 64 * 1024;
/** A first guess at how much of a file's end holds the lines that are wanted; doubled until it does. */
const TAIL_BYTES = 4 * 1024;
/** No record is as long as this: a file without line ends is not read into memory whole. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface SegmentFile {
  readonly path: string;
  readonly number: number;
}

/** Names of the chains under an audit directory, oldest first; none when there is no directory. */
export function listWriters(auditDirectory: string): readonly string[] {
  return readDirectory(auditDirectory)
    .filter((entry) => entry.isDirectory() && !isForeign(entry.name))
    .map((entry) => entry.name)
    .sort();
}

export function listSegments(writerDirectory: string): readonly SegmentFile[] {
  return readDirectory(writerDirectory)
    .flatMap((entry) => {
      const number = segmentNumber(entry.name);
      return number === undefined ? [] : [{ path: join(writerDirectory, entry.name), number }];
    })
    .sort((a, b) => a.number - b.number);
}

/** What file systems and file managers put into directories; no chain has such a name. */
export function isForeign(name: string): boolean {
  return name === 'lost+found' || name.startsWith('.');
}

export function readDirectory(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Throws a system error, or one that says that it is no file. */
export function openFile(path: string): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error('it is not a regular file');
}

/** Why something in the audit directory could not be read, as the end of a sentence that begins with its path. */
export function whyUnread(error: unknown): string {
  const code = systemCode(error);
  if (code === 'ELOOP') return 'is a link, not the file itself';
  return `cannot be read: ${code ?? messageOf(error)}`;
}

export interface Line {
  readonly bytes: Buffer;
  /** Counts from 1. */
  readonly number: number;
}

/**
 * The complete lines from byte `offset` on, before which there are `before` of them, without their newlines; returns
 * where the next line will begin.
 */
export function* readLines(
  path: string,
  offset = 0,
  before = 0,
): Generator<Line, { end: number; torn: number }> {
  const fd = openFile(path);
  try {
    let chunk = Buffer.allocUnsafe(FIRST_CHUNK_BYTES);
    /** The begun line, in pieces. */
    let begun: Buffer[] = [];
    let begunBytes = 0;
    let position = offset;
    let number = before;
    for (;;) {
      const length = readSync(fd, chunk, 0, chunk.length, position);
      if (length === 0) return { end: position - begunBytes, torn: begunBytes };
      position += length;
      const bytes = chunk.subarray(0, length);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        const rest = bytes.subarray(start, end);
        yield { bytes: begun.length === 0 ? rest : Buffer.concat([...begun, rest]), number };
        begun = [];
        begunBytes = 0;
        start = end + 1;
      }
      if (start < length) begun.push(bytes.subarray(start));
      begunBytes += length - start;
      if (begunBytes > LONGEST_LINE) throw new Error(`it has a line of more than ${LONGEST_LINE} bytes`);
      // The begun line keeps the old chunk.
      chunk = Buffer.allocUnsafe(Math.min(2 * chunk.length, CHUNK_BYTES));
    }
  } finally {
    closeSync(fd);
  }
}

/** The records of one file, in order; lines that are not sound records are left out (`verify` names them). */
export function* readRecords(path: string): Generator<StoredRecord> {
  for (const line of readLines(path)) {
    const opened = openLine(line.bytes);
    if (opened.ok) yield opened.record;
  }
}

/** The first sound record of a chain. */
export function firstOf(segments: readonly SegmentFile[]): StoredRecord | undefined {
  for (const { path } of segments) for (const record of readRecords(path)) return record;
  return undefined;
}

/** The last sound record of a chain, read from the end of its last segment. */
export function lastOf(
  segments: readonly SegmentFile[],
): { readonly record: StoredRecord; readonly path: string } | undefined {
  for (const { path } of segments.toReversed()) {
    const record = lastRecords(path, 1).records[0];
    if (record !== undefined) return { record, path };
  }
  return undefined;
}

/** The last `count` sound records of one file, oldest first, and the byte after its last complete line. */
export function lastRecords(path: string, count: number): { records: readonly StoredRecord[]; end: number } {
  const fd = openFile(path);
  try {
    const size = fstatSync(fd).size;
    for (let length = TAIL_BYTES; ; length *= 2) {
      const start = Math.max(0, size - length);
      const bytes = Buffer.allocUnsafe(size - start);
      const read = readSync(fd, bytes, 0, bytes.length, start);
      const end = bytes.subarray(0, read).lastIndexOf(NEWLINE) + 1;
      const firstWhole = start === 0 ? 0 : bytes.subarray(0, end).indexOf(NEWLINE) + 1;
      const records = soundFromEnd(bytes.subarray(firstWhole, end), count);
      const isAll = start === 0 || length >= LONGEST_LINE;
      if (records.length >= count || isAll) return { records, end: start + end };
    }
  } finally {
    closeSync(fd);
  }
}

/** `lines` ends with a newline, or is empty. */
function soundFromEnd(lines: Buffer, count: number): readonly StoredRecord[] {
  const records: StoredRecord[] = [];
  for (let end = lines.length - 1; end > 0 && records.length < count; ) {
    const start = lines.subarray(0, end).lastIndexOf(NEWLINE) + 1;
    const opened = openLine(lines.subarray(start, end));
    if (opened.ok) records.push(opened.record);
    end = start - 1;
  }
  return records.reverse();
}

/** A small file whole, cut at one chunk; undefined when there is none that can be read. */
export function readSmallFile(path: string): string | undefined {
  try {
    const fd = openFile(path);
    try {
      const bytes = Buffer.alloc(FIRST_CHUNK_BYTES);
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString('utf8');
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Makes durable what another process has written to a file; true when it is. */
export function syncFile(path: string): boolean {
  try {
    const fd = openFile(path);
    try {
      fdatasyncSync(fd);
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
