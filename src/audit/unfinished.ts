/**
 * Chains that ended, or may have ended, with calls whose result is not on record, and how a start remembers which of
 * them were looked into. A mark in the chain's directory only names the start that did; what counts is what that
 * start's own chain says: a file that anybody may put there suppresses nothing.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolUseId } from '../core/vocabulary.ts';
import { isNamedRecord } from './chain.ts';
import { listSegments, readRecords, readSmallFile } from './read.ts';
import { quietly } from './segment.ts';

/** `stopped`: it ended in order, after an audit failure; `unknown`: its process is (or was) in another pid namespace. */
export type WriterLife = 'stopped' | 'dead' | 'unknown';

/** A chain, looked into up to the record with this number and hash. */
export interface UnfinishedChain {
  readonly writer: string;
  readonly seq: number;
  readonly hash: string;
  readonly writer_life: WriterLife;
  /** Calls without a result, beyond those that an earlier start has reported. */
  readonly open_intents: number;
  /** Bytes after its last newline, where there are any: a record that its writer did not finish. They stay, and nobody reads them. */
  readonly torn_bytes?: number;
}

/** `intent` is the hash of the permit's record. */
export interface UnknownOutcome {
  readonly writer: string;
  readonly writerLife: WriterLife;
  readonly session: string;
  readonly id: ToolUseId;
  readonly tool: string;
  readonly intent: string;
}

export const MARKS = { closed: 'closed-by', reported: 'reported-by' } as const;
/** Names the sinks that have all of a chain. */
export const TAKEN_MARK = 'taken-by';

/** How far an earlier start has looked into this chain; undefined when none has. */
export function lookedInto(
  auditDirectory: string,
  writers: ReadonlySet<string>,
  writer: string,
): UnfinishedChain | undefined {
  return Object.values(MARKS)
    .map((mark) => readSmallFile(join(auditDirectory, writer, mark))?.trim())
    .flatMap((by) => (by === undefined || by === writer || !writers.has(by) ? [] : [by]))
    .flatMap((by) => claimOf(join(auditDirectory, by), writer) ?? [])
    .sort((a, b) => b.seq - a.seq)[0];
}

/** What the first records of a start's chain say about `writer`; undefined unless all that was promised follows. */
function claimOf(directory: string, writer: string): UnfinishedChain | undefined {
  try {
    let claim: UnfinishedChain | undefined;
    let said = 0;
    for (const record of readRecords(listSegments(directory)[0]?.path ?? directory)) {
      if (record.kind === 'outcome_unknown') said += record['of_writer'] === writer ? 1 : 0;
      else if (record.kind !== 'daemon_started' || claim !== undefined) break;
      else claim = listOf(record['unfinished']).find((chain) => chain.writer === writer);
      if (claim === undefined || said >= claim.open_intents) break;
    }
    return claim !== undefined && said >= claim.open_intents ? claim : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves a mark in each chain's directory; its own files are never touched. Call when the records are durable. */
export function markLookedInto(auditDirectory: string, chains: readonly UnfinishedChain[], by: string): void {
  for (const { writer, writer_life } of chains) {
    const mark = writer_life === 'unknown' ? MARKS.reported : MARKS.closed;
    const path = join(auditDirectory, writer, mark);
    const fresh = join(auditDirectory, writer, `.${mark}-${by}`);
    // Where it cannot be left (a read-only or foreign directory), the next start says it once more.
    quietly(() => {
      writeDurably(fresh, `${by}\n`);
      renameSync(fresh, path);
    });
    quietly(() => rmSync(fresh, { force: true }));
  }
}

/** Throws a system error, also where the file is there. */
export function writeDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function listOf(value: unknown): readonly UnfinishedChain[] {
  return Array.isArray(value) ? value.filter(isUnfinished) : [];
}

function isUnfinished(value: unknown): value is UnfinishedChain {
  return isNamedRecord(value) && 'open_intents' in value && typeof value.open_intents === 'number';
}
