import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDirectory } from '../../src/tools/safe-open.ts';
import { makeWorkbench, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const path = (name: string) => join(bench.cwd, name);

test.each([
  ['the directory itself', 'link', '.'],
  ['one further up', 'link/sub', 'sub'],
])(
  'a directory that is reached through a link is not the one that was judged: %s',
  async (_name, name, made) => {
    mkdirSync(join(bench.outside, made), { recursive: true });
    symlinkSync(bench.outside, path('link'));
    for (const create of [false, true]) {
      expect(await openDirectory(path(name), create)).toEqual({
        ok: false,
        why: expect.stringContaining('changed between the decision and its use'),
      });
    }
  },
);

test('missing directories are not made through a link', async () => {
  symlinkSync(bench.outside, path('link'));
  expect((await openDirectory(path('link/new/deep'), true)).ok).toBe(false);
  expect(readdirSync(bench.outside)).toEqual([]);
});

test('names in an opened directory stay in it when its path leads elsewhere', async () => {
  const opened = await openDirectory(path('a/b'), true);
  if (!opened.ok) throw new Error(opened.why);
  writeFileSync(opened.value.at('f'), 'x');
  expect(await opened.value.isInPlace()).toBe(true);
  expect(readdirSync(path('a/b'))).toEqual(['f']);
  await opened.value.close();
});
