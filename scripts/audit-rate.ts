/**
 * How fast are records written, and what do the barriers cost?
 *   npx tsx scripts/audit-rate.ts [SECONDS] [SESSIONS]
 *   npx tsx scripts/audit-rate.ts 10 8     # ten seconds, about half of them for each
 * All sessions write the eight records of an ordinary call with its two barriers, as fast as they can. Beside it the
 * bare loop: lines of the same sizes, made beforehand, in the same pattern of write and fdatasync, with nothing else.
 * The two take turns, since the disk is not equally fast at all times. Exit 1 when one of the LIMITS is not kept.
 */
import { closeSync, fdatasync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HookEnd } from '../src/audit/record-values.ts';
import { Trail } from '../src/audit/trail.ts';
import { AuditWriter } from '../src/audit/writer.ts';
import type {
  HookedCall,
  SessionId,
  StartedProcess,
  Tool,
  ToolCall,
  ToolUseId,
} from '../src/core/vocabulary.ts';
import type { Permit } from '../src/permissions/permit.ts';

const LIMITS = { recordsPerSecond: 20_000, barrierP99Ms: 10, ratio: 0.7, memoryGrowth: 1.5 };
const ROUND_MS = 500;
const syncData = promisify(fdatasync);

const rounds = Math.max(2, Number(process.argv[2] ?? 10));
const sessions = Number(process.argv[3] ?? 8);
const root = mkdtempSync(join(process.env['AUDIT_RATE_DIR'] ?? tmpdir(), 'hookd-rate-'));

interface Measured {
  readonly records: number;
  readonly cpuMs: number;
  readonly seconds: number;
  readonly barriersMs: readonly number[];
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

async function throughTrail(directory: string, ms: number): Promise<Measured> {
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
async function bare(path: string, ms: number, lines: readonly Buffer[]): Promise<Measured> {
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

/** Short turns, one after the other: what else runs on the machine disturbs both alike. */
const ours: Measured[] = [];
const theirs: Measured[] = [];
const memory: number[] = [];
await throughTrail(join(root, 'warm'), 500);
const lines = readFileSync(join(root, 'warm/000001.jsonl'), 'utf8')
  .split('\n')
  .slice(0, -1)
  .map((line) => Buffer.from(`${line}\n`));
for (let round = 0; round < rounds; round++) {
  ours.push(await throughTrail(join(root, `trail-${round}`), ROUND_MS));
  theirs.push(await bare(join(root, `bare-${round}`), ROUND_MS, lines));
  globalThis.gc?.();
  memory.push(process.memoryUsage().rss / 2 ** 20);
  for (const name of [`trail-${round}`, `bare-${round}`]) rmSync(join(root, name), { recursive: true });
}
rmSync(root, { recursive: true, force: true });

const rate = (measured: Measured) => measured.records / measured.seconds;
const ratio = median(ours.map((measured, round) => rate(measured) / rate(theirs[round] ?? measured)));
const recordsPerSecond = median(ours.map(rate));
const barrierP99Ms = p99(ours.flatMap(({ barriersMs }) => barriersMs));
const growth = (memory.at(-1) ?? 0) / (memory[Math.floor(rounds / 2)] ?? 1);
const cpu = (all: readonly Measured[]) => median(all.map(({ cpuMs, records }) => (1000 * cpuMs) / records));
console.log(
  `${sessions} sessions, ${rounds} rounds of ${ROUND_MS / 1000} s each, medians; bare loop in brackets`,
);
console.log(
  `records a second   ${recordsPerSecond.toFixed(0)} (${median(theirs.map(rate)).toFixed(0)}), ratio ${ratio.toFixed(2)}`,
);
console.log(
  `barrier p99 ms     ${barrierP99Ms.toFixed(1)} (${p99(theirs.flatMap(({ barriersMs }) => barriersMs)).toFixed(1)})`,
);
console.log(`CPU us a record    ${cpu(ours).toFixed(1)} (${cpu(theirs).toFixed(1)})`);
console.log(
  `memory MB          ${memory.map((mb) => mb.toFixed(0)).join(' ')}; end / middle ${growth.toFixed(2)}`,
);
const kept = {
  recordsPerSecond: recordsPerSecond >= LIMITS.recordsPerSecond,
  barrierP99Ms: barrierP99Ms <= LIMITS.barrierP99Ms,
  ratio: ratio >= LIMITS.ratio,
  memoryGrowth: growth <= LIMITS.memoryGrowth,
};
const missed = Object.entries(kept).flatMap(([name, isKept]) => (isKept ? [] : [name]));
if (missed.length > 0) console.log(`not kept: ${missed.join(', ')}`);
process.exit(missed.length === 0 ? 0 : 1);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}
