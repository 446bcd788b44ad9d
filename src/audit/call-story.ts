/** One tool call as the log tells it: all its records, from every chain, and what is known of its end. */
import { dirname } from 'node:path';
import type { StoredRecord } from './chain.ts';
import { newestFirst } from './newest.ts';
import { lastOf, listSegments } from './read.ts';
import type { Found, ReadOptions } from './read-back.ts';
import { lifeOfWriter } from './recovery.ts';

/**
 * `finished`: its result is on record. `unknown`: hookd ended between permit and result, and a later start or the resumed
 * session said so.
 * `unsaid`: the same, and no later start has said it yet. `open`: no result, and its hookd runs, or may run.
 * `not_run`: hookd ended before there was a permit, so that nothing has run.
 */
export type CallEnd = 'finished' | 'unknown' | 'unsaid' | 'open' | 'not_run';

export interface CallStory {
  readonly session: string;
  readonly id: string;
  readonly end: CallEnd;
  /** Oldest first. */
  readonly records: readonly StoredRecord[];
  /** The files that hold them. */
  readonly files: readonly string[];
}

/** The calls whose id begins with `prefix`; where one has this very id, only those of this id. Newest last. */
export function findCalls(
  auditDirectory: string,
  prefix: string,
  session: string | undefined,
  faults: Pick<ReadOptions, 'onUnread' | 'onUnsound'>,
): readonly CallStory[] {
  const needle = Buffer.from(`"tool_use_id":${JSON.stringify(prefix).slice(0, -1)}`);
  const calls = new Map<string, Found[]>();
  const options = { ...faults, since: undefined, mayFit: (bytes: Buffer) => bytes.includes(needle) };
  for (const found of newestFirst(auditDirectory, options)) {
    const { record } = found;
    const of = sessionOf(record);
    // The bytes may also stand in a text: what counts is the field.
    if (record.tool_use_id?.startsWith(prefix) !== true || (session !== undefined && !of.startsWith(session)))
      continue;
    const call = `${of} ${record.tool_use_id}`;
    const known = calls.get(call);
    if (known === undefined) calls.set(call, [found]);
    else known.push(found);
  }
  const all = [...calls.values()].map((found) => storyOf(found.reverse())).reverse();
  const exact = all.filter(({ id }) => id === prefix);
  return exact.length > 0 ? exact : all;
}

/** A later start speaks in its own chain of another one's session. */
function sessionOf(record: StoredRecord): string {
  return String(record.session ?? record['of_session'] ?? '');
}

function storyOf(found: readonly Found[]): CallStory {
  const records = found.map(({ record }) => record);
  const first = records[0];
  return {
    session: first === undefined ? '' : sessionOf(first),
    id: first?.tool_use_id ?? '',
    end: endOf(found),
    records,
    files: [...new Set(found.map(({ path }) => path))],
  };
}

function endOf(found: readonly Found[]): CallEnd {
  const has = (fits: (record: StoredRecord) => boolean) => found.some(({ record }) => fits(record));
  if (has((record) => record.kind === 'tool_result' && record['outcome'] !== 'unknown')) return 'finished';
  if (has(({ kind }) => kind === 'outcome_unknown' || kind === 'tool_result')) return 'unknown';
  if (found.every(({ path }) => !mayStillWrite(dirname(path)))) {
    const isPermitted = has((record) => record.kind === 'permission' && record['decision'] === 'allow');
    return isPermitted ? 'unsaid' : 'not_run';
  }
  return 'open';
}

function mayStillWrite(chain: string): boolean {
  const segments = listSegments(chain);
  const last = lastOf(segments)?.record;
  if (last === undefined || last.kind === 'daemon_stopped') return false;
  const life = lifeOfWriter(segments, last);
  return life === undefined || life === 'unknown';
}
