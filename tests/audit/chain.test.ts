import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { holdsHead, verifyAll, verifyDirectory, verifyFile } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { ToolUseId } from '../../src/core/vocabulary.ts';

const RECORDS = 12;

function chain(records = RECORDS): { audit: string; directory: string; file: string; trail: Trail } {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-chain-')), 'audit');
  const directory = join(audit, 'w');
  const trail = new Trail(AuditWriter.create(directory));
  for (let n = 1; n <= records; n++)
    trail.record('tool_result', { id: `toolu_${n}` as ToolUseId, outcome: 'ok', text: `ünïcode ${n}` });
  return { audit, directory, file: join(directory, '000001.jsonl'), trail };
}

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

describe('a chain', () => {
  it('ends each line in a hash over the bytes before it, and names the record before', () => {
    const { file, trail } = chain(3);
    // A second opinion, from the documented format alone.
    let prev = '0'.repeat(64);
    for (const [index, line] of readFileSync(file, 'latin1').trimEnd().split('\n').entries()) {
      const body = Buffer.from(line.slice(0, -75), 'latin1');
      const hash = createHash('sha256').update(body).digest('hex');
      expect(line.slice(-75)).toBe(`,"hash":"${hash}"}`);
      expect(JSON.parse(Buffer.from(line, 'latin1').toString())).toMatchObject({
        v: 1,
        seq: index + 1,
        prev,
        hash,
      });
      prev = hash;
    }
    expect(prev).toBe(trail.head.hash);
  });

  it('is sound as it was written', () => {
    const { audit, trail } = chain();
    expect(verifyAll(audit)).toEqual([
      { writer: 'w', records: RECORDS, segments: 1, head: trail.head.hash, problem: undefined, notes: [] },
    ]);
  });

  it('shows any changed byte, and in which line', () => {
    const { file } = chain(3);
    const original = readFileSync(file);
    for (let offset = 0; offset < original.length; offset++) {
      const changed = Buffer.from(original);
      changed[offset] = (changed[offset] ?? 0) ^ 1;
      writeFileSync(file, changed);
      const { problem, notes } = verifyFile(file);
      const line = original.subarray(0, offset).toString('latin1').split('\n').length;
      // Without its newline the last line is not a record yet: it is set aside, and said.
      if (offset === original.length - 1) expect(notes.join()).toMatch(/not a record/);
      else expect(problem?.line).toBe(line);
    }
  });

  it.each([
    ['a removed record', (all: string[]) => all.toSpliced(4, 1), 5],
    ['a repeated record', (all: string[]) => all.toSpliced(4, 0, all[3] ?? ''), 5],
    ['two records in the wrong order', (all: string[]) => all.toSpliced(4, 2, all[5] ?? '', all[4] ?? ''), 5],
    ['a missing beginning', (all: string[]) => all.slice(1), 1],
    ['a line that is no record', (all: string[]) => all.toSpliced(2, 0, '{}'), 3],
    ['an empty line', (all: string[]) => all.toSpliced(2, 0, ''), 3],
  ])('shows %s', (_, change, line) => {
    const { file } = chain();
    writeFileSync(file, `${change(lines(file)).join('\n')}\n`);
    expect(verifyFile(file).problem?.line).toBe(line);
  });

  it('shows a cut end only to one who kept a head, or to a chain that saw it', () => {
    const { audit, directory, file, trail } = chain();
    const head = trail.head.hash;
    writeFileSync(file, `${lines(file).slice(0, -2).join('\n')}\n`);
    expect(verifyDirectory(directory).problem).toBeUndefined();
    expect(holdsHead(audit, head)).toBe(false);
    const later = new Trail(AuditWriter.create(join(audit, 'x')));
    later.record('daemon_started', {
      writer: 'x',
      version: '',
      node: '',
      mode: 'foreground',
      process: { pid: 1, startTime: null, bootId: null, pidNamespace: null },
      heads: [
        { writer: 'w', seq: RECORDS, hash: head },
        { writer: 'gone', seq: 1, hash: head },
      ],
    });
    expect(verifyAll(audit).map(({ writer, problem }) => [writer, problem?.message])).toEqual([
      ['w', `lacks record ${RECORDS}, which x saw: the end was cut or written anew`],
      ['x', undefined],
      ['gone', 'is missing: x saw its record 1'],
    ]);
  });

  it('sets bytes after the last newline aside, with a note', () => {
    const { file } = chain();
    appendFileSync(file, '{"v":1,"seq":13');
    const report = verifyFile(file);
    expect(report).toMatchObject({ records: RECORDS, problem: undefined });
    expect(report.notes).toEqual([`${file}: 15 bytes after the last newline, not a record`]);
  });
});

describe('a writer whose file is touched by somebody else', () => {
  it.each([
    ['removed', ({ file }: ReturnType<typeof chain>) => rmSync(file)],
    [
      'replaced by a copy',
      ({ file }: ReturnType<typeof chain>) => {
        const bytes = readFileSync(file);
        renameSync(file, `${file}.old`);
        writeFileSync(file, bytes);
      },
    ],
    ['truncated', ({ file }: ReturnType<typeof chain>) => truncateSync(file, 100)],
    ['written to', ({ file }: ReturnType<typeof chain>) => appendFileSync(file, 'x')],
    [
      'moved with its directory',
      ({ directory }: ReturnType<typeof chain>) => renameSync(directory, `${directory}.old`),
    ],
  ])('refuses the barrier when it was %s', async (_, change) => {
    const made = chain();
    await made.trail.durable();
    change(made);
    await expect(made.trail.durable()).rejects.toMatchObject({ code: 'AUDIT_TAMPERED' });
  });

  it('goes on in a new segment, after the last durable record, and repeats what was not durable', async () => {
    const { audit, directory, file, trail } = chain(3);
    await trail.durable();
    trail.record('prompt', { text: 'recorded, not durable' });
    appendFileSync(file, 'somebody else');
    await expect(trail.durable()).rejects.toMatchObject({ code: 'AUDIT_TAMPERED' });
    trail.record('prompt', { text: 'after the failure' });
    await trail.durable();
    const second = lines(join(directory, '000002.jsonl')).map(
      (line) => JSON.parse(line) as { kind: string; text?: string },
    );
    expect(second.map(({ kind, text }) => text ?? kind)).toEqual([
      'segment_started',
      'recorded, not durable',
      'after the failure',
    ]);
    const [report] = verifyAll(audit);
    expect(report).toMatchObject({ records: 6, segments: 2, head: trail.head.hash, problem: undefined });
  });

  it('shows a lost segment', async () => {
    const { audit, directory, file, trail } = chain(3);
    await trail.durable();
    appendFileSync(file, 'x');
    await expect(trail.durable()).rejects.toThrow();
    trail.record('prompt', { text: 'on' });
    rmSync(file);
    expect(verifyAll(audit)[0]?.problem).toEqual({
      file: join(directory, '000001.jsonl'),
      line: 0,
      message: 'is missing',
    });
  });
});

it('many barriers at once share the syncs, and all are kept', async () => {
  const { trail, audit } = chain(0);
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      trail.record('prompt', { text: String(n) });
      await trail.durable();
      trail.record('prompt', { text: `${n} after` });
    }),
  );
  await trail.durable();
  expect(verifyAll(audit)[0]).toMatchObject({ records: 400, problem: undefined });
});

it('a chain is never continued by another process: its directory must be new', () => {
  const { directory } = chain(1);
  expect(() => AuditWriter.create(directory)).toThrow(/EEXIST/);
  mkdirSync(`${directory}2`);
  expect(() => AuditWriter.create(`${directory}2`)).toThrow(
    expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }),
  );
});
