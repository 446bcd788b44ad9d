/**
 * Which segment goes on where another one was left, and whether what its first record says of that is true.
 * A segment can itself be left before anything in it counted: then a later one starts from the same place.
 */
import { basename } from 'node:path';
import { bodyDigest, openLine, type StoredRecord } from './chain.ts';
import { readLines, readRecords, type SegmentFile, whyUnread } from './read.ts';
import { segmentNumber } from './segment.ts';

export interface Problem {
  readonly file: string;
  /** Counts from 1; 0 when it is about the file as a whole. */
  readonly line: number;
  readonly message: string;
}

export interface Successor {
  readonly path: string;
  /** Hash of the record after which it goes on. */
  readonly link: string;
  /** Digests of the bodies that it repeats, in order. */
  readonly repeated: readonly string[];
  /** Bodies that it promised to repeat and does not hold: its writer ended meanwhile. */
  readonly lacking: number;
}

interface Opening {
  readonly segment: SegmentFile;
  /** The first record; undefined where there is none. */
  readonly first: StoredRecord | undefined;
}

/** For each segment the one that goes on where it was left; undefined where the chain simply goes on to the next, or ends. */
export function successorsOf(segments: readonly SegmentFile[]): readonly (Successor | undefined)[] | Problem {
  const openings: Opening[] = [];
  for (const segment of segments) {
    const opening = openingOf(segment);
    if ('message' in opening) return opening;
    openings.push(opening);
  }
  const successors: (Successor | undefined)[] = [];
  let next: Opening | undefined;
  let successor: Successor | undefined;
  for (const opening of openings.toReversed()) {
    successors.unshift(successor);
    const { first } = opening;
    if (first === undefined || (successor !== undefined && first.prev === next?.first?.prev)) continue;
    next = opening;
    const goesOn = first.kind === 'segment_started' && opening !== openings[0];
    const read = goesOn ? readSuccessor(opening, first, openings) : undefined;
    if (read !== undefined && 'message' in read) return read;
    successor = read;
  }
  return successors;
}

function openingOf(segment: SegmentFile): Opening | Problem {
  const { path, number } = segment;
  try {
    for (const line of readLines(path)) {
      const opened = openLine(line.bytes);
      if (opened.ok) return { segment, first: opened.record };
      // The first segment is walked from its first line on; a later one that holds records must say where it goes on.
      if (number > 1 && holdsRecord(path)) return { file: path, line: 1, message: opened.problem };
      break;
    }
    return { segment, first: undefined };
  } catch (error) {
    return { file: path, line: 0, message: whyUnread(error) };
  }
}

function holdsRecord(path: string): boolean {
  for (const _ of readRecords(path)) return true;
  return false;
}

/** Checks `after`, `abandoned` and `repeated` of a `segment_started`. */
function readSuccessor(
  { segment: { path, number } }: Opening,
  first: StoredRecord,
  openings: readonly Opening[],
): Successor | undefined | Problem {
  const fault = (message: string): Problem => ({ file: path, line: 1, message });
  if (first['after'] !== first.prev) return fault('does not go on after the record that it names');
  const left = segmentNumber(String(first['abandoned']));
  const between = openings.filter(({ segment }) => segment.number > (left ?? 0) && segment.number < number);
  if (left === undefined || left >= number || between.some((opening) => opening.first !== undefined))
    return fault(
      `does not follow ${JSON.stringify(first['abandoned'])}, which it names as the segment that was left`,
    );
  const promised = first['repeated'];
  if (typeof promised !== 'number' || !Number.isInteger(promised) || promised < 0)
    return fault('does not say how many records it repeats');
  const repeated = bodiesAfterFirst(path, promised);
  const isLast = openings.every(({ segment, first }) => segment.number <= number || first === undefined);
  if (repeated.length < promised && !isLast)
    return fault(`says that it repeats ${promised} records and holds ${repeated.length}`);
  return { path: basename(path), link: first.prev, repeated, lacking: promised - repeated.length };
}

/** Digests of the bodies of the `count` records after the first one, or of fewer where there are fewer. */
export function bodiesAfterFirst(path: string, count: number): readonly string[] {
  const bodies: string[] = [];
  if (count === 0) return bodies;
  for (const line of readLines(path)) {
    if (line.number === 1) continue;
    if (!openLine(line.bytes).ok) break;
    bodies.push(bodyDigest(line.bytes));
    if (bodies.length === count) break;
  }
  return bodies;
}
