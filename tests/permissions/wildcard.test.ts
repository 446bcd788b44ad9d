import { expect, test } from 'vitest';
import { compileWildcard, matchesWildcard } from '../../src/permissions/wildcard.ts';

test.each([
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['a*', 'a', true],
  ['a*c', 'abbc', true],
  ['a*c', 'abbd', false],
  ['*b*', 'abc', true],
  ['a*a', 'a', false],
  ['* main', ' main', true],
  ['x **', 'x ', true],
  ['x **', 'x', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['*', '', true],
])('%s against %j is %s', (pattern, text, matches) => {
  expect(matchesWildcard(compileWildcard(pattern), text)).toBe(matches);
});

test('a pattern of many stars is matched without delay', () => {
  const pattern = compileWildcard(`${'a*'.repeat(2000)}b`);
  const started = performance.now();
  expect(matchesWildcard(pattern, 'a'.repeat(50_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});
