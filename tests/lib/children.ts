/** Runs small bash scripts through `runProcess`, and looks at processes from outside. */
import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessRequest, type ProcessResult, runProcess } from '../../src/lib/subprocess.ts';

export const CHILD_ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', SHLVL: '1', HOME: '/' };

export function runScript(script: string, changes: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  return runProcess({
    file: 'bash',
    args: ['-c', script],
    cwd: '/',
    env: CHILD_ENV,
    streams: 'merged',
    keepCharacters: 10_000,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...changes,
  });
}

/** Ids of the processes of a group that run; the dead that nobody has reaped are left out. */
export function runningInGroup(group: number): number[] {
  return processes()
    .filter((entry) => entry.group === group && entry.state !== 'Z')
    .map((entry) => entry.pid);
}

/** Ids of our own children that nobody has waited for. */
export function ownZombies(): number[] {
  return processes()
    .filter((entry) => entry.parent === process.pid && entry.state === 'Z')
    .map((entry) => entry.pid);
}

export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), state, parent: Number(parent), group: Number(group) }];
      } catch {
        return [];
      }
    });
}
