/** Starts one program in a group and a session of its own: by this process, or by the spawner where this one is large. */
import { spawn } from 'node:child_process';
import { processStartTime } from './proc.ts';
import { signalGroup } from './process-group.ts';
import { Spawner, type SpawnRequest } from './spawner.ts';
import type { ProcessEnd } from './subprocess.ts';

export interface StartedHere {
  readonly pid: number;
  readonly startTime: string | null;
  readonly exited: Promise<ProcessEnd>;
}

/** From this much memory on a fork costs more than asking somebody else for it. */
const LARGE_BYTES = 96 * 1024 * 1024;
let spawner: Spawner | undefined;
let largeBytes = LARGE_BYTES;

/** For a process that lives long and grows: programs are started by a small one. Returns what ends it. */
export function startThroughSpawner(fromBytes = LARGE_BYTES): () => void {
  largeBytes = fromBytes;
  const started = new Spawner((group) => void signalGroup(group, 'SIGKILL'));
  spawner = started;
  return () => {
    if (spawner === started) spawner = undefined;
    started.close();
  };
}

/** Resolves to an error where the system, or Node, refuses. */
export async function startChild(request: SpawnRequest): Promise<StartedHere | Error> {
  if (spawner !== undefined && process.memoryUsage.rss() >= largeBytes) {
    const result = await spawner.start(request);
    if (!('kind' in result)) {
      const { pid, startTime, exited } = result;
      return { pid, startTime, exited: exited.then(endFrom) };
    }
    if (result.kind === 'refused') return result.error;
  }
  return startHere(request);
}

/** Some refusals arrive as a child without a pid. */
async function startHere({ file, args, cwd, env, descriptors }: SpawnRequest): Promise<StartedHere | Error> {
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: [...descriptors],
      // A group and a session of its own, without a terminal; we end it ourselves, as a group.
      detached: true,
    });
    const { pid } = child;
    if (pid === undefined) return await new Promise<Error>((resolve) => child.once('error', resolve));
    const exited = new Promise<ProcessEnd>((resolve) => {
      child.once('exit', (code, signal) => resolve(endFrom({ code, signal })));
    });
    return { pid, startTime: processStartTime(pid), exited };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function endFrom({ code, signal }: { code: number | null; signal: string | null }): ProcessEnd {
  return code === null ? { kind: 'signalled', signal: String(signal) } : { kind: 'exited', code };
}
