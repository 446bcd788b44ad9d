import { expect, test } from 'vitest';
import { expandGlob, matchesSegment } from '../../../src/permissions/shell/glob.ts';

test.each([
  ['*', 'abc', true],
  ['a*c', 'abbc', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[ab]x', 'bx', true],
  ['[a-c]x', 'bx', true],
  ['[!a]x', 'ax', false],
  ['.e[n]v', '.env', true],
  ['[', '[', true],
  ['*.ts', 'a.tsx', false],
])('%j against %j is %s', (pattern, name, matches) => {
  expect(matchesSegment(pattern, name)).toBe(matches);
});

const TREE: Readonly<Record<string, readonly string[]>> = {
  '/w': ['a.ts', 'b.ts', '.env', 'sub'],
  '/w/sub': ['a.ts'],
};
const entries = (directory: string): readonly string[] => TREE[directory] ?? [];

test.each([
  ['/w/*.ts', ['/w/a.ts', '/w/b.ts']],
  ['/w/*', ['/w/a.ts', '/w/b.ts', '/w/sub']],
  ['/w/.e*', ['/w/.env']],
  ['/w/*/a.ts', ['/w/a.ts/a.ts', '/w/b.ts/a.ts', '/w/sub/a.ts']],
  ['/w/s*/*.ts', ['/w/sub/a.ts']],
  ['/w/nothing*', []],
])('%j names %j', (pattern, paths) => {
  expect(expandGlob(pattern, entries)).toEqual(paths);
});

test('too many names are not looked at', () => {
  expect(expandGlob('/*', () => Array.from({ length: 5000 }, (_, i) => `n${i}`))).toBeUndefined();
});
