import { expect, test } from 'vitest';
import type { Behavior } from '../../src/core/vocabulary.ts';
import { compilePathPattern, coversDirectory, matchesPath } from '../../src/permissions/path-rule.ts';

const workplace = {
  project: '/w/p',
  cwd: '/w/p/sub',
  home: '/home/u',
  hookdHome: '/home/u/.hookd',
  directories: ['/w/lib'],
};

function matches(text: string, path: string, list: Behavior = 'deny'): boolean {
  const { pattern } = compilePathPattern({ text, list, root: '/w/p/.hookd' });
  return matchesPath(pattern, path, workplace);
}

test.each([
  // Anchors.
  ['//etc/x', '/etc/x', true],
  ['//**/x', '/any/where/x', true],
  ['~/x', '/home/u/x', true],
  ['~/x', '/home/v/x', false],
  ['/x', '/w/p/.hookd/x', true],
  ['/x', '/w/p/x', false],
  // Relative deny patterns: project, start directory and every additional directory.
  ['x', '/w/p/x', true],
  ['./x', '/w/p/sub/x', true],
  ['x', '/w/lib/x', true],
  ['x', '/w/other/x', false],
  // Depth.
  ['x', '/w/p/a/b/x', true],
  ['d/**', '/w/p/a/d/x', true],
  ['./d/**', '/w/p/a/d/x', true],
  ['d/*', '/w/p/a/d/x', false],
  ['a/b', '/w/p/a/b/c', true],
  ['a/**/x', '/w/p/a/b/c/x', true],
  // The engine.
  ['*.key', '/w/p/a/s.key', true],
  ['q?.txt', '/w/p/q1.txt', true],
  ['br[ab]', '/w/p/bra', true],
  ['{a,b}', '/w/p/a', false],
  ['.hid*', '/w/p/.hidden', true],
  ['dir/', '/w/p/dir/x', true],
  ['#x', '/w/p/#x', true],
  ['x ', '/w/p/x ', true],
  ['Case', '/w/p/cASE', true],
  ['*.txt', '/w/p/x.txt ', true],
  // Patterns that match nothing.
  ['.', '/w/p/x', false],
  ['/', '/w/p/.hookd/x', false],
  ['//', '/x', false],
  ['~', '/home/u/x', false],
  ['../x', '/w/x', false],
  ['a/./b', '/w/p/a/b', false],
  ['!x', '/w/p/x', false],
])('deny %j against %j is %s', (text, path, expected) => {
  expect(matches(text, path)).toBe(expected);
});

test.each([
  ['x', '/w/p/sub/x', true],
  ['x', '/w/p/x', false],
  ['x', '/w/lib/x', false],
  ['d/**', '/w/p/sub/d/x', true],
  ['d/**', '/w/p/sub/a/d/x', false],
  ['./d', '/w/p/sub/a/d', true],
])('allow %j is anchored at the start directory: %j is %s', (text, path, expected) => {
  expect(matches(text, path, 'allow')).toBe(expected);
});

test('a pattern for all that is in a directory covers listing it', () => {
  const { pattern } = compilePathPattern({ text: 'secrets/**', list: 'deny', root: '/' });
  expect(coversDirectory(pattern, '/w/p/secrets', workplace)).toBe(true);
  expect(coversDirectory(pattern, '/w/p/other', workplace)).toBe(false);
});

test('a matcher answers the same after it was asked thousands of times', () => {
  const { pattern } = compilePathPattern({ text: '*.key', list: 'deny', root: '/' });
  for (let i = 0; i < 5000; i++) expect(matchesPath(pattern, `/w/p/${i}.key`, workplace)).toBe(true);
  expect(matchesPath(pattern, '/w/p/x', workplace)).toBe(false);
});
