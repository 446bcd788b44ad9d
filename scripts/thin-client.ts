/**
 * What a thin command costs: `hookd approvals list` in alternation with `node -e 0`, on this machine, against a daemon
 * of its own. It must stay within 1.5 × `node -e 0` + 20 ms. Needs a quiet machine: npx tsx scripts/thin-client.ts [ROUNDS]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HOOKD = process.env['HOOKD_BIN'] ?? resolve(import.meta.dirname, '../dist/hookd.cjs');
const rounds = Number(process.argv[2] ?? '30');
const home = mkdtempSync(join(tmpdir(), 'hookd-thin-'));
const env = { ...process.env, HOOKD_HOME: join(home, '.hookd') };

function timeOf(args: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const took = performance.now() - began;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return took;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  timeOf([HOOKD, 'daemon', 'start']);
  const commands = {
    'node -e 0': ['-e', '0'],
    'approvals list': [HOOKD, 'approvals', 'list'],
    'daemon status': [HOOKD, 'daemon', 'status'],
  };
  const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, args] of Object.entries(commands)) times.get(name)?.push(timeOf(args));
  const floor = middle(times.get('node -e 0') ?? []);
  for (const [name, values] of times)
    console.log(
      `${name.padEnd(16)} median ${middle(values).toFixed(0)} ms, least ${Math.min(...values).toFixed(0)} ms, ${(middle(values) / floor).toFixed(2)} × node -e 0`,
    );
  const most = 1.5 * floor + 20;
  const isWithin = middle(times.get('approvals list') ?? []) <= most;
  console.log(`allowed: ${most.toFixed(0)} ms: ${isWithin ? 'kept' : 'EXCEEDED'}`);
  process.exitCode = isWithin ? 0 : 1;
} finally {
  spawnSync(process.execPath, [HOOKD, 'daemon', 'stop', '--grace', '0'], { env });
  rmSync(home, { recursive: true, force: true });
}
