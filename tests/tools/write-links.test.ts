import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { write as writeTool } from '../../src/tools/write.ts';
import { runScript } from '../lib/children.ts';
import { makeWorkbench, runPermitted, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const write = (file_path: string, content: string, changes = {}) =>
  runPermitted(writeTool, { file_path, content }, { ...bench.context, ...changes });
const path = (name: string) => join(bench.cwd, name);
const text = (name: string) => readFileSync(path(name), 'utf8');

test('nothing is written through a link: its target is named', async () => {
  writeFileSync(path('real'), 'old');
  symlinkSync('real', path('link'));
  expect(await write('link', 'new')).toEqual({
    ok: false,
    text: `${path('link')} is a link to ${path('real')}. Nothing is written through a link: name ${path('real')} itself.`,
  });
  symlinkSync('nowhere', path('dangling'));
  expect((await write('dangling', 'new')).ok).toBe(false);
  expect({ text: text('real'), files: readdirSync(bench.cwd).toSorted() }).toEqual({
    text: 'old',
    files: ['dangling', 'link', 'real'],
  });
});

test('of a file with several names, by hard links, only the one that was judged is changed, which is said', async () => {
  writeFileSync(join(bench.outside, 'theirs'), 'old');
  linkSync(join(bench.outside, 'theirs'), path('mine'));
  expect(await write('mine', 'new')).toEqual({
    ok: true,
    text: `Wrote 3 bytes to ${path('mine')} (the file has 1 more name, by hard links, with the old content)`,
  });
  expect([text('mine'), readFileSync(join(bench.outside, 'theirs'), 'utf8')]).toEqual(['new', 'old']);
});

test('a directory that is a link is gone through, when the decision was taken on where it leads', async () => {
  mkdirSync(path('real'));
  symlinkSync('real', path('link'));
  expect((await write('link/sub/f', 'x')).ok).toBe(true);
  expect(text('real/sub/f')).toBe('x');
});

const attacks: [string, string, () => void][] = [
  ['the file became a link', 'f', () => symlinkSync(join(bench.outside, 'victim'), path('f'))],
  [
    'its directory became a link',
    'sub/f',
    () => {
      mkdirSync(path('sub'));
      renameSync(path('sub'), path('away'));
      symlinkSync(bench.outside, path('sub'));
    },
  ],
  [
    'a missing directory on the way became a link',
    'new/deep/f',
    () => symlinkSync(bench.outside, path('new')),
  ],
  [
    'a directory further up became a link',
    'one/two/f',
    () => {
      mkdirSync(join(bench.outside, 'two'));
      symlinkSync(bench.outside, path('one'));
    },
  ],
];
test.each(attacks)('after the decision %s: nothing is written', async (_name, name, attack) => {
  writeFileSync(join(bench.outside, 'victim'), 'intact');
  attack();
  const { ok, text: why } = await write(name, 'bad', { target: path(name) });
  expect({ ok, why }).toEqual({ ok: false, why: expect.stringContaining('changed between the decision') });
  expect(
    readdirSync(bench.outside, { recursive: true }).filter((entry) => !/^(victim|two)$/.test(String(entry))),
  ).toEqual([]);
  expect(readFileSync(join(bench.outside, 'victim'), 'utf8')).toBe('intact');
});

test('a link on the way that was pointed elsewhere after the decision: nothing is written', async () => {
  mkdirSync(path('real'));
  symlinkSync(bench.outside, path('link'));
  const { ok, text: why } = await write('link/f', 'bad', { target: path('real/f') });
  expect({ ok, why }).toEqual({ ok: false, why: expect.stringContaining('changed between the decision') });
  expect([...readdirSync(bench.outside), ...readdirSync(path('real'))]).toEqual([]);
});

test('swapped over and over while files are written: nothing ever lands outside', async () => {
  mkdirSync(path('real'));
  const swap = runScript(
    'for ((i = 0; i < 150; i++)); do rm -rf real away; mkdir real; mv -T real away; ln -sT "$OUT" real; rm -rf real; mv -T away real; done; exit 0',
    { cwd: bench.cwd, env: { PATH: process.env['PATH'] ?? '', OUT: bench.outside, SHLVL: '1' } },
  );
  let swapping = true;
  void swap.finally(() => {
    swapping = false;
  });
  const outcomes = { written: 0, refused: 0 };
  for (let count = 0; swapping; count += 1) {
    const { ok } = await write(`real/f${count % 10}`, 'x', { target: path(`real/f${count % 10}`) });
    outcomes[ok ? 'written' : 'refused'] += 1;
  }
  expect((await swap).end).toEqual({ kind: 'exited', code: 0 });
  expect(outcomes.written).toBeGreaterThan(0);
  expect(readdirSync(bench.outside)).toEqual([]);
});
