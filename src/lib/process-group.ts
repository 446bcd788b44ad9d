/** Process groups: who is in one, and ending one for certain. */
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
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return null;
  }
  const members = entries.filter((entry) => {
    const fields = /^[0-9]+$/.test(entry) ? statFields(entry) : undefined;
    return fields !== undefined && fields[2] === String(group) && fields[0] !== 'Z' && fields[0] !== 'X';
  });
  return members.length;
}

/** Asks all members to end, and after `graceMs` makes them. Returns when none runs any more, at the latest after `patienceMs` more. */
export async function endGroup(group: number, graceMs: number, patienceMs: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  if (await isGone(group, graceMs)) return;
  signalGroup(group, 'SIGKILL');
  await isGone(group, patienceMs);
}

async function isGone(group: number, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (isAlive(group)) {
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

/** The fields of /proc/PID/stat from the third on (state, parent, group …): the second, a name, may hold anything. */
function statFields(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
