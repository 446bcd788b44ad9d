/** The records of all chains together, the newest first. A chain is opened when its turn comes: there may be thousands. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments, listWriters, type SegmentFile } from './read.ts';
import { chainBack, type Found, type ReadOptions } from './read-back.ts';

export interface NewestOptions extends ReadOptions {
  /** Milliseconds since 1970: chains are read until they are older. */
  readonly since: number | undefined;
}

/** How far a clock may have been set back within a chain: so much longer we go on looking for what is new enough. */
const CLOCK_STEP_MS = 10 * 60_000;

/** One chain on the way back: `time` is its next record's, or not earlier than it while the chain is unopened. */
interface Reader {
  readonly segments: readonly SegmentFile[];
  time: string;
  records?: Generator<Found>;
  next?: Found;
}

/** Throws a system error when the audit directory itself cannot be read. */
export function* newestFirst(auditDirectory: string, options: NewestOptions): Generator<Found> {
  const readers = listWriters(auditDirectory).flatMap((writer) => {
    const directory = join(auditDirectory, writer);
    try {
      const segments = listSegments(directory);
      return segments.length === 0 ? [] : [{ segments, time: changedAt(segments) } as Reader];
    } catch (error) {
      options.onUnread(directory, error);
      return [];
    }
  });
  while (readers.length > 0) {
    let at = 0;
    for (const [index, { time }] of readers.entries()) if (time > (readers[at]?.time ?? '')) at = index;
    const reader = readers[at];
    if (reader === undefined) return;
    const { next } = reader;
    if (next !== undefined) yield next;
    if (!advance(reader, options)) readers.splice(at, 1);
  }
}

/** False at the end of the chain. */
function advance(reader: Reader, options: NewestOptions): boolean {
  if (options.since !== undefined && Date.parse(reader.time) < options.since - CLOCK_STEP_MS) return false;
  reader.records ??= chainBack(reader.segments, options);
  const { done, value } = reader.records.next();
  if (done === true) return false;
  reader.next = value;
  reader.time = value.record.time;
  return true;
}

/** The time of the last change of a chain's newest file: no record in it is younger. */
function changedAt(segments: readonly SegmentFile[]): string {
  const path = segments.at(-1)?.path;
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return (stats?.mtime ?? new Date(0)).toISOString();
}
