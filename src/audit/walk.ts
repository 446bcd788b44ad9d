/** Walks one chain from record to record, over all its segments. */
import { join } from 'node:path';
import { type Link, NO_PREVIOUS, openLine } from './chain.ts';
import type { CheckAhead } from './check-ahead.ts';
import type { Stretch, Wanted } from './check-piece.ts';
import { LeftBehind } from './left-behind.ts';
import { type Line, readLines, type SegmentFile, whyUnread } from './read.ts';
import { segmentName } from './segment.ts';
import { type Problem, type Successor, successorsOf } from './successor.ts';

export interface Walked {
  readonly end: Link;
  /** The first fault; nothing after it was looked at. */
  readonly problem: Problem | undefined;
  readonly notes: readonly string[];
  readonly holdsHead: boolean;
  readonly holds: (link: Link) => boolean;
}

/** `begin` is the record before the first one, for a file that is not the first of its chain. */
export function walkChain(
  segments: readonly SegmentFile[],
  directory: string,
  wanted: Wanted,
  ahead: CheckAhead,
  begin?: Link,
): Walked {
  const walk = new ChainWalk(wanted, begin);
  const notes: string[] = [];
  const problem = walkSegments(walk, segments, directory, ahead, notes);
  return {
    end: { seq: walk.seq, hash: walk.hash },
    problem,
    notes,
    holdsHead: walk.holdsHead,
    holds: (link) => walk.holds(link),
  };
}

function walkSegments(
  walk: ChainWalk,
  segments: readonly SegmentFile[],
  directory: string,
  ahead: CheckAhead,
  notes: string[],
): Problem | undefined {
  const gap = segments.findIndex(({ number }, index) => number !== index + 1);
  if (gap !== -1) return { file: join(directory, segmentName(gap + 1)), line: 0, message: 'is missing' };
  const successors = successorsOf(segments);
  if ('message' in successors) return successors;
  for (const [index, segment] of segments.entries()) {
    try {
      const problem = walkSegment(walk, segment, successors[index], ahead, notes);
      if (problem !== undefined) return problem;
    } catch (error) {
      return { file: segment.path, line: 0, message: whyUnread(error) };
    }
  }
  return undefined;
}

function walkSegment(
  walk: ChainWalk,
  { path }: SegmentFile,
  successor: Successor | undefined,
  ahead: CheckAhead,
  notes: string[],
): Problem | undefined {
  // Only line after line can it be seen where a successor goes on.
  const known = successor === undefined ? walk.follow(ahead.stretches(path)) : NOTHING;
  const lines = readLines(path, known.bytes, known.lines);
  let left: LeftBehind | undefined;
  for (let next = lines.next(); ; next = lines.next()) {
    // What follows the place where the successor goes on was written again there, or must not be there.
    if (successor !== undefined && walk.hash === successor.link)
      left ??= new LeftBehind(successor, { seq: walk.seq, hash: walk.hash });
    if (next.done) {
      if (successor !== undefined && left === undefined) {
        const link = `${successor.link.slice(0, 12)}…`;
        return {
          file: path,
          line: 0,
          message: `lacks the record ${link} after which ${successor.path} goes on`,
        };
      }
      const { torn } = next.value;
      if (torn > 0) notes.push(`${path}: ${torn} bytes after the last newline, not a record`);
      notes.push(...(left?.notes() ?? []).map((note) => `${path}: ${note}`));
      return undefined;
    }
    const line = next.value;
    if (left === undefined) {
      const message = walk.step(line);
      if (message !== undefined) return { file: path, line: line.number, message };
    } else {
      const verdict = left.take(line);
      if (verdict.kind === 'fault') return { file: path, line: verdict.line, message: verdict.message };
      if (verdict.kind === 'counts') walk.see(verdict.record);
    }
  }
}

/** How much of a file's beginning is known to be in order. */
interface Known {
  readonly bytes: number;
  readonly lines: number;
}
const NOTHING: Known = { bytes: 0, lines: 0 };

/** The place reached in one chain. */
class ChainWalk {
  seq: number;
  hash: string;
  holdsHead = false;
  readonly #wanted: Wanted;
  /** After a failure one number can stand for two records, of which one was written again. */
  readonly #seen = new Set<string>();

  constructor(wanted: Wanted, { seq, hash }: Link = { seq: 0, hash: NO_PREVIOUS }) {
    this.#wanted = wanted;
    this.seq = seq;
    this.hash = hash;
  }

  /** Goes on over what was checked in pieces, from the beginning of a file to the first place that needs another look. */
  follow(stretches: Iterable<Stretch | undefined>): Known {
    let known = NOTHING;
    for (const stretch of stretches) {
      // Where it is not the piece of one long line, the next one does not begin at this byte.
      if (stretch === undefined) continue;
      const { begin, before, end, lines, last, seen } = stretch;
      if (begin !== known.bytes || before.seq !== this.seq || before.hash !== this.hash) break;
      this.seq = last.seq;
      this.hash = last.hash;
      for (const record of seen) this.see(record);
      known = { bytes: end, lines: known.lines + lines };
    }
    return known;
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
    this.see(record);
    return undefined;
  }

  /** Remembers a record that the chain holds. */
  see({ seq, hash }: Link): void {
    if (this.#wanted.seqs.has(seq)) this.#seen.add(`${seq} ${hash}`);
    if (hash === this.#wanted.head) this.holdsHead = true;
  }

  holds({ seq, hash }: Link): boolean {
    return this.#seen.has(`${seq} ${hash}`);
  }
}
