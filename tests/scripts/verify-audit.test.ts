/** The independent verifier says of good and of tampered logs what `hookd audit verify` says. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANNEL_DEFAULTS } from '../../src/audit/channel-settings.ts';
import { Trail } from '../../src/audit/trail.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/verify-audit.py');

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import hashlib, json, pathlib']);
    return true;
  } catch {
    return false;
  }
}

/** Two chains: one over a rotation and a failed file, one that names its head. */
async function goodLog() {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-second-')), 'audit');
  const trail = new Trail(AuditWriter.create(join(audit, 'a')));
  trail.configure({ ...CHANNEL_DEFAULTS, rotateBytes: 3000, checkpointEvery: 4 });
  const say = (text: string) => trail.record('prompt', { text });
  for (let n = 1; n <= 30; n++) say(`ünïcode ${n} ${'x'.repeat(200)}`);
  await trail.durable();
  const files = () =>
    execFileSync('ls', [join(audit, 'a')], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((name) => join(audit, 'a', name));
  say('not durable');
  appendFileSync(files().at(-1) ?? '', 'somebody else\n');
  await expect(trail.durable()).rejects.toThrow();
  say('after');
  await trail.close();
  const later = new Trail(AuditWriter.create(join(audit, 'b')));
  later.record('daemon_started', {
    ...{ writer: 'b', version: '', node: '', mode: 'foreground' },
    process: { pid: 1, startTime: null, bootId: null, pidNamespace: null },
    heads: [{ writer: 'a', seq: trail.head.seq, hash: trail.head.hash }],
  });
  return { audit, files: files(), head: trail.head.hash };
}

const second = (audit: string, ...more: string[]) =>
  spawnSync('python3', [SCRIPT, audit, ...more], { encoding: 'utf8' });
const isSound = (audit: string) => verifyAll(audit).every(({ problem }) => problem === undefined);

const edit = (file: string, change: (lines: string[]) => string[]) =>
  writeFileSync(file, `${change(readFileSync(file, 'utf8').trimEnd().split('\n')).join('\n')}\n`);

type Log = Awaited<ReturnType<typeof goodLog>>;
const TAMPERED: readonly (readonly [string, (log: Log) => void])[] = [
  [
    'a changed word',
    ({ files: [first = ''] }) => writeFileSync(first, readFileSync(first, 'utf8').replace('xxx', 'xyx')),
  ],
  ['a removed record', ({ files: [first = ''] }) => edit(first, (lines) => lines.toSpliced(3, 1))],
  [
    'a repeated record',
    ({ files: [first = ''] }) => edit(first, (lines) => lines.toSpliced(3, 0, lines[2] ?? '')),
  ],
  [
    'records in another order',
    ({ files: [first = ''] }) =>
      edit(first, (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? '')),
  ],
  [
    'a line that is no record',
    ({ files: [first = ''] }) => edit(first, (lines) => lines.toSpliced(3, 0, '{}')),
  ],
  ['a removed file', ({ files }) => rmSync(files[1] ?? '')],
  [
    'two files that changed places',
    ({ files: [first = '', next = ''] }) => {
      renameSync(first, `${first}.x`);
      renameSync(next, first);
      renameSync(`${first}.x`, next);
    },
  ],
  [
    'a cut end that another chain saw',
    ({ files }) => edit(files.at(-1) ?? '', (lines) => lines.slice(0, -1)),
  ],
  ['a removed chain that another one saw', ({ audit }) => rmSync(join(audit, 'a'), { recursive: true })],
];

// Without python3 there is no second opinion to ask: said in the name of what is left out.
describe.skipIf(!hasPython())('the independent verifier (needs python3)', () => {
  it('finds a good log sound, over rotation, a failed file and several chains', async () => {
    const { audit, head } = await goodLog();
    const { status, stdout, stderr } = second(audit, head);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+ records in 2 chains, all sound/);
    expect(isSound(audit)).toBe(true);
    expect(second(audit, 'f'.repeat(64)).status).toBe(1);
  });

  it('misses no chain that retention has removed and said so', async () => {
    const { audit, head } = await goodLog();
    const third = new Trail(AuditWriter.create(join(audit, 'c')));
    const facts = { files: 1, bytes: 1, last_seq: 1, last_hash: head };
    third.record('chain_removed', { of_writer: 'a', reason: 'age', ...facts });
    rmSync(join(audit, 'a'), { recursive: true });
    expect(second(audit).stderr).toBe('');
  });

  it.each(TAMPERED)('finds %s, as we do', async (_, tamper) => {
    const log = await goodLog();
    expect(log.files.length).toBeGreaterThan(3);
    tamper(log);
    const { status, stderr } = second(log.audit);
    expect(stderr).toMatch(/^NOT sound: /);
    expect(status).toBe(1);
    expect(isSound(log.audit)).toBe(false);
  });
});
