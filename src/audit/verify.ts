/**
 * Checks chains: each record's own hash, its place after the one before, its number, that no segment is missing, that
 * no record was dropped where a segment was left, and that every chain named by another one is there and holds the
 * named record. What it cannot see without a head kept elsewhere: records cut from the end of a chain whose writer is
 * gone.
 */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isNamedRecord, type Link } from './chain.ts';
import { type CheckAhead, checking, type How } from './check-ahead.ts';
import type { Wanted } from './check-piece.ts';
import { oddEntries, oddFiles } from './odd-entries.ts';
import { planFiles } from './piece-list.ts';
import { firstOf, listSegments, listWriters, readRecords, type SegmentFile, whyUnread } from './read.ts';
import { removalsIn } from './retention.ts';
import { segmentNumber } from './segment.ts';
import type { Problem } from './successor.ts';
import { holdsChains, verifyCopies } from './verify-copy.ts';
import { walkChain } from './walk.ts';

export type { Problem };

export interface ChainReport {
  readonly writer: string;
  readonly records: number;
  readonly segments: number;
  readonly head: string | undefined;
  /** The first fault; nothing after it was looked at. */
  readonly problem: Problem | undefined;
  /** What is in order but worth knowing: a torn last line, records that were written again elsewhere. */
  readonly notes: readonly string[];
  /** Where a head was asked for. */
  readonly holdsHead?: boolean;
}

interface Reference extends Link {
  readonly by: string;
  readonly writer: string;
}

/** A file (of a chain, or a sink's), one chain's directory, or an audit directory. Throws a system error when there is no such path. */
export function verifyPath(path: string, head?: string, how?: How): readonly ChainReport[] {
  const stats = statSync(path);
  if (stats.isDirectory())
    return isChain(path) ? [verifyDirectory(path, head, how)] : verifyAll(path, head, how);
  const report = verifyFile(path, head, how);
  // A file that is in order as one chain holds no second one.
  const isOne = report.problem === undefined || !stats.isFile() || !holdsChains(path);
  return isOne ? [report] : verifyCopies(path, head);
}

/** All chains under an audit directory, and what else lies there. */
export function verifyAll(auditDirectory: string, head?: string, how?: How): readonly ChainReport[] {
  const writers = listWriters(auditDirectory);
  /** By the chain that is named; those that are there are taken out. */
  const references = new Map<string, Reference[]>();
  for (const writer of writers)
    for (const reference of referencesOf(join(auditDirectory, writer))) {
      const others = references.get(reference.writer);
      if (others === undefined) references.set(reference.writer, [reference]);
      else others.push(reference);
    }
  const reports = verifyEach(
    writers.map((writer) => {
      const named = references.get(writer);
      references.delete(writer);
      return chainAt(join(auditDirectory, writer), head, named);
    }),
    how,
  );
  const missing = [...references.values()].flatMap((named) => named.slice(0, 1));
  return [
    ...oddEntries(auditDirectory).map((odd) => ({ ...emptyReport(odd.name), ...odd.report })),
    ...reports,
    ...missingChains(auditDirectory, writers, missing),
  ];
}

/** One chain by itself: the directory of a single writer. */
export function verifyDirectory(directory: string, head?: string, how?: How): ChainReport {
  const [report] = verifyEach([chainAt(directory, head)], how);
  return report ?? emptyReport(basename(directory));
}

/** One file by itself, as a chain of one segment: a copy, or one file of a chain. */
export function verifyFile(given: string, head?: string, how?: How): ChainReport {
  const path = realpathSync(given);
  const segments = [{ path, number: 1 }];
  const begin = beginOf(path);
  const chain = chainAt(dirname(path), head);
  const report = checking(planFiles(segments, chain.wanted), how, (ahead) =>
    verifyChain(chain, segments, ahead, begin),
  );
  if (begin === undefined) return { ...report, notes: [...report.notes, ...emptyNote(report, path)] };
  const note = `${path}: begins with record ${begin.seq + 1}; whether it follows the segments before it was not looked at`;
  return { ...report, records: report.records - begin.seq, notes: [note, ...report.notes] };
}

/** True when a chain holds a record with this hash: the head that somebody kept elsewhere is still there. */
export function holdsHead(path: string, head: string): boolean {
  return verifyPath(path, head).some((report) => report.holdsHead === true);
}

/** A directory of segments; where there are also directories beside them, the segments do not belong there. */
function isChain(directory: string): boolean {
  const directories = listWriters(directory).filter((name) => segmentNumber(name) === undefined);
  return listSegments(directory).length > 0 && directories.length === 0;
}

interface Chain {
  readonly directory: string;
  readonly references: readonly Reference[];
  readonly wanted: Wanted;
}

function chainAt(directory: string, head: string | undefined, references: readonly Reference[] = []): Chain {
  return { directory, references, wanted: { seqs: new Set(references.map(({ seq }) => seq)), head } };
}

function verifyEach(chains: readonly Chain[], how: How | undefined): readonly ChainReport[] {
  const files = chains.flatMap((chain) => {
    try {
      return planFiles(listSegments(chain.directory), chain.wanted);
    } catch {
      // Said when the chain is walked.
      return [];
    }
  });
  return checking(files, how, (ahead) => chains.map((chain) => verifyOne(chain, ahead)));
}

function verifyOne(chain: Chain, ahead: CheckAhead): ChainReport {
  const { directory } = chain;
  try {
    const report = verifyChain(chain, listSegments(directory), ahead);
    return { ...report, notes: [...report.notes, ...emptyNote(report, directory), ...oddFiles(directory)] };
  } catch (error) {
    const problem = { file: directory, line: 0, message: whyUnread(error) };
    return { ...emptyReport(basename(directory)), problem };
  }
}

function verifyChain(
  { directory, references, wanted }: Chain,
  segments: readonly SegmentFile[],
  ahead: CheckAhead,
  begin?: Link,
): ChainReport {
  const walked = walkChain(segments, directory, wanted, ahead, begin);
  const { end, notes } = walked;
  const lost = references.find((reference) => !walked.holds(reference));
  const cut = lost && {
    file: segments.at(-1)?.path ?? directory,
    line: 0,
    message: `lacks record ${lost.seq}, which ${lost.by} saw: the end was cut or written anew`,
  };
  return {
    writer: basename(directory),
    records: end.seq,
    segments: segments.length,
    head: end.seq === 0 ? undefined : end.hash,
    problem: walked.problem ?? cut,
    notes,
    ...(wanted.head === undefined ? {} : { holdsHead: walked.holdsHead }),
  };
}

function emptyNote({ records, problem }: ChainReport, path: string): readonly string[] {
  if (records > 0 || problem !== undefined) return [];
  return [`${path}: holds no record: a start that failed, or records that were removed`];
}

/** What the first record of a later segment can be. */
const SEGMENT_OPENINGS: ReadonlySet<string> = new Set(['segment_started', 'segment_rotated']);

/** The record before the first one of a later segment, as that one names it. */
function beginOf(path: string): Link | undefined {
  try {
    for (const { kind, seq, prev } of readRecords(path))
      return SEGMENT_OPENINGS.has(kind) && seq > 1 ? { seq: seq - 1, hash: prev } : undefined;
  } catch {
    // Said when the file is walked.
  }
  return undefined;
}

function referencesOf(directory: string): readonly Reference[] {
  try {
    const record = firstOf(listSegments(directory));
    if (record?.kind !== 'daemon_started' || !Array.isArray(record['heads'])) return [];
    return record['heads'].filter(isNamedRecord).map((head) => ({ by: basename(directory), ...head }));
  } catch {
    // Said when the chain itself is walked.
    return [];
  }
}

function emptyReport(writer: string): ChainReport {
  return { writer, records: 0, segments: 0, head: undefined, problem: undefined, notes: [] };
}

/** A chain that was removed as settings say is a note: a sound chain says so. */
function missingChains(
  auditDirectory: string,
  writers: readonly string[],
  missing: readonly Reference[],
): readonly ChainReport[] {
  if (missing.length === 0) return [];
  const removals = writers.flatMap((by) =>
    removalsOf(join(auditDirectory, by)).map((removal) => ({ by, ...removal })),
  );
  return missing.map((reference) => {
    const { writer } = reference;
    const removal = removals.find(({ of_writer }) => of_writer === writer);
    if (removal === undefined) return missingChain(auditDirectory, reference);
    const why = `removed by retention (${removal.reason}): ${removal.by} says so; its last record was ${removal.last_seq}`;
    return { ...emptyReport(writer), notes: [`${join(auditDirectory, writer)}: ${why}`] };
  });
}

function removalsOf(directory: string): ReturnType<typeof removalsIn> {
  try {
    return removalsIn(directory);
  } catch {
    // Said when the chain itself is walked.
    return [];
  }
}

function missingChain(auditDirectory: string, { writer, by, seq }: Reference): ChainReport {
  const problem = {
    file: join(auditDirectory, writer),
    line: 0,
    message: `is missing: ${by} saw its record ${seq}`,
  };
  return { ...emptyReport(writer), problem };
}
