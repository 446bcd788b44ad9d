/**
 * What hooks cost beyond their processes: the engine (payload, selection, run, outcome, records) against the bare
 * parallel spawn of the same commands with the same descriptors, in turns in one run.
 *   npx tsx scripts/hook-cost.ts [ROUNDS]
 * Prints the medians and their ratio for 1, 4 and 16 hooks `true`. The aim is a ratio of at most 1.25 on a quiet machine.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Trail } from '../src/audit/trail.ts';
import { AuditWriter } from '../src/audit/writer.ts';
import type { SessionId } from '../src/core/vocabulary.ts';
import { Background } from '../src/hooks/background.ts';
import { runHooks } from '../src/hooks/dispatch.ts';
import type { Hook } from '../src/hooks/hook.ts';
import type { HookHost } from '../src/hooks/host.ts';
import { childEnvironment } from '../src/lib/child-env.ts';
import { openStreams } from '../src/lib/child-streams.ts';
import { FifoPool } from '../src/lib/fifo.ts';

const AIM = 1.25;
const rounds = Number(process.argv[2] ?? 40);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-cost-')));
const trail = new Trail(AuditWriter.create(join(root, 'audit', 'w'))).forSession('s' as SessionId);
const env = childEnvironment(process.env, { projectDir: root });
const host: HookHost = {
  sessionId: 's',
  promptId: () => undefined,
  workplace: { project: root, cwd: root, home: root, hookdHome: join(root, 'home'), directories: [] },
  catchUp: () => undefined,
  transcriptPath: () => join(root, 'transcript.jsonl'),
  sessionDir: root,
  envFile: join(root, 'env'),
  environmentOf: () => env,
  current: () => ({ digest: '', hooks: { hooks: [] }, permissionMode: 'default' }),
  settle: () => Promise.resolve(host.current()),
  background: new Background(),
  watch: () => undefined,
  tell: () => undefined,
};
const occasion = {
  event: 'PreToolUse',
  subject: 'Bash',
  fields: { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 'u' },
} as const;
const payload = JSON.stringify(occasion.fields);
const signal = new AbortController().signal;
const fifos = new FifoPool(async (paths) => {
  await promisify(execFile)('mkfifo', [...paths]);
});

function hooksOf(count: number): readonly Hook[] {
  const source = { file: 'f', line: 1, column: 1, scope: 'user', dialect: 'hookd' } as const;
  const handler = { type: 'command', command: 'true', shell: 'bash' } as const;
  const rest = {
    matcher: undefined,
    timeoutMs: undefined,
    condition: undefined,
    isAsync: false,
    onFailure: undefined,
    statusMessage: undefined,
  };
  return Array.from({ length: count }, () => ({ event: 'PreToolUse', handler, ...rest, source }));
}

/** A child in a group of its own, on the same kinds of descriptors, awaited to its end. */
async function bareSpawn(): Promise<void> {
  const streams = await openStreams(
    fifos,
    { stdin: payload, streams: 'separate', keepCharacters: 1000 },
    () => undefined,
  );
  await new Promise((done) => {
    spawn('bash', ['-c', 'true'], { cwd: root, env, detached: true, stdio: [...streams.descriptors] }).on(
      'exit',
      done,
    );
  });
  streams.finish();
  streams.close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

console.log(`load ${loadavg()[0]?.toFixed(1)}, ${rounds} rounds`);
for (const count of [1, 4, 16]) {
  const hooks = hooksOf(count);
  const [bare, engine]: [number[], number[]] = [[], []];
  for (let round = -3; round < rounds; round++) {
    const times = [
      await timed(() => Promise.all(Array.from({ length: count }, bareSpawn))),
      await timed(() => runHooks(trail, host, occasion, hooks, signal)),
    ] as const;
    if (round < 0) continue; // warm-up
    bare.push(times[0]);
    engine.push(times[1]);
  }
  const ratio = median(engine) / median(bare);
  console.log(
    `${String(count).padStart(2)} hooks: bare ${median(bare).toFixed(2)} ms, engine ${median(engine).toFixed(2)} ms, ratio ${ratio.toFixed(2)}${ratio > AIM ? ` (over ${AIM})` : ''}`,
  );
}
await trail.close();
process.exit(0);
