/** `hookd audit tail [-f] [-n N]`: the newest records of all chains, in time order, readable; then new ones as they come. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { openLine, type StoredRecord } from '../audit/chain.ts';
import { lastRecords, listSegments, listWriters, readLines } from '../audit/read.ts';
import { EXIT } from '../core/errors.ts';
import type { Output } from './output.ts';
import { renderRecord } from './render-record.ts';

/** The watcher reports at most every 50 ms and has no trailing report: one more look later catches the rest. */
const SECOND_LOOK_MS = 100;

export interface TailOptions {
  readonly auditDirectory: string;
  readonly count: number;
  readonly follow: boolean;
  readonly json: boolean;
  /** Ends following. */
  readonly signal: AbortSignal;
}

export async function tailCommand(options: TailOptions, output: Output): Promise<number> {
  const print = (record: StoredRecord) =>
    output.result(options.json ? JSON.stringify(record) : renderRecord(record, output.colours));
  const ends = new Map<string, number>();
  for (const record of newest(options.auditDirectory, options.count, ends)) print(record);
  if (options.follow) await follow(options, ends, print, output);
  return EXIT.done;
}

/** The last `count` records of all chains by time; `ends` gets how far each file was read. */
function newest(auditDirectory: string, count: number, ends: Map<string, number>): readonly StoredRecord[] {
  const files = filesOf(auditDirectory)
    .map((path) => ({ path, changed: statSync(path).mtime }))
    .sort((a, b) => b.changed.getTime() - a.changed.getTime());
  let records: StoredRecord[] = [];
  for (const { path, changed } of files) {
    const oldest = records.length >= count ? records[0] : undefined;
    if (oldest !== undefined && changed.toISOString() < oldest.time) {
      ends.set(path, lastRecords(path, 1).end);
      continue;
    }
    const last = lastRecords(path, Math.max(1, count));
    ends.set(path, last.end);
    records = [...records, ...last.records].sort(byTime).slice(-count);
  }
  return count === 0 ? [] : records;
}

/** ISO times sort as text; within one instant the numbers of a chain decide. */
function byTime(a: StoredRecord, b: StoredRecord): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.seq - b.seq;
}

function filesOf(auditDirectory: string): readonly string[] {
  return listWriters(auditDirectory).flatMap((writer) =>
    listSegments(join(auditDirectory, writer)).map((segment) => segment.path),
  );
}

async function follow(
  { auditDirectory, signal }: TailOptions,
  ends: Map<string, number>,
  print: (record: StoredRecord) => void,
  output: Output,
): Promise<void> {
  const readOn = () => {
    const fresh = filesOf(auditDirectory).flatMap((path) => newLines(path, ends));
    for (const record of fresh.sort(byTime)) print(record);
  };
  let later: NodeJS.Timeout | undefined;
  const watcher = watch(auditDirectory, { ignoreInitial: false, depth: 1 });
  watcher.on('error', (error) => output.note(`hookd: watching ${auditDirectory}: ${String(error)}`));
  await new Promise<void>((stop) => {
    const look = () => {
      readOn();
      if (output.isClosed()) stop();
    };
    watcher.on('all', () => {
      look();
      clearTimeout(later);
      later = setTimeout(look, SECOND_LOOK_MS);
    });
    signal.addEventListener('abort', () => stop(), { once: true });
    if (signal.aborted) stop();
  });
  clearTimeout(later);
  await watcher.close();
}

function newLines(path: string, ends: Map<string, number>): readonly StoredRecord[] {
  const from = ends.get(path) ?? 0;
  if (statSync(path, { throwIfNoEntry: false })?.size === from) return [];
  const records: StoredRecord[] = [];
  const lines = readLines(path, from);
  for (let next = lines.next(); ; next = lines.next()) {
    if (next.done) {
      ends.set(path, next.value.end);
      return records;
    }
    const opened = openLine(next.value.bytes);
    if (opened.ok) records.push(opened.record);
  }
}
