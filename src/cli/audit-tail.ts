/** `hookd audit tail [-f] [-n N]`: the newest records of all chains, in time order, readable; then new ones as they come. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { openLine, type StoredRecord } from '../audit/chain.ts';
import { lastRecords, listSegments, listWriters, readLines, whyUnread } from '../audit/read.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { type Output, printable } from './output.ts';
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

/** How far each file was read, and which could not be: those are named once. */
interface Progress {
  readonly ends: Map<string, number>;
  readonly unread: Set<string>;
  readonly note: (line: string) => void;
}

export async function tailCommand(options: TailOptions, output: Output): Promise<number> {
  const { auditDirectory, count, json } = options;
  if (!Number.isSafeInteger(count) || count < 0)
    throw new HookdError('USAGE', `-n takes a whole number from 0, not ${count}.`);
  const print = (record: StoredRecord) =>
    output.result(json ? JSON.stringify(record) : renderRecord(record, output.colours));
  const progress: Progress = { ends: new Map(), unread: new Set(), note: output.note };
  try {
    for (const record of newest(auditDirectory, count, progress)) print(record);
  } catch (error) {
    const message = `${auditDirectory} cannot be read: ${messageOf(error)}.`;
    throw new HookdError('AUDIT_UNAVAILABLE', message, { cause: error });
  }
  if (options.follow) await follow(options, progress, print, output);
  return EXIT.done;
}

/** The last `count` records of all chains by time. */
function newest(auditDirectory: string, count: number, progress: Progress): readonly StoredRecord[] {
  const files = filesOf(auditDirectory, progress)
    .map((path) => ({ path, changed: statSync(path, { throwIfNoEntry: false })?.mtime ?? new Date(0) }))
    .sort((a, b) => b.changed.getTime() - a.changed.getTime());
  let records: StoredRecord[] = [];
  for (const { path, changed } of files) {
    const oldest = records.length >= count ? records[0] : undefined;
    const isOlder = oldest !== undefined && changed.toISOString() < oldest.time;
    const last = reading(path, progress, () => lastRecords(path, isOlder ? 1 : Math.max(1, count)));
    if (last === undefined) continue;
    progress.ends.set(path, last.end);
    if (!isOlder) records = [...records, ...last.records].sort(byTime).slice(-count);
  }
  return count === 0 ? [] : records;
}

function reading<T>(path: string, { unread, note }: Progress, read: () => T): T | undefined {
  if (unread.has(path)) return undefined;
  try {
    return read();
  } catch (error) {
    unread.add(path);
    note(`hookd: ${printable(path)} ${whyUnread(error)}`);
    return undefined;
  }
}

/** ISO times sort as text; within one instant the numbers of a chain decide. */
function byTime(a: StoredRecord, b: StoredRecord): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.seq - b.seq;
}

function filesOf(auditDirectory: string, progress: Progress): readonly string[] {
  return listWriters(auditDirectory).flatMap((writer) => {
    const directory = join(auditDirectory, writer);
    const segments = reading(directory, progress, () => listSegments(directory)) ?? [];
    return segments.map((segment) => segment.path);
  });
}

async function follow(
  { auditDirectory, signal }: TailOptions,
  progress: Progress,
  print: (record: StoredRecord) => void,
  output: Output,
): Promise<void> {
  const readOn = () => {
    const fresh = filesOf(auditDirectory, progress).flatMap((path) => newLines(path, progress));
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

function newLines(path: string, progress: Progress): readonly StoredRecord[] {
  const from = progress.ends.get(path) ?? 0;
  if (statSync(path, { throwIfNoEntry: false })?.size === from) return [];
  const records: StoredRecord[] = [];
  const end = reading(path, progress, () => {
    const lines = readLines(path, from);
    for (let next = lines.next(); ; next = lines.next()) {
      if (next.done) return next.value.end;
      const opened = openLine(next.value.bytes);
      if (opened.ok) records.push(opened.record);
    }
  });
  if (end !== undefined) progress.ends.set(path, end);
  return records;
}
