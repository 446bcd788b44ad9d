/**
 * How fast `hookd audit verify` checks a chain, in the threads that it takes for it and in one, beside the floor: reading
 * and hashing the same lines in one thread. The second thread is the one of dist/, whose start is part of what is measured.
 * `npx tsx scripts/verify-rate.ts [RECORDS]` (default 300,000). The aim: 300,000 records a second on a quiet 2-core machine.
 */
import { createHash } from 'node:crypto';
import { accessSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_PREVIOUS, sealLine, TAIL_BYTES } from '../src/audit/chain.ts';
import { type How, startWorker } from '../src/audit/check-ahead.ts';
import type { Errand } from '../src/audit/piece-list.ts';
import { readLines } from '../src/audit/read.ts';
import { verifyPath } from '../src/audit/verify.ts';

const ROUNDS = 3;
const WORKER = new URL('../dist/check-worker.js', import.meta.url);
accessSync(WORKER);
const records = Number(process.argv[2] ?? 300_000);
const root = mkdtempSync(join(tmpdir(), 'hookd-verify-rate-'));
try {
  const directory = join(root, 'chain');
  mkdirSync(directory);
  const file = join(directory, '000001.jsonl');
  const bytes = writeChain(file, records);
  console.log(`${records} records, ${Math.round(bytes / records)} bytes each`);
  for (let round = 1; round <= ROUNDS; round++) {
    const floor = timed(() => {
      for (const line of readLines(file))
        createHash('sha256').update(line.bytes.subarray(0, -TAIL_BYTES)).digest();
    });
    let threads = 1;
    const help = (errand: Errand) => {
      threads += 1;
      startWorker(WORKER, errand);
    };
    const verify = timed(() => check(directory, { help }));
    const alone = timed(() => check(directory, { threads: 1 }));
    const rate = (ms: number) => `${Math.round(records / ms)},000 a second`;
    console.log(
      `verify ${rate(verify.wallMs)} in ${threads} threads (CPU: ${rate(verify.cpuMs)}), ${rate(alone.wallMs)} in one (CPU: ${rate(alone.cpuMs)}); floor ${rate(floor.wallMs)} (CPU: ${rate(floor.cpuMs)})`,
    );
  }
} finally {
  rmSync(root, { recursive: true });
}

function check(directory: string, how: How): void {
  const [report] = verifyPath(directory, undefined, how);
  if (report?.problem !== undefined || report?.records !== records) throw new Error('the chain is not sound');
}

/** Calls as sessions make them, of seven records each. Returns the bytes. */
function writeChain(path: string, count: number): number {
  const time = '2026-11-30T00:00:00.000Z';
  const common = {
    session: '5e551041-0000-4000-8000-000000000000',
    turn: 1,
  };
  const rule = {
    text: 'Bash(echo *)',
    list: 'allow',
    file: '/home/user/.hookd/settings.json',
    line: 3,
    column: 5,
  };
  const output = { characters: 0, sha256: '0'.repeat(64), head: '' };
  const kinds = [
    { kind: 'tool_use', name: 'Bash', input: { command: 'echo "hello" \u00fc' } },
    { kind: 'tool_call', tool: 'Bash' },
    {
      kind: 'hook_run',
      end: { kind: 'exited', code: 0 },
      duration_ms: 12,
      warnings: [],
      stdout: output,
      stderr: output,
    },
    { kind: 'hooked_call', tool: 'Bash', verdict: 'none' },
    { kind: 'permission', tool: 'Bash', decision: 'allow', reason: 'r', cause: { kind: 'rule', rule } },
    { kind: 'tool_started', tool: 'Bash' },
    { kind: 'tool_result', outcome: 'ok', text: 'hello\n'.repeat(20), duration_ms: 16 },
  ];
  const lines: string[] = [];
  let previous = NO_PREVIOUS;
  for (let seq = 1; seq <= count; seq++) {
    const { kind, ...fields } = kinds[seq % kinds.length] ?? { kind: 'prompt' };
    const body = { time, kind, ...common, tool_use_id: `toolu_${seq}`, ...fields };
    const sealed = sealLine(seq, previous, JSON.stringify(body));
    lines.push(sealed.line);
    previous = sealed.hash;
  }
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, text);
  return Buffer.byteLength(text);
}

function timed(act: () => void): { readonly wallMs: number; readonly cpuMs: number } {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  act();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - wall, cpuMs: (user + system) / 1000 };
}
