import { expect, test } from 'vitest';
import type { HookOutcome } from '../../src/hooks/hook.ts';
import { mergeOutcomes } from '../../src/hooks/merge-outcomes.ts';

const outcome = (verdict: HookOutcome['verdict'], more: Partial<HookOutcome> = {}): HookOutcome => ({
  verdict,
  warnings: [],
  ...more,
});

test.each([
  [['none', 'none'], 'none'],
  [['none', 'allow'], 'allow'],
  [['allow', 'ask'], 'ask'],
  [['ask', 'block', 'allow'], 'block'],
  [[], 'none'],
] as const)('of %j the strictest counts', (verdicts, expected) => {
  expect(mergeOutcomes(verdicts.map((verdict) => outcome(verdict))).verdict).toBe(expected);
  expect(mergeOutcomes(verdicts.toReversed().map((verdict) => outcome(verdict))).verdict).toBe(expected);
});

test('all reasons of the verdict are kept in configured order, those of others are not', () => {
  const merged = mergeOutcomes([
    outcome('block', { reason: 'first' }),
    outcome('ask', { reason: 'not this' }),
    outcome('allow', { reason: 'nor this' }),
    outcome('block', { reason: 'second' }),
  ]);
  expect(merged).toEqual({ verdict: 'block', reason: 'first\nsecond', warnings: [] });
});

test('one silent hook takes nothing from the others', () => {
  const rewrite = outcome('allow', {
    reason: 'R',
    updatedInput: { a: 1 },
    additionalContext: 'C',
    systemMessage: 'S',
  });
  expect(mergeOutcomes([rewrite, outcome('none')])).toEqual(rewrite);
  expect(mergeOutcomes([outcome('none'), rewrite])).toEqual(rewrite);
});

test('the first rewrite of an input counts, the last replacement of an output, and every context', () => {
  const merged = mergeOutcomes([
    outcome('none', {
      updatedInput: { a: 1 },
      updatedToolOutput: 'x',
      additionalContext: 'A',
      warnings: ['one'],
    }),
    outcome('ask', {
      updatedInput: { a: 2 },
      updatedToolOutput: 'y',
      additionalContext: 'B',
      warnings: ['two'],
    }),
  ]);
  expect(merged).toEqual({
    verdict: 'ask',
    updatedInput: { a: 1 },
    updatedToolOutput: 'y',
    additionalContext: 'A\nB',
    warnings: ['one', 'two'],
  });
});

test('a denial needs no other input', () => {
  expect(
    mergeOutcomes([outcome('none', { updatedInput: {} }), outcome('block')]).updatedInput,
  ).toBeUndefined();
});

test('who ends the turn ends it, and the first who says why is quoted', () => {
  const merged = mergeOutcomes([
    outcome('none', { stop: {} }),
    outcome('none', { stop: { reason: 'why' } }),
    outcome('allow'),
  ]);
  expect(merged.stop).toEqual({ reason: 'why' });
  expect(mergeOutcomes([outcome('none', { stop: {} })]).stop).toEqual({});
  expect(mergeOutcomes([outcome('block', { interrupt: true }), outcome('block')]).interrupt).toBe(true);
});

test('the failure that made the verdict is the one that is told', () => {
  const failure = (what: string, became: 'ask' | 'continue') => ({ failure: { what, became } });
  const merged = mergeOutcomes([
    outcome('none', failure('one', 'continue')),
    outcome('ask', failure('two', 'ask')),
  ]);
  expect(merged.failure).toEqual({ what: 'two', became: 'ask' });
});
