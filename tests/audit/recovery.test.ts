/** What a start finds in the other chains, says once, and is never kept from starting by. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/audit/chain.ts';
import { openChain } from '../../src/audit/open-chain.ts';
import { listSegments, listWriters, readRecords } from '../../src/audit/read.ts';
import type { Judgement } from '../../src/audit/record-values.ts';
import type { Trail } from '../../src/audit/trail.ts';
import { MARKS } from '../../src/audit/unfinished.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import type { SessionId, ToolUseId } from '../../src/core/vocabulary.ts';
import { ownIdentity, type ProcessIdentity } from '../../src/lib/proc.ts';
import { always, first, withFaults } from './faults.ts';

const freshAudit = () => join(mkdtempSync(join(tmpdir(), 'hookd-recovery-')), 'audit');
const LIVING = ownIdentity();
const DEAD: ProcessIdentity = { ...LIVING, startTime: '1' };
/** In another container, or in one that is gone. */
const ELSEWHERE: ProcessIdentity = { ...LIVING, pidNamespace: 'pid:[1]' };

const start = (writer: string, process = LIVING) =>
  ({ writer, version: '', node: '', mode: 'foreground', process }) as const;

/** A later start, whole. */
async function startAndStop(audit: string, writer: string): Promise<readonly StoredRecord[]> {
  const trail = await openChain(audit, start(writer));
  trail.record('daemon_stopped', { reason: 'end' });
  await trail.close();
  return recordsOf(audit, writer);
}

function recordsOf(audit: string, writer: string): readonly StoredRecord[] {
  return listSegments(join(audit, writer)).flatMap(({ path }) => [...readRecords(path)]);
}

const unknownIn = (records: readonly StoredRecord[]) =>
  records
    .filter(({ kind }) => kind === 'outcome_unknown')
    .map((r) => [r['of_writer'], r.tool_use_id, r['writer_life']]);

function permit(trail: Trail, id: string): void {
  const judgement = { call: { id, tool: { name: 'Bash' } }, decision: { behavior: 'allow' }, policy: '' };
  trail.record('permission', judgement as unknown as Judgement);
}
const result = (trail: Trail, id: string) =>
  trail.record('tool_result', { id: id as ToolUseId, outcome: 'ok', text: '' });

/** A chain with one finished call and one without an outcome. */
async function chainWithOpenCall(audit: string, writer: string, process: ProcessIdentity) {
  const trail = await openChain(audit, start(writer, process));
  const session = trail.forSession('s' as SessionId);
  permit(session, 'done');
  result(session, 'done');
  permit(session, 'open');
  await trail.durable();
  return { trail, session };
}

function othersMayRead(directory: string): boolean {
  const { mode } = statSync(directory);
  if ((mode & 0o005) !== 0o005)
    console.warn(`not run: a chain of another user, who may not read ${directory}`);
  return (mode & 0o005) === 0o005 && (directory === '/' || othersMayRead(join(directory, '..')));
}

describe('a call without an outcome', () => {
  it('is found in a chain that says it stopped', async () => {
    const audit = freshAudit();
    const { trail } = await chainWithOpenCall(audit, 'a', LIVING);
    trail.record('daemon_stopped', { reason: 'AUDIT_UNAVAILABLE' });
    await trail.close();
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'stopped']]);
    expect(unknownIn(await startAndStop(audit, 'c'))).toEqual([]);
  });

  it('is found in a chain of a dead process, once', async () => {
    const audit = freshAudit();
    await chainWithOpenCall(audit, 'a', DEAD);
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'dead']]);
    expect(unknownIn(await startAndStop(audit, 'c'))).toEqual([]);
    expect(readFileSync(join(audit, 'a', MARKS.closed), 'utf8')).toBe('b\n');
    expect(verifyAll(audit).flatMap(({ problem, notes }) => [problem, ...notes])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is left alone while its process lives', async () => {
    const audit = freshAudit();
    await chainWithOpenCall(audit, 'a', LIVING);
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([]);
    expect(readdirSync(join(audit, 'a'))).toEqual(['000001.jsonl']);
  });

  it('is reported once where the life of its process cannot be known, and the chain is not marked closed', async () => {
    const audit = freshAudit();
    const { session } = await chainWithOpenCall(audit, 'a', ELSEWHERE);
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'unknown']]);
    expect(unknownIn(await startAndStop(audit, 'c'))).toEqual([]);
    expect(existsSync(join(audit, 'a', MARKS.closed))).toBe(false);
    // It lives after all: what it leaves open from now on is reported too, and nothing twice.
    result(session, 'open');
    permit(session, 'later');
    expect(unknownIn(await startAndStop(audit, 'd'))).toEqual([['a', 'later', 'unknown']]);
    expect(unknownIn(await startAndStop(audit, 'e'))).toEqual([]);
  });

  it('is not one that was only written again in a new segment', async () => {
    const audit = freshAudit();
    const trail = await openChain(audit, start('a', DEAD));
    permit(trail, 'done');
    result(trail, 'done');
    await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
      expect(() => trail.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
    });
    // Dies while it repeats: the permit stands there again, its result does not.
    let writes = 0;
    await withFaults({ writeSync: () => ++writes > 2 }, 'ENOSPC', () => {
      expect(() => trail.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
    });
    expect(recordsOf(audit, 'a').map(({ kind }) => kind)).toEqual([
      'daemon_started',
      'permission',
      'tool_result',
      'segment_started',
      'permission',
    ]);
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([]);
  });
});

describe('a mark', () => {
  it('suppresses nothing where it names no chain', async () => {
    const audit = freshAudit();
    await chainWithOpenCall(audit, 'a', DEAD);
    for (const mark of Object.values(MARKS)) writeFileSync(join(audit, 'a', mark), 'nobody\n');
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'dead']]);
    expect(unknownIn(await startAndStop(audit, 'c'))).toEqual([]);
  });

  it.each(['0', 'a', '../a', '..', '', 'later'])(
    'suppresses nothing where the chain that it names (%j) says nothing of it',
    async (name) => {
      const audit = freshAudit();
      await startAndStop(audit, '0');
      await chainWithOpenCall(audit, 'a', DEAD);
      // Later, but it has not looked.
      renameSync(join(audit, 'a'), join(audit, '..', 'a'));
      await startAndStop(audit, 'later');
      renameSync(join(audit, '..', 'a'), join(audit, 'a'));
      writeFileSync(join(audit, 'a', MARKS.closed), `${name}\n`);
      expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'dead']]);
    },
  );

  it('that is a FIFO does not make a start wait', async () => {
    const audit = freshAudit();
    await chainWithOpenCall(audit, 'a', DEAD);
    execFileSync('mkfifo', [join(audit, 'a', MARKS.closed)]);
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'dead']]);
  });
});

describe('a chain that is just starting', () => {
  it.each([
    ['has no file', () => undefined],
    ['has an empty file', (directory: string) => writeFileSync(join(directory, '000001.jsonl'), '')],
    [
      'has half a line',
      (directory: string) => writeFileSync(join(directory, '000001.jsonl'), '{"v":1,"seq":1'),
    ],
  ])('and %s is not marked', async (_, make) => {
    const audit = freshAudit();
    mkdirSync(join(audit, 'a'), { recursive: true });
    make(join(audit, 'a'));
    const before = readdirSync(join(audit, 'a'));
    const [first] = await startAndStop(audit, 'b');
    expect(readdirSync(join(audit, 'a'))).toEqual(before);
    expect(first).not.toHaveProperty('unfinished');
  });
});

it('a chain that ended well is not read again', async () => {
  const audit = freshAudit();
  await startAndStop(audit, 'a');
  const [first] = await startAndStop(audit, 'b');
  expect(first).not.toHaveProperty('unfinished');
  expect(first?.['heads']).toMatchObject([{ writer: 'a', seq: 2 }]);
});

describe('a start', () => {
  it.each<[string, (path: string) => unknown]>([
    ['FIFO', (path) => execFileSync('mkfifo', [path])],
    ['directory', (path) => mkdirSync(path)],
    ['link', (path) => symlinkSync('/dev/zero', path)],
    ['broken link', (path) => symlinkSync('/nowhere', path)],
  ])('goes on where another chain has a %s for a segment, and names the chain', async (_, make) => {
    const audit = freshAudit();
    mkdirSync(join(audit, 'a'), { recursive: true });
    make(join(audit, 'a', '000001.jsonl'));
    const [first] = await startAndStop(audit, 'b');
    expect(first).toMatchObject({ kind: 'daemon_started', unreadable: ['a'] });
    expect(verifyAll(audit).map(({ writer, problem }) => [writer, problem?.line])).toEqual([
      ['a', 0],
      ['b', undefined],
    ]);
  });

  // Root may read everything: only another user can show this, who needs the sources.
  it.skipIf(process.getuid?.() !== 0 || !othersMayRead(import.meta.dirname))(
    'goes on beside a chain of another user',
    async () => {
      const audit = freshAudit();
      chmodSync(join(audit, '..'), 0o755);
      await chainWithOpenCall(audit, 'a', DEAD);
      chownSync(audit, 65534, 65534);
      const script = `
      process.setgid(65534); process.setuid(65534);
      const { openChain } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/audit/open-chain.ts'))});
      const { verifyAll } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/audit/verify.ts'))});
      await openChain(${JSON.stringify(audit)}, { writer: 'b', version: '', node: '', mode: 'foreground', process: { pid: 1, startTime: null, bootId: null, pidNamespace: null } });
      console.log(JSON.stringify(verifyAll(${JSON.stringify(audit)}).map(({ problem }) => problem?.message)));`;
      const out = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        encoding: 'utf8',
        cwd: join(import.meta.dirname, '../..'),
      });
      expect(JSON.parse(out)).toEqual(['cannot be read: EACCES', null]);
      expect(recordsOf(audit, 'b')[0]).toMatchObject({ unreadable: ['a'] });
    },
  );

  it('that fails leaves no chain', async () => {
    const audit = freshAudit();
    await startAndStop(audit, 'a');
    await withFaults({ writeSync: always }, 'ENOSPC', async () => {
      await expect(openChain(audit, start('b'))).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    });
    expect(listWriters(audit)).toEqual(['a']);
  });

  it('that cannot read the audit directory says so', async () => {
    const audit = freshAudit();
    writeFileSync(audit, '');
    await expect(openChain(audit, start('b'))).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  });

  it('goes on where it cannot leave a mark, and says it again', async () => {
    const audit = freshAudit();
    await chainWithOpenCall(audit, 'a', DEAD);
    mkdirSync(join(audit, 'a', MARKS.closed));
    expect(unknownIn(await startAndStop(audit, 'b'))).toEqual([['a', 'open', 'dead']]);
    expect(unknownIn(await startAndStop(audit, 'c'))).toEqual([['a', 'open', 'dead']]);
    expect(readdirSync(join(audit, 'a')).sort()).toEqual(['000001.jsonl', MARKS.closed]);
  });

  it('names the newest sound record of a chain, not what somebody has written behind it', async () => {
    const audit = freshAudit();
    await startAndStop(audit, 'a');
    const file = join(audit, 'a', '000001.jsonl');
    const { hash } = recordsOf(audit, 'a').at(-1) ?? {};
    writeFileSync(file, `${readFileSync(file, 'utf8')}junk\n{}\n`);
    const [first] = await startAndStop(audit, 'b');
    expect(first?.['heads']).toEqual([{ writer: 'a', seq: 2, hash }]);
  });
});

it('a record that a killed writer did not finish is named with its size, stays, and is no fault', async () => {
  const audit = freshAudit();
  await chainWithOpenCall(audit, 'a', DEAD);
  const file = join(audit, 'a', '000001.jsonl');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"v":1,"se`);
  const [first] = await startAndStop(audit, 'b');
  expect(first?.['unfinished']).toMatchObject([{ writer: 'a', torn_bytes: 10 }]);
  expect(readFileSync(file, 'utf8')).toMatch(/\{"v":1,"se$/);
  expect(verifyAll(audit).map(({ problem }) => problem)).toEqual([undefined, undefined]);
  const [second] = await startAndStop(audit, 'c');
  expect(second).not.toHaveProperty('unfinished');
});

it('a process that has ended and is not reaped yet is dead', async () => {
  const { lifeOf, processStartTime } = await import('../../src/lib/proc.ts');
  // The shell's child ends when we say so; the shell, replaced by sleep, never asks for it.
  const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 > /dev/null & echo $!; exec sleep 60'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
  const isSleep = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() === 'sleep';
  try {
    const startTime = processStartTime(pid);
    while (!isSleep()) await new Promise(setImmediate);
    parent.stdin.end();
    while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) await new Promise(setImmediate);
    expect(startTime).not.toBeNull();
    expect(lifeOf({ ...LIVING, pid, startTime })).toBe('dead');
  } finally {
    parent.kill('SIGKILL');
  }
});

it('a chain that was moved away is missed by the ones that named it', async () => {
  const audit = freshAudit();
  await startAndStop(audit, 'a');
  await startAndStop(audit, 'b');
  renameSync(join(audit, 'a'), join(audit, '.a'));
  expect(verifyAll(audit).map(({ writer, problem }) => [writer, problem?.message])).toEqual([
    ['.a', undefined],
    ['b', undefined],
    ['a', 'is missing: b saw its record 2'],
  ]);
});
