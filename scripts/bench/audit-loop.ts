/**
 * The audit channel at full speed, and the bare loop beside it: all sessions write the eight records of an ordinary call
 * with its two barriers. The bare loop writes lines of the same sizes, made beforehand, in the same pattern of write and
 * fdatasync, with nothing else.
 */
import { closeSync, fdatasync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HookEnd } from '../../src/audit/record-values.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type {
  HookedCall,
  SessionId,
  StartedProcess,
  Tool,
  ToolCall,
  ToolUseId,
} from '../../src/core/vocabulary.ts';
import type { Permit } from '../../src/permissions/permit.ts';

const syncData = promisify(fdatasync);

export interface LoopOptions {
  readonly sessions: number;
  readonly ms: number;
}

export interface Measured {
  readonly records: number;
  readonly cpuMs: number;
  readonly seconds: number;
  readonly barriersMs: readonly number[];
}

export const rate = ({ records, seconds }: Measured): number => records / seconds;

export interface Round {
  readonly ours: Measured;
  readonly bare: Measured;
}

/** Until V8 has optimised the channel: the first rounds of a process are a fifth slower than what follows. */
const WARM_ROUNDS = 3;

/** The channel and the bare loop in turns, since the disk is not equally fast at all times. What they write is removed at once. */
export async function* auditRounds(root: string, count: number, options: LoopOptions): AsyncGenerator<Round> {
  let lines: readonly Buffer[] = [];
  for (let round = -WARM_ROUNDS; round < count; round++) {
    const [directory, path] = [join(root, `trail ${round}`), join(root, `bare ${round}`)];
    const ours = await throughTrail(directory, options);
    if (lines.length === 0) lines = linesOf(directory);
    const bare = await bareLoop(path, options, lines);
    rmSync(directory, { recursive: true });
    rmSync(path);
    if (round >= 0) yield { ours, bare };
  }
}

/** The lines that `throughTrail` has written to a directory. */
function linesOf(directory: string): readonly Buffer[] {
  return readFileSync(join(directory, '000001.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(`${line}\n`));
}

const tool = { name: 'Bash' } as Tool;
const hook = { event: 'PreToolUse', name: './guard.sh', file: '/home/me/.hookd/settings.json', line: 7 };
const output = {
  characters: 0,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  head: '',
};

/** One call: what the stages record, in their order. */
async function call(trail: Trail, n: number, barrier: () => Promise<void>): Promise<void> {
  const id = `toolu_${n}` as ToolUseId;
  const input = { command: `grep -rn "function ${n}" src --include=*.ts | head -20` };
  const parsed = { id, tool, input } as unknown as ToolCall;
  trail.record('tool_use', { id, name: 'Bash', input });
  trail.record('tool_call', parsed);
  trail.record('hook_started', { hook, id });
  const end: HookEnd = {
    hook,
    id,
    end: { kind: 'exited', code: 0 },
    duration_ms: 3,
    is_async: false,
    verdict: 'none',
    warnings: [],
    stdout: output,
    stderr: output,
    survivors: 0,
  };
  trail.record('hook_run', end);
  trail.record('hooked_call', { call: parsed } as unknown as HookedCall);
  const decision = {
    behavior: 'allow',
    reason: 'Allowed by the rule "Bash(grep *)".',
    cause: {
      kind: 'rule',
      rule: { text: 'Bash(grep *)', list: 'allow', file: hook.file, line: 4, column: 7 },
    },
  };
  trail.record('permission', { call: parsed, decision, policy: output.sha256 } as unknown as Permit);
  await barrier();
  const process: StartedProcess = { pid: 4000 + n, processGroup: 4000 + n, startTime: '123456' };
  trail.record('process_started', { id, process });
  trail.record('tool_result', {
    id,
    outcome: 'ok',
    text: 'src/a.ts:12: function\n'.repeat(12),
    durationMs: 4,
  });
  await barrier();
}

/** Of this process, its threads included, since `from`. */
function cpuMs(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** What `act` took is added to `barriers`. */
async function timed(act: () => Promise<void>, barriers: number[]): Promise<void> {
  const began = performance.now();
  await act();
  barriers.push(performance.now() - began);
}

async function throughTrail(directory: string, { sessions, ms }: LoopOptions): Promise<Measured> {
  const trail = new Trail(AuditWriter.create(directory));
  const barriersMs: number[] = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  const until = began + ms;
  const all = Array.from({ length: sessions }, async (_, session) => {
    const own = trail.forSession(`session-${session}` as SessionId).forTurn(1);
    for (let n = 0; performance.now() < until; n++)
      await call(own, n, () => timed(() => trail.durable(), barriersMs));
  });
  await Promise.all(all);
  await trail.close();
  const took = (performance.now() - began) / 1000;
  return { records: trail.head.seq, cpuMs: cpuMs(cpu), seconds: took, barriersMs };
}

/** The same lines, ready made; a barrier is one fdatasync for all who wait for it. */
async function bareLoop(
  path: string,
  { sessions, ms }: LoopOptions,
  lines: readonly Buffer[],
): Promise<Measured> {
  const fd = openSync(path, 'ax', 0o600);
  const barriersMs: number[] = [];
  let written = 0;
  let synced = 0;
  let syncing: Promise<void> | undefined;
  const sync = async () => {
    const reached = written;
    await syncData(fd);
    synced = reached;
    syncing = undefined;
  };
  const barrier = async () => {
    const wanted = written;
    while (synced < wanted) {
      syncing ??= sync();
      await syncing;
    }
  };
  const cpu = process.cpuUsage();
  const began = performance.now();
  const until = began + ms;
  const write = (count: number) => {
    for (let n = 0; n < count; n++) {
      const line = lines[written % lines.length] ?? Buffer.alloc(0);
      writeSync(fd, line);
      written += 1;
    }
  };
  const all = Array.from({ length: sessions }, async () => {
    while (performance.now() < until) {
      write(6);
      await timed(barrier, barriersMs);
      write(2);
      await timed(barrier, barriersMs);
    }
  });
  await Promise.all(all);
  closeSync(fd);
  const took = (performance.now() - began) / 1000;
  return { records: written, cpuMs: cpuMs(cpu), seconds: took, barriersMs };
}
