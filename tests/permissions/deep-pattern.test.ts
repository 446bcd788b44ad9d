import ignore from 'ignore';
import { expect, test } from 'vitest';
import { compileDeepPattern, hasManyStars } from '../../src/permissions/deep-pattern.ts';
import { Random } from '../support/random.ts';

const PATTERN_SEGMENTS = ['**', '**', 'a', 'b', '*', 'a*', '?', '[ab]', '\\a', 'A', 'a b'] as const;
const NAMES = ['a', 'b', 'ab', '.a', 'a b', '**', 'c'] as const;

test('a pattern with several ** covers what the library says that it covers', () => {
  const random = new Random(7);
  let compared = 0;
  let covered = 0;
  while (compared < 2500) {
    const body = random.several(2, 6, () => random.pick(PATTERN_SEGMENTS)).join('/');
    const pattern = `${random.pick(['', '/'])}${body}${random.pick(['', '', '/'])}`;
    if (!hasManyStars(pattern)) continue;
    const path = random.several(1, 6, () => random.pick(NAMES)).join('/');
    const expected = ignore().add({ pattern }).ignores(path);
    expect(compileDeepPattern(pattern)(path), `${pattern} on ${path}`).toBe(expected);
    compared++;
    if (expected) covered++;
  }
  expect(covered).toBeGreaterThan(100);
});

test('one ** is left to the library', () => {
  expect(['**/a', 'a/**', 'a/**/b', '**/**/a'].map(hasManyStars)).toEqual([false, false, false, false]);
  expect(['**/a/**', 'a/**/b/**/c', '/**/a/**/**'].map(hasManyStars)).toEqual([true, true, true]);
});
