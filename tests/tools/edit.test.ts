import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { edit as editTool } from '../../src/tools/edit.ts';
import { read as readTool } from '../../src/tools/read.ts';
import { SeenFiles } from '../../src/tools/seen-files.ts';
import { makeWorkbench, runPermitted, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const path = (name: string) => join(bench.cwd, name);
const bytes = (name: string) => readFileSync(path(name)).toString('latin1');
const edit = (file_path: string, old_string: string, new_string: string, more: object = {}, changes = {}) =>
  runPermitted(editTool, { file_path, old_string, new_string, ...more }, { ...bench.context, ...changes });

test('one place is changed, and the mode is kept', async () => {
  writeFileSync(path('f'), 'one two\n');
  chmodSync(path('f'), 0o640);
  expect(await edit('f', 'two', '2')).toEqual({ ok: true, text: `Edited ${path('f')}` });
  expect({ bytes: bytes('f'), mode: statSync(path('f')).mode & 0o777 }).toEqual({
    bytes: 'one 2\n',
    mode: 0o640,
  });
});

test.each([
  ['a byte order mark and no final newline', '\ufeffa\r\nb', 'a', 'A', '\ufeffA\r\nb'],
  ['lone \\r and mixed line ends', 'a\rb\r\nc\nd\r\n', 'c', 'C', 'a\rb\r\nC\nd\r\n'],
  ['NUL and other control characters', 'a\0\x01\x1b[0m x', 'x', 'y', 'a\0\x01\x1b[0m y'],
  ['characters in other forms', 'e\u0301 \u00e9 x', 'x', 'y', 'e\u0301 \u00e9 y'],
])('%s stay as they were, byte for byte', async (_name, before, oldText, newText, after) => {
  writeFileSync(path('f'), before);
  expect((await edit('f', oldText, newText)).ok).toBe(true);
  expect(readFileSync(path('f'))).toEqual(Buffer.from(after));
});

test.each([false, true])(
  '$&, $$ and the like are inserted as they are (replace_all %s)',
  async (replace_all) => {
    writeFileSync(path('f'), 'done');
    await edit('f', 'done', "$& $$ $1 $' $`", { replace_all });
    expect(bytes('f')).toBe("$& $$ $1 $' $`");
  },
);

test.each([false, true])('\\n finds CRLF, which stays (replace_all %s)', async (replace_all) => {
  writeFileSync(path('f'), 'alpha\r\nbeta\r\ngamma\n');
  await edit('f', 'alpha\nbeta', 'alpha\nBETA', { replace_all });
  expect(bytes('f')).toBe('alpha\r\nBETA\r\ngamma\n');
});

describe('an edit that is refused leaves the file untouched', () => {
  const latin = Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1').toString('latin1');
  test.each<[string, string, string, string, RegExp]>([
    ['text that is not there', 'a b a', 'x', 'y', /found 0 times/],
    ['text that is there twice', 'a b a', 'a', 'y', /found 2 times.*replace_all/],
    ['empty old text', 'a', '', 'y', /old_string is empty/],
    ['the same text', 'a', 'a', 'a', /are the same/],
    ['nothing but a line end that is kept', 'a\r\nb', 'a\n', 'a\n\n'.slice(0, 2), /are the same/],
    ['bytes that are not UTF-8', latin, 'x = 1', 'x = 2', /not UTF-8/],
  ])('%s', async (_name, content, oldText, newText, why) => {
    const before = content === latin ? Buffer.from(content, 'latin1') : Buffer.from(content);
    writeFileSync(path('f'), before);
    const { ok, text } = await edit('f', oldText, newText);
    expect(ok).toBe(false);
    expect(text).toMatch(why);
    expect(readFileSync(path('f'))).toEqual(before);
  });

  test.each([
    [
      'the line is named where the text stands with other blanks',
      'a\nif (x) {\n\tgo();\n}\n',
      'if (x) {\n  go();',
      2,
    ],
    ['and at the first line', 'a  b', 'a b', 1],
    ['nothing is named where it does not stand', 'a\nb', 'c', undefined],
    ['nor for blanks alone', 'a\nb', '   ', undefined],
  ])('%s', async (_name, content, oldText, line) => {
    writeFileSync(path('f'), content);
    const { text } = await edit('f', oldText, 'y');
    expect(/With other blanks or indentation it is at line (\d+)/.exec(text)?.[1]).toBe(line?.toString());
    expect(text).toMatch(/found 0 times in .*; nothing was changed\. /);
  });

  test.each([
    ['to find', '\ud83d', 'x', /old_string holds half of a character/],
    ['to put', '😀', '\ude00', /new_string holds half of a character/],
  ])('half of a character %s', async (_name, oldText, newText, why) => {
    writeFileSync(path('f'), '😀');
    await expect(edit('f', oldText, newText)).rejects.toThrow(why);
    expect(readFileSync(path('f'), 'utf8')).toBe('😀');
  });

  test('a missing file, and a directory', async () => {
    expect((await edit('missing', 'a', 'b')).text).toMatch(/missing does not exist. Use Write/);
    expect((await edit('no/such/dir', 'a', 'b')).text).toMatch(/does not exist/);
    expect((await edit('.', 'a', 'b')).text).toMatch(/is a directory/);
  });

  test('a file that changed since it was read', async () => {
    writeFileSync(path('f'), 'mine');
    await runPermitted(readTool, { file_path: 'f' }, bench.context);
    writeFileSync(path('f'), 'mine, and theirs');
    const { ok, text } = await edit('f', 'mine', 'lost');
    expect({ ok, told: text.includes('changed since it was read'), bytes: bytes('f') }).toEqual({
      ok: false,
      told: true,
      bytes: 'mine, and theirs',
    });
  });

  test('a link: its target is named', async () => {
    writeFileSync(path('real'), 'a');
    symlinkSync('real', path('link'));
    const { ok, text } = await edit('link', 'a', 'b');
    expect({ ok, told: text.includes(`is a link to ${path('real')}`), bytes: bytes('real') }).toEqual({
      ok: false,
      told: true,
      bytes: 'a',
    });
  });
});

test('two edits of one file at once, two hundred times: both are there, also across sessions', async () => {
  for (let round = 0; round < 200; round += 1) {
    writeFileSync(path('f'), 'one\ntwo\n');
    const sessions = [new SeenFiles(), new SeenFiles()];
    const outcomes = await Promise.all([
      edit('f', 'one', '1', {}, { seen: sessions[0] }),
      edit('f', 'two', '2', {}, { seen: sessions[1] }),
    ]);
    expect({ bytes: bytes('f'), ok: outcomes.map(({ ok }) => ok) }).toEqual({
      bytes: '1\n2\n',
      ok: [true, true],
    });
  }
});

test('a session whose view is outdated by another session is refused', async () => {
  writeFileSync(path('f'), 'one\ntwo\n');
  const [mine, other] = [new SeenFiles(), new SeenFiles()];
  await runPermitted(readTool, { file_path: 'f' }, { ...bench.context, seen: mine });
  expect((await edit('f', 'two', '2', {}, { seen: other })).ok).toBe(true);
  expect((await edit('f', 'one', '1', {}, { seen: mine })).text).toMatch(/changed since it was read/);
  expect(bytes('f')).toBe('one\n2\n');
});

describe('after the decision', () => {
  test('the file became a link: it is not followed', async () => {
    writeFileSync(join(bench.outside, 'victim'), 'a');
    symlinkSync(join(bench.outside, 'victim'), path('f'));
    const { ok, text } = await edit('f', 'a', 'b', {}, { target: path('f') });
    expect({ ok, told: text.includes('changed between') }).toEqual({ ok: false, told: true });
    expect(readFileSync(join(bench.outside, 'victim'), 'utf8')).toBe('a');
  });

  test('a directory became a link: it is not followed', async () => {
    mkdirSync(path('sub'));
    writeFileSync(path('sub/f'), 'a');
    writeFileSync(join(bench.outside, 'f'), 'a');
    renameSync(path('sub'), path('away'));
    symlinkSync(bench.outside, path('sub'));
    const { ok, text } = await edit('sub/f', 'a', 'b', {}, { target: path('sub/f') });
    expect({ ok, told: text.includes('changed between') }).toEqual({ ok: false, told: true });
    expect(readFileSync(join(bench.outside, 'f'), 'utf8')).toBe('a');
    rmSync(path('sub'));
  });
});
