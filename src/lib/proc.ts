/** What /proc tells about processes, to recognise one again after a restart. Linux; elsewhere everything is null. */
import { readFileSync, readlinkSync } from 'node:fs';

/** Field 22 of /proc/PID/stat: clock ticks since boot. With the pid it names one process for ever; null when there is none. */
export function processStartTime(pid: number | 'self'): string | null {
  return statOf(pid)?.startTime ?? null;
}

interface Stat {
  readonly state: string | undefined;
  readonly parent: number;
  readonly startTime: string | null;
}

function statOf(pid: number | 'self'): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], parent: Number(fields[1]), startTime: fields[19] ?? null };
  } catch {
    return undefined;
  }
}

/** True of this process and of those that it descends from. */
export function isOurAncestor(pid: number): boolean {
  for (let one: number | undefined = process.pid; one !== undefined && one > 1; one = statOf(one)?.parent)
    if (one === pid) return true;
  return false;
}

export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string | null;
  readonly bootId: string | null;
  /** Pids mean something only within their namespace. */
  readonly pidNamespace: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: processStartTime('self'),
    bootId: readBootId(),
    pidNamespace: readPidNamespace(),
  };
}

/** `unknown` when the process lives (or lived) in a pid namespace that we cannot look into. */
export function lifeOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  const { pid, startTime, bootId, pidNamespace } = identity;
  if (bootId === null || startTime === null) return isSignallable(pid) ? 'unknown' : 'dead';
  if (bootId !== readBootId()) return 'dead';
  if (pidNamespace !== readPidNamespace()) return 'unknown';
  const stat = statOf(pid);
  // A zombie does nothing more; in a container without an init it may stand there for ever.
  return stat?.startTime === startTime && !isEnded(stat.state) ? 'alive' : 'dead';
}

function isEnded(state: string | undefined): boolean {
  return state === 'Z' || state === 'X';
}

/** Also true of a process that we may not signal: only one that is not there is surely gone. */
function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function readPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}
