import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Behavior, PermissionMode } from '../../src/core/vocabulary.ts';
import { type Row, readRows, Sandbox, type Verdict } from './rows.ts';

const RANK: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };

type Class = 'agree' | 'stricter' | 'looser' | 'refused';

function classOf({ row, decision, refused }: Verdict): Class {
  if (refused) return 'refused';
  return compare(row, decision.behavior);
}

function compare(row: Row, answer: Behavior): Class {
  if (answer === row.expected) return 'agree';
  return RANK[answer] > RANK[row.expected] ? 'stricter' : 'looser';
}

const rows = readRows();
let verdicts: readonly Verdict[] = [];

const sandbox = new Sandbox();
beforeAll(() => {
  verdicts = rows.map((row) => sandbox.evaluate(row));
});
afterAll(() => sandbox.remove());

const of = (kind: Class): readonly Verdict[] => verdicts.filter((verdict) => classOf(verdict) === kind);

const describe = ({ row, decision }: Verdict): string =>
  `${row.id} [${row.area}] expected ${row.expected}, got ${decision.behavior}: ${row.tool} ${JSON.stringify(row.input).slice(0, 160)} (${decision.reason})`;

/** What hookd reaches; raise it with the engine. */
const AGREED: Readonly<Record<PermissionMode, number>> = {
  default: 1799,
  acceptEdits: 106,
  plan: 16,
  dontAsk: 42,
  bypassPermissions: 49,
};

const inMode = (found: readonly Verdict[], mode: string): number =>
  found.filter(({ row }) => row.mode === mode).length;

test('no decision is looser than what is expected', () => {
  expect(rows.length).toBeGreaterThan(2100);
  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']) {
    const count = (kind: Class): number => inMode(of(kind), mode);
    console.log(
      `permissions, mode ${mode}: agree ${count('agree')} · stricter ${count('stricter')} · looser ${count('looser')} · refused ${count('refused')}`,
    );
  }
  const listed = process.env['CONFORMANCE_LIST'];
  if (listed === 'stricter' || listed === 'refused') console.log(of(listed).map(describe).join('\n'));
  expect(of('looser').map(describe)).toEqual([]);
  for (const [mode, agreed] of Object.entries(AGREED))
    expect([mode, inMode(of('agree'), mode) >= agreed]).toEqual([mode, true]);
});

test('settings that are refused for one malformed deny entry are not looser by their other entries', () => {
  const looser = of('refused').filter(({ row, decision }) => compare(row, decision.behavior) === 'looser');
  // In these rows the malformed entry is the only one that could deny.
  expect(looser.filter(({ row }) => row.rules.deny?.length !== 1).map(describe)).toEqual([]);
});
