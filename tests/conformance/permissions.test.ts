import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { refusalOf } from './refusals.ts';
import { type Judged, judgeRows, linesOf, type Verdict } from './row-verdict.ts';
import { rowsIn } from './rows.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

const rows = rowsIn(read('permissions.jsonl'));
let judged: readonly Judged[] = [];

beforeAll(() => {
  judged = judgeRows(rows);
}, 120_000);

const of = (verdict: Verdict): readonly Judged[] => judged.filter((one) => one.verdict === verdict);

test('every row of the table is judged, in every mode', () => {
  expect(judged.length).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(2400);
  expect(new Set(rows.map(({ mode }) => mode))).toEqual(
    new Set(['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']),
  );
});

test('no decision is looser than what is expected', () => {
  expect(of('looser').map(linesOf)).toEqual([]);
});

/** What hookd reaches; raise it with the engine. */
const AGREED = 0.99;

test('of the rows whose settings are loaded, nearly all are answered as expected', () => {
  const loaded = judged.length - of('refused').length;
  console.log(`permissions: agree ${of('agree').length}/${loaded} · refused ${of('refused').length}`);
  expect(of('agree').length / loaded).toBeGreaterThanOrEqual(AGREED);
});

test('settings are refused for the reasons that the design gives, and no other', () => {
  expect(of('refused').length).toBeGreaterThan(100);
  expect(
    of('refused')
      .filter((one) => refusalOf(one.errors) === undefined)
      .map(linesOf),
  ).toEqual([]);
});

test('every row that is answered more strictly is explained', () => {
  const explained = read('README.md');
  expect(
    of('stricter')
      .filter(({ row }) => !explained.includes(row.id))
      .map(linesOf),
  ).toEqual([]);
});
