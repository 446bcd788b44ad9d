/** Process groups: who is in one, who has left one, and ending both for certain. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;

/** Sends a signal to every member; false when there is none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: there are members, but all of them belong to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * How many members of a group run. The dead that nobody has reaped do not count, although the kernel still
 * delivers signals to them. Null where there is no /proc to tell.
 */
export function liveMembers(group: number): number | null {
  if (!signalGroup(group, 0)) return 0;
  return processes()?.filter((one) => one.group === group).length ?? null;
}

/**
 * Asks all members to end, and after `graceMs` makes them. Returns when none runs any more, at the latest after
 * `patienceMs` more. Who has left the group (setsid) is ended with it, as long as a line of parents leads back to it.
 */
export async function endGroup(group: number, graceMs: number, patienceMs: number): Promise<void> {
  let runaways = descendantsOutside(group, []);
  const isOver = () => !isAlive(group) && !runaways.some((one) => isRunning(one) || leadsLiveGroup(one));
  signalAll(group, runaways, 'SIGTERM');
  if (await comesTrue(isOver, graceMs)) return;
  runaways = descendantsOutside(group, runaways.filter(isRunning));
  signalAll(group, runaways, 'SIGKILL');
  await comesTrue(isOver, patienceMs);
}

async function comesTrue(condition: () => boolean, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Without /proc a group counts as alive as long as signals reach it: `liveMembers` is then null, and 0 only when none does. */
function isAlive(group: number): boolean {
  const members = liveMembers(group);
  return members === null || members > 0;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** A pid alone may name another process by the time that it is signalled. */
  readonly startTime: string | undefined;
}

function descendantsOutside(group: number, known: readonly Process[]): readonly Process[] {
  const all = processes() ?? [];
  const family = new Set(known.map(({ pid }) => pid));
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const one of all) if (one.group === group || family.has(one.parent)) family.add(one.pid);
  }
  return all.filter((one) => family.has(one.pid) && one.group !== group);
}

function signalAll(group: number, others: readonly Process[], signal: NodeJS.Signals): void {
  signalGroup(group, signal);
  for (const one of others) {
    if (!isRunning(one)) continue;
    // With its group: a child that it starts in this moment would be missed one by one.
    if (one.pid === one.group && signalGroup(one.group, signal)) continue;
    try {
      process.kill(one.pid, signal);
    } catch {
      // It has ended in this moment, or belongs to another user.
    }
  }
}

function leadsLiveGroup({ pid, group }: Process): boolean {
  return pid === group && isAlive(group);
}

function isRunning({ pid, startTime }: Process): boolean {
  return processOf(String(pid))?.startTime === startTime;
}

/** All that run; undefined where there is no /proc. */
export function processes(): readonly Process[] | undefined {
  try {
    return readdirSync('/proc').flatMap((name) => processOf(name) ?? []);
  } catch {
    return undefined;
  }
}

/** Undefined when there is none, or only what is left of a dead one. */
function processOf(pid: string): Process | undefined {
  if (!/^[0-9]+$/.test(pid)) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, a name, may hold anything.
    const [state, parent, group, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { pid: Number(pid), parent: Number(parent), group: Number(group), startTime: more[16] };
  } catch {
    return undefined;
  }
}
