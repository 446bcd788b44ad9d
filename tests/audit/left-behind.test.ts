/** A segment that was left: what may stand behind the place where its successor goes on, and what must not. */
import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_PREVIOUS, type StoredRecord, sealLine } from '../../src/audit/chain.ts';
import { lookAtOtherChains } from '../../src/audit/recovery.ts';
import { Trail } from '../../src/audit/trail.ts';
import { holdsHead, verifyAll, verifyDirectory, verifyFile } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { first, withFaults } from './faults.ts';

function place() {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-left-')), 'audit');
  const directory = join(audit, 'w');
  return { audit, directory, one: join(directory, '000001.jsonl'), two: join(directory, '000002.jsonl') };
}

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
const recordAt = (file: string, index: number) => JSON.parse(lines(file).at(index) ?? '') as StoredRecord;

/** Three durable records, two more; then the file fails and the writer goes on. */
async function leftChain(fail: (one: string, trail: Trail) => Promise<unknown> | unknown) {
  const made = place();
  const trail = new Trail(AuditWriter.create(made.directory));
  for (const text of ['a', 'b', 'c']) trail.record('prompt', { text });
  await trail.durable();
  for (const text of ['d', 'e']) trail.record('prompt', { text });
  await fail(made.one, trail);
  trail.record('prompt', { text: 'f' });
  await trail.close();
  return { ...made, trail };
}

const writtenToBySomebody = (junk: string) => async (one: string, trail: Trail) => {
  appendFileSync(one, junk);
  await expect(trail.durable()).rejects.toMatchObject({ code: 'AUDIT_TAMPERED' });
};

/** The first half of the record reaches the disk, then it is full. */
async function tornWrite(one: string, trail: Trail): Promise<void> {
  await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
    expect(() => trail.record('prompt', { text: 'torn' })).toThrow(/ENOSPC/);
  });
  appendFileSync(one, '{"v":1,"seq":6,"prev":"');
}

/** A record in its place after the last one of `file`; `changes` are of its fields. */
function appendSealed(file: string, fields: object, after = recordAt(file, -1)): void {
  const body = JSON.stringify({ time: 't', kind: 'prompt', ...fields });
  appendFileSync(file, `${sealLine(after.seq + 1, after.hash, body).line}\n`);
}

/** Writes a second segment by hand, as somebody would who wants records of the first one to be passed over. */
function forgeSuccessor(
  one: string,
  two: string,
  afterIndex: number,
  fields: object = {},
  again: string[] = [],
) {
  const after = recordAt(one, afterIndex);
  let at = { seq: after.seq, hash: after.hash };
  const started = {
    kind: 'segment_started',
    after: after.hash,
    abandoned: '000001.jsonl',
    repeated: again.length,
  };
  for (const body of [{ time: 't', ...started, ...fields }, ...again.map((line) => bodyOf(line))]) {
    const { line, hash } = sealLine(at.seq + 1, at.hash, JSON.stringify(body));
    appendFileSync(two, `${line}\n`);
    at = { seq: at.seq + 1, hash };
  }
}

function bodyOf(line: string): object {
  const { v: _v, seq: _seq, prev: _prev, hash: _hash, ...body } = JSON.parse(line) as StoredRecord;
  return body;
}

describe('an honest segment that was left', () => {
  it('holds records that are written again', async () => {
    const { audit, one } = await leftChain((_, trail) =>
      withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
        expect(() => trail.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
      }),
    );
    expect(verifyAll(audit)).toMatchObject([
      {
        records: 7,
        problem: undefined,
        notes: [`${one}: the last 2 lines were written again in the next segment`],
      },
    ]);
  });

  it.each([
    ['a torn record', tornWrite, '23 bytes after the last newline, not a record'],
    [
      'lines of somebody else',
      writtenToBySomebody('hello\n{}\n'),
      '2 lines that are no records, written by somebody else',
    ],
    ['bytes of somebody else', writtenToBySomebody('hello'), '5 bytes after the last newline, not a record'],
  ])('may hold %s: that is a note', async (_, fail, note) => {
    const { audit, one } = await leftChain(fail);
    const [report] = verifyAll(audit);
    expect(report?.problem).toBeUndefined();
    expect(report?.notes).toContain(`${one}: ${note}`);
  });

  it('may hold a record of its own behind bytes of somebody else', async () => {
    const { audit } = await leftChain(async (one, trail) => {
      appendFileSync(one, 'x');
      trail.record('prompt', { text: 'behind' });
      await expect(trail.durable()).rejects.toMatchObject({ code: 'AUDIT_TAMPERED' });
    });
    expect(verifyAll(audit)[0]?.problem).toBeUndefined();
  });

  it('may have been cut by somebody else: what is missing was written again', async () => {
    const { audit } = await leftChain(async (one, trail) => {
      truncateSync(one, lines(one).slice(0, 4).join('\n').length + 1);
      await expect(trail.durable()).rejects.toMatchObject({ code: 'AUDIT_TAMPERED' });
    });
    expect(verifyAll(audit)[0]?.problem).toBeUndefined();
  });

  it('may end in one whole record that was never acknowledged', async () => {
    const { audit, one } = await leftChain(async (one, trail) => {
      await withFaults({ writeSync: first(1) }, 'EIO', () => {
        expect(() => trail.record('prompt', { text: 'x' })).toThrow(/EIO/);
      });
      appendSealed(one, { text: 'x' });
    });
    const [report] = verifyAll(audit);
    expect(report?.problem).toBeUndefined();
    expect(report?.notes).toContain(`${one}: the last record was never acknowledged: nothing relied on it`);
    expect(holdsHead(audit, recordAt(one, -1).hash)).toBe(false);
    expect(holdsHead(audit, recordAt(one, -2).hash)).toBe(true);
  });

  it('may be followed by segments that failed before or while they repeated', async () => {
    const { audit, directory, trail } = await leftChain(async (_, trail) => {
      const failsAt = async (...which: number[]) => {
        let writes = 0;
        const writeSync = () => which.includes(++writes);
        await withFaults({ writeSync }, 'ENOSPC', () => {
          expect(() => trail.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
        });
      };
      await failsAt(1); // 1: the record
      await failsAt(1); // 2: empty
      await failsAt(2); // 3: only segment_started
      await failsAt(3); // 4: segment_started and one of two
      await failsAt(4); // 5: all repeated, the new record not
    });
    const [report] = verifyAll(audit);
    expect(report).toMatchObject({ segments: 6, problem: undefined, head: trail.head.hash });
    expect(lines(join(directory, '000006.jsonl')).length).toBeGreaterThan(3);
  });

  it('may be followed by nothing but empty files', async () => {
    const { audit } = place();
    const trail = new Trail(AuditWriter.create(join(audit, 'w')));
    trail.record('prompt', { text: 'a' });
    await trail.durable();
    for (let attempt = 0; attempt < 3; attempt++)
      await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
        expect(() => trail.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
      });
    expect(verifyAll(audit)).toMatchObject([{ records: 1, segments: 3, problem: undefined }]);
  });

  it('may be the first one, failed before anything was durable', async () => {
    const { audit, one } = place();
    const trail = new Trail(AuditWriter.create(join(audit, 'w')));
    trail.record('prompt', { text: 'a' });
    appendFileSync(one, 'junk');
    await expect(trail.durable()).rejects.toThrow();
    trail.record('prompt', { text: 'b' });
    await trail.close();
    expect(verifyAll(audit)).toMatchObject([{ records: 3, problem: undefined }]);
  });

  it('keeps what it holds when hookd died while it wrote it again', async () => {
    const { audit, one, two } = await leftChain((_, trail) =>
      withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
        expect(() => trail.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
      }),
    );
    writeFileSync(two, `${lines(two).slice(0, 2).join('\n')}\n`);
    const [report] = verifyAll(audit);
    expect(report?.problem).toBeUndefined();
    expect(report?.notes.join()).toMatch(/1 records stand here only/);
    expect(holdsHead(audit, recordAt(one, -1).hash)).toBe(true);
  });
});

describe('a forged successor', () => {
  async function closedChain() {
    const made = place();
    const trail = new Trail(AuditWriter.create(made.directory));
    for (const text of ['a', 'b', 'c', 'd', 'e']) trail.record('prompt', { text });
    await trail.close();
    return { ...made, trail };
  }

  it('does not make records disappear: each one that is not repeated is a fault', async () => {
    const { directory, one, two } = await closedChain();
    forgeSuccessor(one, two, 1);
    expect(verifyDirectory(directory).problem).toEqual({
      file: one,
      line: 3,
      message: 'is sound, and 000002.jsonl goes on before it without repeating it',
    });
  });

  it('does not make one of them disappear among others that are repeated', async () => {
    const { directory, one, two } = await closedChain();
    const [, , c = '', , e = ''] = lines(one);
    forgeSuccessor(one, two, 1, {}, [c, e]);
    expect(verifyDirectory(directory).problem).toMatchObject({ file: one, line: 4 });
  });

  it('does not hide a record whose bytes were changed', async () => {
    const { directory, one, two } = await closedChain();
    forgeSuccessor(one, two, 1, {}, lines(one).slice(2));
    writeFileSync(one, readFileSync(one, 'utf8').replace('"text":"d"', '"text":"D"'));
    expect(verifyDirectory(directory).problem).toMatchObject({ file: one, line: 4, message: 'was changed' });
  });

  it('does not hide a head that somebody kept', async () => {
    const { audit, one, two, trail } = await closedChain();
    forgeSuccessor(one, two, 3);
    expect(holdsHead(audit, trail.head.hash)).toBe(false);
  });

  it('does not go on from the very beginning', async () => {
    const { directory, one, two } = await closedChain();
    const { line } = sealLine(
      1,
      NO_PREVIOUS,
      JSON.stringify({
        time: 't',
        kind: 'segment_started',
        after: NO_PREVIOUS,
        abandoned: '000001.jsonl',
        repeated: 0,
      }),
    );
    writeFileSync(two, `${line}\n`);
    expect(verifyDirectory(directory).problem).toMatchObject({ file: one, line: 1 });
  });

  it.each([
    ['`after` is not the record that it follows', { after: 'f'.repeat(64) }],
    ['`abandoned` is no segment before it', { abandoned: '000007.jsonl' }],
    ['`abandoned` is no name of a segment', { abandoned: '../w/000001.jsonl' }],
    ['`repeated` is no number', { repeated: 'all' }],
  ])('is a fault where %s', async (_, fields) => {
    const { directory, one, two } = await closedChain();
    forgeSuccessor(one, two, -1, fields);
    expect(verifyDirectory(directory).problem).toMatchObject({ file: two, line: 1 });
  });

  it('is a fault where it holds fewer records than it says that it repeats, and the chain goes on', async () => {
    const { directory, one, two } = await closedChain();
    forgeSuccessor(one, two, -1, { repeated: 5 });
    forgeSuccessor(two, join(directory, '000003.jsonl'), -1, { abandoned: '000002.jsonl' });
    expect(verifyDirectory(directory).problem).toMatchObject({ file: two, line: 1 });
  });

  it('is a fault where its own first record was changed', async () => {
    const { directory, one, two } = await closedChain();
    forgeSuccessor(one, two, -1, {}, lines(one).slice(-1));
    writeFileSync(two, readFileSync(two, 'utf8').replace('"time":"t"', '"time":"T"'));
    expect(verifyDirectory(directory).problem).toMatchObject({ file: two, line: 1 });
  });
});

describe('a chain that is named by another one', () => {
  it('is not missed where the named record was written again at another place', async () => {
    const { audit } = place();
    const a = new Trail(AuditWriter.create(join(audit, 'a')));
    a.record('prompt', { text: 'durable' });
    await a.durable();
    a.record('prompt', { text: 'recorded' });
    const b = new Trail(AuditWriter.create(join(audit, 'b')));
    b.record('daemon_started', {
      writer: 'b',
      version: '',
      node: '',
      mode: 'foreground',
      process: { pid: 1, startTime: null, bootId: null, pidNamespace: null },
      heads: lookAtOtherChains(audit, 'b').heads,
    });
    await b.close();
    await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
      expect(() => a.record('prompt', { text: 'x' })).toThrow(/ENOSPC/);
    });
    a.record('prompt', { text: 'on' });
    await a.close();
    expect(verifyAll(audit).map(({ writer, problem }) => [writer, problem])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
  });
});

it('a later segment by itself is checked from its own first record on, with a note', async () => {
  const { two } = await leftChain(writtenToBySomebody('x'));
  const report = verifyFile(two);
  expect(report).toMatchObject({ records: 4, problem: undefined });
  expect(report.notes).toEqual([
    `${two}: begins with record 4; whether it follows the segments before it was not looked at`,
  ]);
});
