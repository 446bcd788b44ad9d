/**
 * Finds a program that another process started for us and died before it could say so. It leads a group, has the
 * environment that we gave it, began after we asked, and its parent is gone. Linux; elsewhere nothing is found.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processes } from './process-group.ts';

/** What a shell adds, or changes, for the program that it gives way to. */
const OF_SHELLS = /^(?:_|PWD|OLDPWD|SHLVL)=/;

export interface LostChild {
  readonly env: Readonly<Record<string, string>>;
  /** Of `ticksNow`, when it was asked for. */
  readonly since: number;
  /** Who is alive and known: their children are no orphans. */
  readonly parents: () => readonly (number | undefined)[];
}

/** It may be on its way from fork to exec, where it is not to be told from its parent. */
const LOOKS_MS = [0, 20, 100, 200];
/** Of the kernel's reports, on every architecture of ours. */
const TICKS_A_SECOND = 100;

/** Clock ticks since boot, as processes say when they began; rounded down. */
export function ticksNow(): number {
  try {
    return Math.floor(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * TICKS_A_SECOND);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export async function findLost({ env, since, parents }: LostChild): Promise<number | undefined> {
  const wanted = sorted(Object.entries(env).map(([name, value]) => `${name}=${value}`));
  for (const waitMs of LOOKS_MS) {
    await delay(waitMs);
    const known = [...parents(), process.pid];
    const found = (processes() ?? []).find(
      ({ pid, group, parent, startTime }) =>
        pid === group &&
        Number(startTime) >= since &&
        !known.includes(parent) &&
        environmentOf(pid) === wanted,
    );
    if (found !== undefined) return found.pid;
  }
  return undefined;
}

function environmentOf(pid: number): string | undefined {
  try {
    return sorted(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1));
  } catch {
    return undefined;
  }
}

function sorted(variables: readonly string[]): string {
  return variables
    .filter((variable) => !OF_SHELLS.test(variable))
    .sort()
    .join('\0');
}
