import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { read as readTool } from '../../src/tools/read.ts';
import { openDescriptors, runScript } from '../lib/children.ts';
import { makeWorkbench, runPermitted, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const read = (input: object, changes = {}) => runPermitted(readTool, input, { ...bench.context, ...changes });
const file = (name: string, content: string | Uint8Array) => {
  const path = join(bench.cwd, name);
  writeFileSync(path, content);
  return path;
};

describe('lines', () => {
  const five = '1\n2\n3\n4\n5\n';
  test.each([
    ['all of them', five, {}, five],
    ['the first two', five, { limit: 2 }, '1\n2\n... (3 more lines)'],
    ['two in the middle', five, { offset: 3, limit: 2 }, '3\n4\n... (1 more lines)'],
    ['from the fourth on', five, { offset: 4 }, '4\n5\n'],
    ['more than there are', five, { limit: 99 }, five],
    ['a last line without a newline', '1\n2', { offset: 2 }, '2'],
    ['all but a last line without a newline', '1\n2', { limit: 1 }, '1\n... (1 more lines)'],
    ['CRLF is shown as it is', 'a\r\nb\r\n', {}, 'a\r\nb\r\n'],
    ['a byte order mark is not shown', '\ufeffa\n', {}, 'a\n'],
    ['an empty file says so', '', {}, '(the file is empty)'],
    ['an empty file says so at any offset', '', { offset: 3 }, '(the file is empty)'],
    ['characters of several bytes', 'ü文😀\n', {}, 'ü文😀\n'],
  ])('%s', async (_name, content, range, text) => {
    expect(await read({ file_path: file('f', content), ...range })).toEqual({ ok: true, text });
  });

  test('an offset past the end says how many lines there are', async () => {
    const path = file('f', five);
    const text = `There is no line 6: ${path} has 5 lines.`;
    expect(await read({ file_path: path, offset: 6 })).toEqual({ ok: false, text });
  });

  test('characters are whole wherever the chunks of the file are cut', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const content = `${'x'.repeat(shift)}${'😀'.repeat(20_000)}\n`;
      expect((await read({ file_path: file('f', content) })).text).toBe(content);
    }
  });
});

describe('what cannot be read', () => {
  test.each([
    ['a missing file', 'missing', /missing does not exist/],
    ['a directory', '.', /is a directory, not a file. Glob/],
    ['a device', '/dev/null', /is a device/],
    ['a path through a file', 'text/below', /leads through a file/],
  ])('%s', async (_name, path, why) => {
    file('text', 'x');
    const { ok, text } = await read({ file_path: path });
    expect(ok).toBe(false);
    expect(text).toMatch(why);
  });

  test('a named pipe, without waiting for a writer', async () => {
    await runScript('mkfifo pipe', { cwd: bench.cwd });
    expect((await read({ file_path: 'pipe' })).text).toMatch(/is a named pipe/);
  });

  test('bytes that are no text', async () => {
    expect((await read({ file_path: file('b', Buffer.from([1, 0, 2])) })).text).toMatch(
      /is a binary file \(3 bytes/,
    );
    expect((await read({ file_path: file('l', Buffer.from('caf\xe9\n', 'latin1')) })).text).toMatch(
      /not UTF-8/,
    );
  });

  test('a link that leads nowhere is named with where it leads', async () => {
    symlinkSync('nowhere', join(bench.cwd, 'dangling'));
    const target = join(bench.cwd, 'nowhere');
    expect((await read({ file_path: 'dangling' }, { target })).text).toBe(
      `${join(bench.cwd, 'dangling')} leads through a link to ${target}, which does not exist.`,
    );
  });

  test('a link that leads round in a circle', async () => {
    symlinkSync('loop', join(bench.cwd, 'loop'));
    expect((await read({ file_path: 'loop' })).text).toMatch(/too many links/);
  });

  test('too much at once; a part of the same file can be read', async () => {
    const path = file('big', 'a line of text\n'.repeat(100_000));
    const whole = await read({ file_path: path });
    expect(whole.ok).toBe(false);
    expect(whole.text).toContain('Read fewer at once, with offset and limit');
    const part = await read({ file_path: path, offset: 50_000, limit: 1 });
    expect(part).toEqual({ ok: true, text: 'a line of text\n... (50000 more lines)' });
  });

  test('a single line of 300 MB, with bounded memory', async () => {
    const path = file('line', 'x');
    // Not sparse zeros, which would be refused as binary.
    await runScript(`yes | tr -d '\\n' | head -c 300000000 > line`, { cwd: bench.cwd });
    const before = process.memoryUsage().rss;
    const { ok, text } = await read({ file_path: path });
    expect(ok).toBe(false);
    expect(text).toContain('Line 1 of');
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  test('a file without an end, until the user interrupts', async () => {
    const path = file('huge', 'text\n');
    truncateSync(path, 10_000_000_000);
    const { ok, text } = await read({ file_path: path, offset: 2 }, { signal: AbortSignal.abort() });
    expect({ ok, text }).toEqual({ ok: false, text: 'The user interrupted the reading.' });
  });
});

describe('what is opened is what was judged', () => {
  test('a link is read when the decision was taken on what it leads to', async () => {
    const target = file('real', 'content');
    symlinkSync(target, join(bench.cwd, 'link'));
    expect(await read({ file_path: 'link' })).toEqual({ ok: true, text: 'content' });
  });

  test('a link that was swapped after the decision is not', async () => {
    const target = file('real', 'harmless');
    writeFileSync(join(bench.outside, 'secret'), 'secret');
    const link = join(bench.cwd, 'link');
    symlinkSync(join(bench.outside, 'secret'), link);
    const { ok, text } = await read({ file_path: link }, { target });
    expect(ok).toBe(false);
    expect(text).toContain('changed between the decision and its use');
    expect(text).not.toContain('secret');
  });

  test('a file that became a link after the decision is not', async () => {
    const path = file('f', 'harmless');
    writeFileSync(join(bench.outside, 'secret'), 'secret');
    rmSync(path);
    symlinkSync(join(bench.outside, 'secret'), path);
    const { ok, text } = await read({ file_path: path }, { target: path });
    expect({ ok, told: text.includes('changed between') }).toEqual({ ok: false, told: true });
  });

  test('a directory on the way that became a link after the decision is not', async () => {
    const directory = join(bench.cwd, 'sub');
    mkdirSync(directory);
    const path = file('sub/f', 'harmless');
    writeFileSync(join(bench.outside, 'f'), 'secret');
    renameSync(directory, join(bench.cwd, 'away'));
    symlinkSync(bench.outside, directory);
    const { ok, text } = await read({ file_path: path }, { target: path });
    expect({ ok, told: text.includes('changed between') }).toEqual({ ok: false, told: true });
  });
});

test('names with blanks, quotes and other scripts', async () => {
  const name = ` it's "a" \\ ü 文件 $HOME\n`;
  file(name, 'content');
  expect(await read({ file_path: name })).toEqual({ ok: true, text: 'content' });
});

test('no descriptor stays open, whatever the outcome', async () => {
  file('f', 'x');
  file('b', '\0');
  const before = openDescriptors();
  for (let round = 0; round < 20; round += 1) {
    for (const path of ['f', 'b', '.', 'missing', '/dev/null']) await read({ file_path: path });
    await read({ file_path: 'f' }, { target: '/elsewhere' });
  }
  expect(openDescriptors()).toBe(before);
  expect(readFileSync(join(bench.cwd, 'f'), 'utf8')).toBe('x');
});
