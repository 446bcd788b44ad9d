import { expect, test } from 'vitest';
import { normalisePath } from '../../src/tools/path.ts';

test.each([
  ['a', '/work/dir/a'],
  ['./a', '/work/dir/a'],
  ['../a', '/work/a'],
  ['../../../../a', '/a'],
  ['a/../b/./c', '/work/dir/b/c'],
  ['/x//y///z', '/x/y/z'],
  ['//x', '/x'],
  ['/x/', '/x'],
  ['/', '/'],
  ['.', '/work/dir'],
  ['~', '/home/me'],
  ['~/', '/home/me'],
  ['~/a', '/home/me/a'],
  ['~//a', '/home/me/a'],
  ['~/../x', '/home/x'],
  ['~other/a', '/work/dir/~other/a'],
  ['a/~', '/work/dir/a/~'],
  [' a "b" \'c\' \\d', '/work/dir/ a "b" \'c\' \\d'],
  ['文件/ü', '/work/dir/文件/ü'],
  ['u\u0308', '/work/dir/u\u0308'],
  ['$HOME/*', '/work/dir/$HOME/*'],
])('%j → %s', (path, normalised) => {
  expect(normalisePath(path, { cwd: '/work/dir', home: '/home/me' })).toBe(normalised);
});
