/**
 * Removes chains that have ended, whole, by age and by count; only where settings say so. What is removed is on record
 * first, in the chain of the one that removes it, so that a check can tell it from what somebody took away.
 */
import { createHash } from 'node:crypto';
import { renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ChannelSettings } from './channel-settings.ts';
import {
  firstOf,
  lastOf,
  listSegments,
  listWriters,
  readDirectory,
  readRecords,
  readSmallFile,
} from './read.ts';
import type { RemovedChain } from './record-values.ts';
import { lifeOfWriter } from './recovery.ts';
import { quietly } from './segment.ts';
import { lookedInto, TAKEN_MARK, writeDurably } from './unfinished.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A chain on its way out: its name is no chain's, so that it is gone at once, however long the removal takes. */
const REMOVED = '.removed-';

/** What is to go, oldest first, with all that was said of earlier removals and would go with it. */
export function removable(
  ownDirectory: string,
  { keepDays, keepChains }: ChannelSettings,
  requiredSinks: readonly string[],
  now: Date,
): readonly RemovedChain[] {
  const audit = dirname(ownDirectory);
  const writers = listWriters(audit);
  const all = new Set(writers);
  const tooMany = keepChains === undefined ? 0 : writers.length - keepChains;
  const going = writers.flatMap((writer, index): RemovedChain[] => {
    if (writer === basename(ownDirectory)) return [];
    try {
      const chain = endedChain(audit, all, writer);
      if (chain === undefined || !isTakenBy(join(audit, writer), requiredSinks)) return [];
      const isOld = keepDays !== undefined && now.getTime() - chain.changed > keepDays * DAY_MS;
      if (!isOld && index >= tooMany) return [];
      return [{ ...chain.removed, reason: isOld ? 'age' : 'count' }];
    } catch {
      // What cannot be read stays.
      return [];
    }
  });
  if (going.length === 0) return [];
  return [...saidBefore(audit, writers, going), ...going];
}

/** To be called when the records of these are durable. Where a chain cannot be removed it stays, and is tried again. */
export function removeChains(auditDirectory: string, chains: readonly RemovedChain[]): void {
  for (const { of_writer } of chains)
    quietly(() =>
      renameSync(join(auditDirectory, of_writer), join(auditDirectory, `${REMOVED}${of_writer}`)),
    );
  for (const { name } of readDirectory(auditDirectory))
    if (name.startsWith(REMOVED))
      quietly(() => rmSync(join(auditDirectory, name), { recursive: true, force: true }));
}

/** Undefined unless its writer is gone and everything that it left open was said. */
function endedChain(audit: string, all: ReadonlySet<string>, writer: string) {
  const segments = listSegments(join(audit, writer));
  const last = lastOf(segments);
  if (last === undefined) return undefined;
  const { seq, hash } = last.record;
  const life = lifeOfWriter(segments, last.record);
  // Its writer lives.
  if (life === undefined && last.record.kind !== 'daemon_stopped') return undefined;
  const isSaid =
    life === 'dead' || life === 'stopped' ? lookedInto(audit, all, writer)?.hash === hash : false;
  if (life !== undefined && !isSaid) return undefined;
  const stats = segments.map(({ path }) => statSync(path));
  return {
    changed: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)),
    removed: {
      of_writer: writer,
      files: segments.length,
      bytes: stats.reduce((sum, { size }) => sum + size, 0),
      last_seq: seq,
      last_hash: hash,
    },
  };
}

/** What the chains that go have said of chains that are gone already: said again while one that stays names those. */
function saidBefore(
  audit: string,
  writers: readonly string[],
  going: readonly RemovedChain[],
): readonly RemovedChain[] {
  const goes = new Set(going.map(({ of_writer }) => of_writer));
  const named = new Set(
    writers.filter((writer) => !goes.has(writer)).flatMap((writer) => namedBy(join(audit, writer))),
  );
  return going.flatMap(({ of_writer }) =>
    removalsIn(join(audit, of_writer)).filter((removal) => named.has(removal.of_writer)),
  );
}

function namedBy(directory: string): readonly string[] {
  try {
    const heads = firstOf(listSegments(directory))?.['heads'];
    return Array.isArray(heads) ? heads.map(({ writer }: { writer?: unknown }) => String(writer)) : [];
  } catch {
    return [];
  }
}

/** What a chain says of chains that it removed. */
export function removalsIn(directory: string): readonly RemovedChain[] {
  return listSegments(directory).flatMap(({ path }) =>
    [...readRecords(path)].filter(({ kind }) => kind === 'chain_removed').map(removalOf),
  );
}

function removalOf(record: Readonly<Record<string, unknown>>): RemovedChain {
  const text = (field: string) => String(record[field]);
  return {
    of_writer: text('of_writer'),
    reason: record['reason'] === 'age' ? 'age' : 'count',
    files: Number(record['files']),
    bytes: Number(record['bytes']),
    last_seq: Number(record['last_seq']),
    last_hash: text('last_hash'),
  };
}

/** Remembers in the chain's directory which sinks have all of it: a required one is what removal waits for. */
export function markTaken(directory: string, sinks: readonly string[]): void {
  if (sinks.length > 0)
    quietly(() => writeDurably(join(directory, TAKEN_MARK), `${sinks.map(digestOf).join('\n')}\n`));
}

function isTakenBy(directory: string, sinks: readonly string[]): boolean {
  const taken = readSmallFile(join(directory, TAKEN_MARK))?.split('\n') ?? [];
  return sinks.every((sink) => taken.includes(digestOf(sink)));
}

const digestOf = (name: string) => createHash('sha256').update(name).digest('hex');
