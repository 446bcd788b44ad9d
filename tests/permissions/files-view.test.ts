import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { realFiles } from '../../src/permissions/files-view.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-files-')));
afterAll(() => rmSync(root, { recursive: true }));
const at = (...names: string[]): string => join(root, ...names);

mkdirSync(at('dir/sub'), { recursive: true });
writeFileSync(at('dir/file'), '');
symlinkSync('dir', at('link'));
symlinkSync(at('dir/file'), at('absolute'));
symlinkSync('../link/sub', at('dir/up'));
symlinkSync('nowhere/x', at('dangling'));
symlinkSync('loop-b', at('loop-a'));
symlinkSync('loop-a', at('loop-b'));

test.each([
  [
    ['dir', 'file'],
    ['dir', 'file'],
  ],
  [
    ['link', 'file'],
    ['dir', 'file'],
  ],
  [['absolute'], ['dir', 'file']],
  [
    ['dir', 'up', 'x'],
    ['dir', 'sub', 'x'],
  ],
  [
    ['link', 'new', 'deep'],
    ['dir', 'new', 'deep'],
  ],
  [['dangling'], ['nowhere', 'x']],
])('%j leads to %j', (path, target) => {
  expect(realFiles.realPath(at(...path))).toBe(at(...target));
});

test('a cycle of links leads nowhere', () => {
  expect(realFiles.realPath(at('loop-a'))).toBeUndefined();
});

test('the kind of a path is that of the path itself', () => {
  expect(['dir', 'dir/file', 'link', 'nothing'].map((name) => realFiles.kindOf(at(name)))).toEqual([
    'directory',
    'other',
    'link',
    'missing',
  ]);
});

test('a directory that cannot be read has no entries', () => {
  expect(realFiles.entries(at('dir/file'))).toEqual([]);
});

test('a directory says of what is in it what each path would', () => {
  const entries = [...realFiles.entries(at('dir'))].sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(entries.map(({ name }) => name)).toEqual(['file', 'sub', 'up']);
  expect(entries.map(({ kind }) => kind)).toEqual(
    entries.map(({ name }) => realFiles.kindOf(at(`dir/${name}`))),
  );
  expect(entries.map(({ kind }) => kind)).toContain('link');
});
