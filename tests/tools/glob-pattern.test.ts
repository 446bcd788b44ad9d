import { describe, expect, test } from 'vitest';
import { expandBraces } from '../../src/tools/glob-braces.ts';
import { fitsPattern, parsePattern } from '../../src/tools/glob-pattern.ts';

function fits(pattern: string, path: string): boolean {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) throw new Error(parsed.problem);
  const base = parsed.base.map((name) => `${name}/`).join('');
  return path.startsWith(base) && fitsPattern(parsed.alternatives, path.slice(base.length));
}

describe('braces', () => {
  test.each<[string, string[]]>([
    ['a', ['a']],
    ['', ['']],
    ['{a,b}c', ['ac', 'bc']],
    ['{a,}b', ['ab', 'b']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['{a}', ['{a}']],
    ['{a{b,c}}', ['{ab}', '{ac}']],
    ['{', ['{']],
    ['{a,b', ['{a,b']],
    ['a}b', ['a}b']],
    ['{1..3}', ['1', '2', '3']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{1..a}', ['{1..a}']],
    ['\\{a,b}', ['\\{a,b}']],
    ['[{,}]', ['[{,}]']],
    ['{a\\,b,c}', ['a\\,b', 'c']],
  ])('%s', (pattern, texts) => {
    expect(expandBraces(pattern)).toEqual(texts);
  });
});

describe('what fits', () => {
  test.each([
    ['*', 'a'],
    ['*', '.hidden'],
    ['**', 'a/b/c'],
    ['**/c', 'c'],
    ['**/c', 'a/b/c'],
    ['a/**/c', 'a/c'],
    ['a/**/c', 'a/b/b/c'],
    ['a/**', 'a/b'],
    ['**/a/**/b', 'x/a/y/a/z/b'],
    ['a*b*c', 'abbc'],
    ['a***c', 'ac'],
    ['?', '😀'],
    ['[a-c]x', 'bx'],
    ['[!a-c]x', 'dx'],
    ['[^a]', 'b'],
    ['[]a]', ']'],
    ['[a\\-c]', '-'],
    ['[-a]', '-'],
    ['[a', '[a'],
    ['\\*', '*'],
    ['a\\[b', 'a[b'],
    ['a\\', 'a\\'],
    ['@(a)', '@(a)'],
    ['./a//b', 'a/b'],
  ])('%s fits %s', (pattern, path) => {
    expect(fits(pattern, path)).toBe(true);
  });

  test.each([
    ['*', 'a/b'],
    ['a', 'A'],
    ['a/**', 'a'],
    ['**/c', 'a/cc'],
    ['?', ''],
    ['[a-c]', 'd'],
    ['[!a]', 'a'],
    ['[a\\-c]', 'b'],
    ['\\*', 'a'],
    ['a?b', 'a/b'],
    ['[!x]', '/'],
    ['(a|b)', 'a'],
    ['!a', 'b'],
  ])('%s does not fit %s', (pattern, path) => {
    expect(fits(pattern, path)).toBe(false);
  });
});

test('the work grows with the lengths, not with the choices', () => {
  const began = performance.now();
  expect(fits('**/a/**/a/**/a/**/a/**/a/**/b', `${'a/'.repeat(2000)}c`)).toBe(false);
  expect(fits(`${'*a'.repeat(10)}b`, 'a'.repeat(5000))).toBe(false);
  expect(expandBraces(`${'{'.repeat(500)}${'}'.repeat(500)}`)).toBeDefined();
  expect(performance.now() - began).toBeLessThan(1000);
});
