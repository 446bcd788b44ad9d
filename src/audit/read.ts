/** Reads what lies in the audit directory: writers, their segments in order, complete lines. Bytes after the last newline are not a line yet. */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../core/errors.ts';
import { openLine, type StoredRecord } from './chain.ts';
import { segmentNumber } from './segment.ts';

const CHUNK_BYTES = 1024 * 1024;
/** A first guess at how much of a file's end holds the lines that are wanted; doubled until it does. */
const TAIL_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export interface SegmentFile {
  readonly path: string;
  readonly number: number;
}

/** Names of the chains under an audit directory, oldest first; none when there is no directory. */
export function listWriters(auditDirectory: string): readonly string[] {
  return readDirectory(auditDirectory)
    .filter((entry) => entry.isDirectory())
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

function readDirectory(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export interface Line {
  readonly bytes: Buffer;
  /** Counts from 1. */
  readonly number: number;
}

/** The complete lines from byte `offset` on, without their newlines; returns where the next line will begin. */
export function* readLines(path: string, offset = 0): Generator<Line, { end: number; torn: number }> {
  const fd = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    let position = offset;
    let number = 0;
    for (;;) {
      const length = readSync(fd, chunk, 0, CHUNK_BYTES, position);
      if (length === 0) return { end: position - rest.length, torn: rest.length };
      position += length;
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        yield { bytes: bytes.subarray(start, end), number };
        start = end + 1;
      }
      rest = bytes.subarray(start);
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

export function firstRecord(path: string): StoredRecord | undefined {
  for (const record of readRecords(path)) return record;
  return undefined;
}

/** The last complete record of a chain, read from the end of its last segment. */
export function lastRecord(writerDirectory: string): StoredRecord | undefined {
  for (const segment of listSegments(writerDirectory).toReversed()) {
    const record = lastRecords(segment.path, 1).records[0];
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The last `count` sound records of one file, oldest first, and the byte after its last complete line. */
export function lastRecords(path: string, count: number): { records: readonly StoredRecord[]; end: number } {
  const fd = openSync(path, 'r');
  try {
    const size = fstatSync(fd).size;
    for (let length = TAIL_BYTES; ; length *= 2) {
      const start = Math.max(0, size - length);
      const bytes = Buffer.alloc(size - start);
      const read = readSync(fd, bytes, 0, bytes.length, start);
      const end = bytes.subarray(0, read).lastIndexOf(NEWLINE) + 1;
      const lines = splitLines(bytes.subarray(0, end));
      const complete = start === 0 ? lines : lines.slice(1);
      if (complete.length < count && start > 0) continue;
      const records = complete.slice(-count).map(openLine);
      return { records: records.flatMap((opened) => (opened.ok ? [opened.record] : [])), end: start + end };
    }
  } finally {
    closeSync(fd);
  }
}

function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}
