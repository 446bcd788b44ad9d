/**
 * Checks chains: each record's own hash, its place after the one before, its number, that no segment is missing, and
 * that every chain named by another one is there and holds the named record.
 * What it cannot see without a head kept elsewhere: records cut from the end of a chain whose writer is gone.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NO_PREVIOUS, openLine } from './chain.ts';
import { firstRecord, type Line, listSegments, listWriters, readLines, type SegmentFile } from './read.ts';
import { segmentName } from './segment.ts';

export interface Problem {
  readonly file: string;
  /** Counts from 1; 0 when it is about the file as a whole. */
  readonly line: number;
  readonly message: string;
}

export interface ChainReport {
  readonly writer: string;
  readonly records: number;
  readonly segments: number;
  readonly head: string | undefined;
  /** The first fault; nothing after it was looked at. */
  readonly problem: Problem | undefined;
  /** What is in order but worth knowing: a torn last line, records that were written again elsewhere. */
  readonly notes: readonly string[];
}

interface Reference {
  readonly by: string;
  readonly writer: string;
  readonly seq: number;
  readonly hash: string;
}

/** All chains under an audit directory. */
export function verifyAll(auditDirectory: string): readonly ChainReport[] {
  const writers = listWriters(auditDirectory);
  const references = writers.flatMap((writer) => referencesOf(join(auditDirectory, writer)));
  const reports = writers.map((writer) =>
    verifyChain(
      listSegments(join(auditDirectory, writer)),
      join(auditDirectory, writer),
      references.filter((reference) => reference.writer === writer),
    ),
  );
  const missing = new Map(
    references
      .filter(({ writer }) => !writers.includes(writer))
      .map((reference) => [reference.writer, reference]),
  );
  return [...reports, ...[...missing.values()].map((reference) => missingChain(auditDirectory, reference))];
}

/** One file by itself, as a chain of one segment: a copy, or the file of a single writer. */
export function verifyFile(path: string): ChainReport {
  return verifyChain([{ path, number: 1 }], dirname(path), []);
}

/** One chain by itself: the directory of a single writer. */
export function verifyDirectory(directory: string): ChainReport {
  return verifyChain(listSegments(directory), directory, []);
}

/** True when a chain holds a record with this hash: the head that somebody kept elsewhere is still there. */
export function holdsHead(path: string, head: string): boolean {
  const tail = Buffer.from(`"hash":"${head}"}`);
  return filesUnder(path).some((file) => {
    for (const line of readLines(file)) if (line.bytes.subarray(-tail.length).equals(tail)) return true;
    return false;
  });
}

/** All segments below an audit directory or a chain's directory; a file is itself. */
function filesUnder(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  const directories = [path, ...listWriters(path).map((writer) => join(path, writer))];
  return directories.flatMap((directory) => listSegments(directory).map((segment) => segment.path));
}

function verifyChain(
  segments: readonly SegmentFile[],
  directory: string,
  references: readonly Reference[],
): ChainReport {
  const walk = new ChainWalk(references.map(({ seq }) => seq));
  const notes: string[] = [];
  const report = (problem?: Problem): ChainReport => ({
    writer: basename(directory),
    records: walk.seq,
    segments: segments.length,
    head: walk.seq === 0 ? undefined : walk.hash,
    problem,
    notes,
  });
  const first = segments[0];
  if (first === undefined) return report({ file: directory, line: 0, message: 'has no segment' });
  for (const [index, segment] of segments.entries()) {
    if (segment.number !== index + 1) {
      return report({ file: join(directory, segmentName(index + 1)), line: 0, message: 'is missing' });
    }
    const next = segments[index + 1];
    const opening = next === undefined ? undefined : firstRecord(next.path);
    const last = opening?.kind === 'segment_started' ? opening.prev : undefined;
    const problem = walkSegment(walk, segment, last, notes);
    if (problem !== undefined) return report(problem);
  }
  const lost = references.find((reference) => walk.hashAt(reference.seq) !== reference.hash);
  if (lost !== undefined) {
    const message = `lacks record ${lost.seq}, which ${lost.by} saw: the end was cut or written anew`;
    return report({ file: segments.at(-1)?.path ?? directory, line: 0, message });
  }
  return report();
}

/** `last` is the hash after which the next segment goes on: what follows it here was written again there. */
function walkSegment(
  walk: ChainWalk,
  segment: SegmentFile,
  last: string | undefined,
  notes: string[],
): Problem | undefined {
  const lines = readLines(segment.path);
  let ignored = 0;
  for (;;) {
    const { value, done } = lines.next();
    if (done) {
      const { torn } = value;
      if (last !== undefined && walk.hash !== last) {
        return {
          file: segment.path,
          line: 0,
          message: `lacks the record ${last.slice(0, 12)}… after which the next segment goes on`,
        };
      }
      if (torn > 0) notes.push(`${segment.path}: ${torn} bytes after the last newline, not a record`);
      if (ignored > 0)
        notes.push(`${segment.path}: the last ${ignored} lines were written again in the next segment`);
      return undefined;
    }
    if (last !== undefined && walk.hash === last && walk.seq > 0) {
      ignored += 1;
      continue;
    }
    const message = walk.step(value);
    if (message !== undefined) return { file: segment.path, line: value.number, message };
  }
}

/** The place reached in one chain. */
class ChainWalk {
  seq = 0;
  hash = NO_PREVIOUS;
  readonly #wanted: ReadonlySet<number>;
  readonly #hashes = new Map<number, string>();

  constructor(wanted: readonly number[]) {
    this.#wanted = new Set(wanted);
  }

  /** The hash of a record that was passed, for the numbers given at the start. */
  hashAt(seq: number): string | undefined {
    return this.#hashes.get(seq);
  }

  /** Returns what is wrong with the line, as the end of a sentence that begins with its place. */
  step(line: Line): string | undefined {
    const opened = openLine(line.bytes);
    if (!opened.ok) return opened.problem;
    const { record } = opened;
    if (record.seq !== this.seq + 1)
      return `has number ${record.seq} where ${this.seq + 1} was expected: records are missing, repeated or out of order`;
    if (record.prev !== this.hash) return 'does not follow the record before it';
    this.seq = record.seq;
    this.hash = record.hash;
    if (this.#wanted.has(record.seq)) this.#hashes.set(record.seq, record.hash);
    return undefined;
  }
}

function referencesOf(directory: string): readonly Reference[] {
  const segment = listSegments(directory)[0];
  const record = segment === undefined ? undefined : firstRecord(segment.path);
  if (record?.kind !== 'daemon_started' || !Array.isArray(record['heads'])) return [];
  return record['heads'].filter(isHead).map((head) => ({ by: basename(directory), ...head }));
}

function isHead(value: unknown): value is { writer: string; seq: number; hash: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'writer' in value &&
    typeof value.writer === 'string' &&
    'seq' in value &&
    typeof value.seq === 'number' &&
    'hash' in value &&
    typeof value.hash === 'string'
  );
}

function missingChain(auditDirectory: string, reference: Reference): ChainReport {
  return {
    writer: reference.writer,
    records: 0,
    segments: 0,
    head: undefined,
    problem: {
      file: join(auditDirectory, reference.writer),
      line: 0,
      message: `is missing: ${reference.by} saw its record ${reference.seq}`,
    },
    notes: [],
  };
}
