/**
 * Follows all chains: new records, new files, new writers. A file is known by itself and not by its name: one that was
 * renamed, or lies in a directory that was, goes on where it was.
 */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { watch } from 'chokidar';
import { openLine } from './chain.ts';
import type { NewestOptions } from './newest.ts';
import { listSegments, listWriters, readLines } from './read.ts';
import { endOfLines, type Found } from './read-back.ts';
import { segmentNumber } from './segment.ts';
import { fits, type RecordFilter } from './select.ts';

/** The watcher reports at most every 50 ms and has no trailing report: one more look later catches the rest. */
const SECOND_LOOK_MS = 100;
/** What the watcher misses (no directory yet, too many of them) is found by looking. */
const LOOK_MS = 1000;

export interface FollowOptions {
  readonly auditDirectory: string;
  readonly filter: RecordFilter;
  readonly reading: NewestOptions;
  readonly ends: Ends;
  readonly signal: AbortSignal;
  /** Something keeps us from watching; what is new is still found by looking. */
  readonly onFault: (text: string) => void;
  /** Nobody wants more. */
  readonly isDone?: () => boolean;
}

/** How far each file was read. */
export class Ends {
  readonly #ends = new Map<string, number>();

  /** 0 for a file that was not there. */
  at(path: string): number {
    return this.#ends.get(identityOf(path) ?? '') ?? 0;
  }

  set(path: string, end: number): void {
    const identity = identityOf(path);
    if (identity !== undefined) this.#ends.set(identity, end);
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

export function whereFilesEnd(auditDirectory: string, reading: NewestOptions): Ends {
  const ends = new Ends();
  for (const path of filesOf(auditDirectory, reading)) {
    try {
      ends.set(path, endOfLines(path));
    } catch (error) {
      reading.onUnread(path, error);
    }
  }
  return ends;
}

/** Resolves when the signal aborts, or nobody wants more. */
export async function follow(options: FollowOptions, print: (found: Found) => void): Promise<void> {
  const { auditDirectory, filter, reading, signal, onFault, isDone = () => false } = options;
  const look = (paths: readonly string[]) => {
    const fresh = paths.flatMap((path) => inOrder(newRecords(path, options)));
    for (const { found } of fresh.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)))
      if (fits(found.record, filter)) print(found);
  };
  const watcher = watch(auditDirectory, { depth: 1 });
  watcher.on('error', (error) => onFault(`watching ${auditDirectory}: ${String(error)}`));
  await new Promise<void>((stop) => {
    let later: NodeJS.Timeout | undefined;
    const lookAtAll = () => {
      try {
        look(filesOf(auditDirectory, reading));
      } catch (error) {
        reading.onUnread(auditDirectory, error);
      }
      if (isDone()) end();
    };
    const often = setInterval(lookAtAll, LOOK_MS);
    const end = () => {
      clearInterval(often);
      clearTimeout(later);
      stop();
    };
    watcher.on('all', (event, path) => {
      if (event === 'change' && segmentNumber(basename(path)) !== undefined) look([path]);
      else lookAtAll();
      clearTimeout(later);
      later = setTimeout(lookAtAll, SECOND_LOOK_MS);
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  await watcher.close();
}

function filesOf(auditDirectory: string, { onUnread }: NewestOptions): readonly string[] {
  return listWriters(auditDirectory).flatMap((writer) => {
    const directory = join(auditDirectory, writer);
    try {
      return listSegments(directory).map((segment) => segment.path);
    } catch (error) {
      onUnread(directory, error);
      return [];
    }
  });
}

function newRecords(path: string, { ends, reading }: FollowOptions): readonly Found[] {
  const from = ends.at(path);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? from;
  if (size === from) return [];
  if (size < from) {
    reading.onUnread(path, new Error('it has become shorter'));
    ends.set(path, size);
    return [];
  }
  const found: Found[] = [];
  try {
    const lines = readLines(path, from);
    for (let next = lines.next(); ; next = lines.next()) {
      if (next.done) {
        ends.set(path, next.value.end);
        return found;
      }
      const { bytes } = next.value;
      if (!reading.mayFit(bytes)) continue;
      const opened = openLine(bytes);
      if (opened.ok) found.push({ record: opened.record, bytes, path });
      else reading.onUnsound(path);
    }
  } catch (error) {
    reading.onUnread(path, error);
    return found;
  }
}

/** ISO times sort as text. A clock that was set back does not change the order of a chain. */
function inOrder(records: readonly Found[]): readonly { readonly time: string; readonly found: Found }[] {
  let time = '';
  return records.map((found) => {
    if (found.record.time > time) time = found.record.time;
    return { time, found };
  });
}
