/** What /proc tells about processes, to recognise one again after a restart. Linux; elsewhere everything is null. */
import { readFileSync, readlinkSync } from 'node:fs';

/** Field 22 of /proc/PID/stat: clock ticks since boot. With the pid it names one process for ever; null when there is none. */
export function processStartTime(pid: number | 'self'): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[19] ?? null;
  } catch {
    return null;
  }
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
  if (identity.bootId === null || identity.startTime === null)
    return isSignallable(identity.pid) ? 'unknown' : 'dead';
  if (identity.bootId !== readBootId()) return 'dead';
  if (identity.pidNamespace !== readPidNamespace()) return 'unknown';
  return processStartTime(identity.pid) === identity.startTime ? 'alive' : 'dead';
}

function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
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
