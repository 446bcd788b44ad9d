import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeFile } from '../../src/tools/change-file.ts';
import { makeWorkbench, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
  mkdirSync(join(bench.cwd, 'sub'));
});
afterEach(() => bench.remove());

const path = (name: string) => join(bench.cwd, name);

/** Does `meanwhile` after the file was looked at and before it is replaced. */
function changeWhile(meanwhile: () => void) {
  return changeFile({
    path: path('sub/f'),
    context: { ...bench.context, target: path('sub/f') },
    createParents: true,
    change: async () => {
      meanwhile();
      return { ok: true, content: Buffer.from('ours'), text: 'done' };
    },
  });
}
const refused = { ok: false, text: expect.stringContaining('changed while it was being written') };

test('a directory that is swapped for a link in the middle of a change: nothing lands behind the link', async () => {
  const outcome = await changeWhile(() => {
    renameSync(path('sub'), path('away'));
    symlinkSync(bench.outside, path('sub'));
  });
  expect(outcome).toEqual(refused);
  expect([...readdirSync(bench.outside), ...readdirSync(path('away'))]).toEqual([]);
});

test('a file that appears in the middle of a change is not overwritten', async () => {
  expect(await changeWhile(() => writeFileSync(path('sub/f'), 'theirs'))).toEqual(refused);
  expect(readFileSync(path('sub/f'), 'utf8')).toBe('theirs');
});

test('a file that changes in the middle of a change is not overwritten', async () => {
  writeFileSync(path('sub/f'), 'before');
  expect(await changeWhile(() => writeFileSync(path('sub/f'), 'theirs'))).toEqual(refused);
  expect({ text: readFileSync(path('sub/f'), 'utf8'), files: readdirSync(path('sub')) }).toEqual({
    text: 'theirs',
    files: ['f'],
  });
});

test('a file that becomes a link in the middle of a change is neither followed nor replaced', async () => {
  writeFileSync(path('sub/f'), 'before');
  writeFileSync(join(bench.outside, 'victim'), 'intact');
  const outcome = await changeWhile(() => {
    rmSync(path('sub/f'));
    symlinkSync(join(bench.outside, 'victim'), path('sub/f'));
  });
  expect(outcome).toEqual(refused);
  expect(readFileSync(path('sub/f'), 'utf8')).toBe('intact');
});

test('without interference it is written', async () => {
  expect(await changeWhile(() => {})).toEqual({ ok: true, text: 'done' });
  expect(readFileSync(path('sub/f'), 'utf8')).toBe('ours');
});
