/**
 * Looks for what a crash left behind in other chains: an intent (a permit) without an outcome (a result).
 * Nobody can know whether such a call took effect; the next start says so in its own chain, once.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../core/errors.ts';
import type { ToolUseId } from '../core/vocabulary.ts';
import { lifeOf, type ProcessIdentity } from '../lib/proc.ts';
import type { StoredRecord } from './chain.ts';
import { firstRecord, lastRecord, listSegments, listWriters, readRecords } from './read.ts';
import type { DaemonStarted, UnknownOutcome } from './record.ts';

/** Chains that a new one names in its first record, newest first. */
const NAMED_HEADS = 32;
const CLOSED_MARK = 'closed-by';

export interface AbandonedChain {
  readonly writer: string;
  readonly dangling: readonly UnknownOutcome[];
}

/** The newest record of each of the last chains. */
export function headsOf(auditDirectory: string): DaemonStarted['heads'] {
  return listWriters(auditDirectory)
    .slice(-NAMED_HEADS)
    .flatMap((writer) => {
      const record = lastRecord(join(auditDirectory, writer));
      return record === undefined ? [] : [{ writer, seq: record.seq, hash: record.hash }];
    });
}

/** Chains whose process died before it could end them, and which no later start has closed. */
export function abandonedChains(auditDirectory: string): readonly AbandonedChain[] {
  return listWriters(auditDirectory)
    .filter((writer) => isAbandoned(join(auditDirectory, writer)))
    .map((writer) => ({ writer, dangling: danglingIntents(auditDirectory, writer) }));
}

/** Leaves a mark in the dead chain's directory; its own files are never touched. Call when the outcome records are durable. */
export function markClosed(auditDirectory: string, writer: string, by: string): void {
  try {
    const fd = openSync(join(auditDirectory, writer, CLOSED_MARK), 'wx', 0o600);
    try {
      writeSync(fd, `${by}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Another start was quicker, or the directory is read-only: then the next start says it once more.
    if (!['EEXIST', 'EROFS', 'EACCES', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  }
}

function isAbandoned(directory: string): boolean {
  const segment = listSegments(directory)[0];
  if (segment === undefined || lastRecord(directory)?.kind === 'daemon_stopped' || isMarked(directory))
    return false;
  const start = firstRecord(segment.path);
  return start === undefined || !isIdentity(start['process']) || lifeOf(start['process']) === 'dead';
}

function isMarked(directory: string): boolean {
  try {
    closeSync(openSync(join(directory, CLOSED_MARK), 'r'));
    return true;
  } catch {
    return false;
  }
}

function danglingIntents(auditDirectory: string, writer: string): readonly UnknownOutcome[] {
  const open = new Map<string, StoredRecord>();
  for (const segment of listSegments(join(auditDirectory, writer))) {
    for (const record of readRecords(segment.path)) {
      const key = `${record.session} ${record.tool_use_id}`;
      if (record.kind === 'permission' && record['decision'] === 'allow') open.set(key, record);
      if (record.kind === 'tool_result') open.delete(key);
    }
  }
  return [...open.values()].map((record) => ({
    writer,
    session: String(record.session),
    id: String(record.tool_use_id) as ToolUseId,
    tool: String(record['tool']),
    intent: record.hash,
  }));
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number';
}
