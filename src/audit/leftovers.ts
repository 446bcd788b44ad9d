/**
 * Processes that a killed hookd left running: children of a tool or a hook whose end is not on record. The next start
 * ends them: nobody waits for what they do, and nothing would record it.
 */
import type { HookRef, StartedProcess, ToolUseId } from '../core/vocabulary.ts';
import { isOurAncestor, lifeOf, type ProcessIdentity } from '../lib/proc.ts';
import { endGroup, liveMembers } from '../lib/process-group.ts';
import type { StoredRecord } from './chain.ts';
import { readRecords, type SegmentFile } from './read.ts';
import type { LeftoverProcess } from './record-values.ts';
import type { Trail } from './trail.ts';

const GRACE_MS = 1000;
const KILL_WAIT_MS = 2000;

export type Leftover = Omit<LeftoverProcess, 'state'>;

/** Those of one chain whose writer, `identity`, is dead. Only a process with the recorded start time is the recorded one. */
export function leftoversOf(
  writer: string,
  segments: readonly SegmentFile[],
  identity: ProcessIdentity,
): readonly Leftover[] {
  const open: StoredRecord[] = [];
  for (const { path } of segments)
    for (const record of readRecords(path)) {
      if (record.kind === 'process_started') open.push(record);
      const ended = open.findIndex((started) => endsWith(started, record));
      if (ended !== -1) open.splice(ended, 1);
    }
  const seen = new Set<number>();
  return open.flatMap((record): Leftover[] => {
    const { process: child } = record;
    if (!isChild(child) || seen.has(child.pid) || !stillRuns(child, identity)) return [];
    seen.add(child.pid);
    const { tool_use_id: id, session, hook } = record;
    return [
      {
        of_writer: writer,
        process: child,
        ...(session === undefined ? {} : { of_session: session }),
        ...(id === undefined ? {} : { id: id as ToolUseId }),
        ...(hook === undefined ? {} : { hook: hook as HookRef }),
      },
    ];
  });
}

/** A tool has one child at a time; of a hook that runs twice at once the older run is taken for the one that ended. */
function endsWith(started: StoredRecord, record: StoredRecord): boolean {
  if (record.session !== started.session || record.tool_use_id !== started.tool_use_id) return false;
  if (started['hook'] === undefined) return record.kind === 'tool_result';
  return record.kind === 'hook_run' && JSON.stringify(record['hook']) === JSON.stringify(started['hook']);
}

/** Not one that we are a child of: hookd may be what the left command runs. */
function stillRuns({ pid, startTime }: StartedProcess, identity: ProcessIdentity): boolean {
  return lifeOf({ ...identity, pid, startTime }) === 'alive' && startTime !== null && !isOurAncestor(pid);
}

/** Each is on record before it is ended, and again when it was. Throws AUDIT_*. */
export async function endLeftovers(trail: Trail, leftovers: readonly Leftover[]): Promise<void> {
  if (leftovers.length === 0) return;
  for (const leftover of leftovers) trail.record('leftover_process', { ...leftover, state: 'found' });
  await trail.durable();
  await Promise.all(
    leftovers.map(({ process: { processGroup } }) => endGroup(processGroup, GRACE_MS, KILL_WAIT_MS)),
  );
  for (const leftover of leftovers) {
    const state = liveMembers(leftover.process.processGroup) === 0 ? 'ended' : 'still_running';
    trail.record('leftover_process', { ...leftover, state });
  }
}

function isChild(value: unknown): value is StartedProcess {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    'processGroup' in value &&
    Number.isInteger(value.pid) &&
    // Its own group and no other: a group of a made-up record must not be signalled.
    value.pid === value.processGroup &&
    Number(value.pid) > 1 &&
    'startTime' in value &&
    typeof value.startTime === 'string'
  );
}
