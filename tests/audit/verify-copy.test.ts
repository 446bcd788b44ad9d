/** A file that several chains were copied into, as a sink holds them. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { verifyPath } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';

const root = mkdtempSync(join(tmpdir(), 'hookd-copy-'));
let files = 0;

async function linesOfChain(words: readonly string[]): Promise<readonly string[]> {
  files += 1;
  const trail = new Trail(AuditWriter.create(join(root, 'audit', `w${files}`)));
  for (const text of words) trail.record('prompt', { text });
  await trail.close();
  return readFileSync(trail.head.file, 'utf8').trimEnd().split('\n');
}

function fileOf(...lines: readonly (string | undefined)[]): string {
  files += 1;
  const path = join(root, `copy-${files}.jsonl`);
  writeFileSync(path, lines.map((line) => `${line ?? ''}\n`).join(''));
  return path;
}

const a = await linesOfChain(['a1', 'a2', 'a3', 'a4']);
const b = await linesOfChain(['b1', 'b2', 'b3']);
const hashOf = (line: string | undefined) => line?.slice(-66, -2);

describe('a file with several chains', () => {
  it('is sound when each record follows one before it, however they are mixed', () => {
    const path = fileOf(a[0], b[0], b[1], a[1], a[2], b[2], a[3]);
    expect(verifyPath(path)).toMatchObject([
      { records: 4, problem: undefined, head: hashOf(a[3]), notes: [] },
      { records: 3, problem: undefined, head: hashOf(b[2]), notes: [] },
    ]);
    expect(verifyPath(path, hashOf(b[1])).map(({ holdsHead }) => holdsHead)).toEqual([false, true]);
  });

  it('may hold records again, after a failure, and half a line', () => {
    const path = fileOf(a[0], a[1], '{"v":1,"se', a[0], a[1], a[2], b[0], a[2], a[3]);
    const [report] = verifyPath(path);
    expect(report).toMatchObject({ records: 4, problem: undefined });
    expect(report?.notes).toEqual([
      expect.stringContaining('3 records stand there again'),
      expect.stringContaining('1 lines that are no records'),
    ]);
  });

  it.each([
    ['a record is missing', [a[0], b[0], a[2]], 3],
    ['two are in the wrong order', [a[0], b[0], a[2], a[1]], 3],
    ['a byte was changed', [a[0], b[0], a[1]?.replace('a2', 'aX')], 3],
    ['the beginning of a chain is missing', [a[0], b[0], a[1], b[2]], 4],
  ])('is not where %s', (_, lines, line) => {
    const problems = verifyPath(fileOf(...lines)).flatMap(({ problem }) => problem ?? []);
    expect(problems).toMatchObject([{ line }]);
  });
});
