/** A short run of what scripts/fuzz-shell.ts does at length. */
import { expect, test } from 'vitest';
import { compare } from '../fuzz/coverage.ts';
import { runInBash } from '../fuzz/real-bash.ts';
import { fuzzShell } from '../fuzz/run.ts';

test('whatever bash runs and writes for a random command was foreseen, or the analysis said that it cannot tell', async () => {
  const tally = await fuzzShell(120, 4);
  expect(tally.misses).toEqual([]);
  // It shows something only where bash did something, and the analysis had to know it.
  const unknown = [...tally.cannotTell.values()].reduce((sum, one) => sum + one, 0);
  expect(tally.hung).toBe(0);
  expect(tally.active).toBeGreaterThan(100);
  expect(tally.active - unknown).toBeGreaterThan(0.65 * tally.active);
  expect(tally.exact).toBeGreaterThan(0.8 * tally.seen);
});

test('the comparison sees a command, a file and a rule that were passed by', async () => {
  const [observed] = await runInBash(['q1 a; q2 > o1']);
  expect(observed?.executed).toEqual([['q1', 'a'], ['q2']]);
  expect(observed?.written).toEqual([`${observed?.cwd}/o1`]);
  if (observed === undefined) return;
  expect(compare(observed).misses).toEqual([]);
  const unseen = compare({ ...observed, text: 'q1 a' }).misses;
  expect(unseen).toEqual([
    'ran ["q2"]',
    `wrote ${observed.cwd}/o1`,
    'allowed beside deny Bash(q2)',
    'allowed beside deny Bash(q2:*)',
    `allowed beside deny Edit(/${observed.cwd}/o1)`,
  ]);
  expect(compare({ ...observed, text: 'q3', written: [] }).misses).toContain(
    'allowed by rules that name nothing of what ran',
  );
});

test('no real program is started, whatever stands in the text', async () => {
  const [observed] = await runInBash(['ls; command ls; touch x; command -v ls > o1']);
  expect(observed?.executed).toEqual([['ls'], ['ls'], ['touch', 'x']]);
  expect(observed?.written).toEqual([`${observed?.cwd}/o1`]);
});
