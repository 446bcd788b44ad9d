/**
 * What a start sees of the other chains: their newest records, and what a crash or an audit failure left behind in
 * them: an intent (a permit) without an outcome (a result). Nobody can know whether such a call took effect; the next
 * start says so in its own chain, once.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolUseId } from '../core/vocabulary.ts';
import { lifeOf, type ProcessIdentity } from '../lib/proc.ts';
import type { StoredRecord } from './chain.ts';
import { type Leftover, leftoversOf } from './leftovers.ts';
import {
  firstOf,
  lastOf,
  lastRecords,
  listSegments,
  listWriters,
  readRecords,
  type SegmentFile,
  syncFile,
} from './read.ts';
import type { DaemonStarted } from './record-values.ts';
import { lookedInto, type UnfinishedChain, type UnknownOutcome, type WriterLife } from './unfinished.ts';

/** Chains that a new one names in its first record, newest first. */
const NAMED_HEADS = 32;
/** A chain that ended longer ago than this is durable: its writer waited for it. */
const SETTLED_MS = 5000;

export interface OtherChains extends Required<Pick<DaemonStarted, 'heads' | 'unfinished' | 'unreadable'>> {
  readonly outcomes: readonly UnknownOutcome[];
  readonly leftovers: readonly Leftover[];
}

/** Throws a system error only when the audit directory itself cannot be read. */
export function lookAtOtherChains(auditDirectory: string, own: string): OtherChains {
  const writers = listWriters(auditDirectory).filter((writer) => writer !== own);
  const all = new Set(writers);
  const named = new Set(writers.slice(-NAMED_HEADS));
  const heads: DaemonStarted['heads'][number][] = [];
  const unfinished: UnfinishedChain[] = [];
  const outcomes: UnknownOutcome[] = [];
  const leftovers: Leftover[] = [];
  const unreadable: string[] = [];
  for (const writer of writers) {
    try {
      const segments = listSegments(join(auditDirectory, writer));
      const last = lastOf(segments);
      // Before its first record nothing can have been left open: it may be starting at this moment.
      if (last === undefined) continue;
      const { seq, hash } = last.record;
      if (named.has(writer) && isDurable(last)) heads.push({ writer, seq, hash });
      const life = lifeOfWriter(segments, last.record);
      if (life === undefined) continue;
      const known = lookedInto(auditDirectory, all, writer);
      if (known?.hash === hash) continue;
      const open = danglingIntents(segments, seq, known);
      unfinished.push({
        writer,
        seq,
        hash,
        writer_life: life,
        open_intents: open.length,
        ...tornIn(segments),
      });
      const identity = firstOf(segments)?.['process'];
      if (life === 'dead' && isIdentity(identity)) leftovers.push(...leftoversOf(writer, segments, identity));
      outcomes.push(...open.map((intent) => ({ writer, writerLife: life, ...intent })));
    } catch {
      // A chain of another user, or no chain at all: it is named, and keeps nobody from starting.
      unreadable.push(writer);
    }
  }
  return { heads, unfinished, outcomes, leftovers, unreadable };
}

/** What a writer that was killed in the middle of a write has left in its last file. */
function tornIn(segments: readonly SegmentFile[]): { torn_bytes?: number } {
  const path = segments.at(-1)?.path;
  if (path === undefined) return {};
  const torn_bytes = statSync(path).size - lastRecords(path, 1).end;
  return torn_bytes > 0 ? { torn_bytes } : {};
}

/** A head that a power loss could take back is not named: `verify` would miss it for ever. */
function isDurable({ record, path }: { record: StoredRecord; path: string }): boolean {
  const isSettled = record.kind === 'daemon_stopped' && Date.now() - statSync(path).mtimeMs > SETTLED_MS;
  return isSettled || syncFile(path);
}

/** Undefined for a writer that is alive, or ended in order with every outcome on record: there is nothing to look for. */
export function lifeOfWriter(segments: readonly SegmentFile[], last: StoredRecord): WriterLife | undefined {
  if (last.kind === 'daemon_stopped') return last['open_intents'] === 0 ? undefined : 'stopped';
  const process = firstOf(segments)?.['process'];
  const life = isIdentity(process) ? lifeOf(process) : 'unknown';
  return life === 'alive' ? undefined : life;
}

/** Up to record `end`, and after what an earlier start has reported. */
function danglingIntents(
  segments: readonly SegmentFile[],
  end: number,
  known: UnfinishedChain | undefined,
): readonly Pick<UnknownOutcome, 'session' | 'id' | 'tool' | 'intent'>[] {
  const open = new Map<string, StoredRecord>();
  /** A new segment repeats records: a permit that stands there again is not a new one. */
  const seen = new Set<string>();
  let isKnown = false;
  for (const { path } of segments) {
    for (const record of readRecords(path)) {
      if (record.seq === known?.seq && record.hash === known.hash) isKnown = true;
      const call = `${record.session} ${record.tool_use_id}`;
      const permit = `${call} ${record.time}`;
      if (record.kind === 'tool_result') open.delete(call);
      if (record.kind !== 'permission' || record['decision'] !== 'allow' || seen.has(permit)) continue;
      seen.add(permit);
      open.set(call, record);
    }
  }
  const from = isKnown && known !== undefined ? known.seq : 0;
  return [...open.values()]
    .filter(({ seq }) => seq > from && seq <= end)
    .map((record) => ({
      session: String(record.session),
      id: String(record.tool_use_id) as ToolUseId,
      tool: String(record['tool']),
      intent: record.hash,
    }));
}

function isIdentity(value: unknown): value is ProcessIdentity {
  const isText = (field: unknown) => field === null || typeof field === 'string';
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    Number.isInteger(value.pid) &&
    value.pid > 0 &&
    'startTime' in value &&
    isText(value.startTime) &&
    'bootId' in value &&
    isText(value.bootId) &&
    'pidNamespace' in value &&
    isText(value.pidNamespace)
  );
}
