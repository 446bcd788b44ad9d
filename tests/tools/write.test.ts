import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { read as readTool } from '../../src/tools/read.ts';
import { write as writeTool } from '../../src/tools/write.ts';
import { openDescriptors, runScript } from '../lib/children.ts';
import { makeWorkbench, runPermitted, type Workbench } from './context.ts';

const IS_ROOT = process.getuid?.() === 0;

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const write = (file_path: string, content: string, changes = {}) =>
  runPermitted(writeTool, { file_path, content }, { ...bench.context, ...changes });
const path = (name: string) => join(bench.cwd, name);
const text = (name: string) => readFileSync(path(name), 'utf8');

test('a new file, with the directories that it needs', async () => {
  expect(await write('a/b c/ü.txt', 'ü😀\n')).toEqual({
    ok: true,
    text: `Wrote 7 bytes to ${path('a/b c/ü.txt')}`,
  });
  expect(text('a/b c/ü.txt')).toBe('ü😀\n');
  expect(readdirSync(path('a/b c'))).toEqual(['ü.txt']);
});

test('a new file gets the mode that the process gives', async () => {
  await write('f', '');
  writeFileSync(path('plain'), '');
  expect(statSync(path('f')).mode).toBe(statSync(path('plain')).mode);
});

test('a file that exists is replaced and keeps its mode', async () => {
  writeFileSync(path('run.sh'), 'old');
  chmodSync(path('run.sh'), 0o4751);
  expect(await write('run.sh', '')).toEqual({ ok: true, text: `Wrote 0 bytes to ${path('run.sh')}` });
  expect({ mode: statSync(path('run.sh')).mode & 0o7777, text: text('run.sh') }).toEqual({
    mode: 0o4751,
    text: '',
  });
});

// Only root may give files away.
test.runIf(IS_ROOT)('a file of another user stays theirs', async () => {
  writeFileSync(path('f'), 'old');
  chownSync(path('f'), 1234, 2345);
  await write('f', 'new');
  const { uid, gid } = statSync(path('f'));
  expect({ uid, gid, text: text('f') }).toEqual({ uid: 1234, gid: 2345, text: 'new' });
});

// Root may write anything.
test.skipIf(IS_ROOT)('a file that is write-protected is not replaced', async () => {
  writeFileSync(path('f'), 'old', { mode: 0o444 });
  expect((await write('f', 'new')).text).toMatch(/does not permit/);
  expect(text('f')).toBe('old');
});

test('a reader never sees a part of the content', async () => {
  const [a, b] = ['a'.repeat(3_000_000), 'b'.repeat(3_000_000)];
  await write('f', a);
  const writing = write('f', b);
  const seen = new Set<string>();
  let done = false;
  void writing.finally(() => {
    done = true;
  });
  while (!done) {
    seen.add(text('f'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await writing).ok).toBe(true);
  expect([...seen].filter((content) => content !== a && content !== b)).toEqual([]);
  expect(text('f')).toBe(b);
});

test('half of a character is refused, not replaced by another', async () => {
  await expect(write('f', 'abc\ud83d')).rejects.toThrow(
    'The input does not fit Write: content holds half of a character at position 3 (a lone surrogate). Nothing was done.',
  );
  expect(existsSync(path('f'))).toBe(false);
});

describe('what cannot be written', () => {
  test('a directory, a path through a file, a named pipe, a device', async () => {
    mkdirSync(path('dir'));
    writeFileSync(path('file'), 'x');
    await runScript('mkfifo pipe', { cwd: bench.cwd });
    expect((await write('dir', 'x')).text).toMatch(/is a directory/);
    expect((await write('file/below', 'x')).text).toMatch(/not a directory, or leads through a file/);
    expect((await write('pipe', 'x')).text).toMatch(/is a named pipe/);
    expect((await write('/dev/null', 'x')).text).toMatch(/is a device/);
    expect((await write('x'.repeat(300), 'x')).text).toMatch(/longer than the system allows/);
    expect(text('file')).toBe('x');
  });

  test('after an interrupt nothing is', async () => {
    const { ok } = await write('f', 'x', { signal: AbortSignal.abort() });
    expect({ ok, files: readdirSync(bench.cwd) }).toEqual({ ok: false, files: [] });
  });
});

describe('a file that changed since the session saw it', () => {
  const read = (file_path: string) => runPermitted(readTool, { file_path }, bench.context);

  test('it is not overwritten until it is read again', async () => {
    writeFileSync(path('f'), 'mine');
    await read('f');
    writeFileSync(path('f'), 'theirs');
    const { ok, text: why } = await write('f', 'lost');
    expect({ ok, why, text: text('f') }).toEqual({
      ok: false,
      why: `${path('f')} changed since it was read. Nothing was written. Read it again, then repeat the change.`,
      text: 'theirs',
    });
    await read('f');
    expect((await write('f', 'agreed')).ok).toBe(true);
  });

  test('our own writes are no change, and an unseen file needs no reading', async () => {
    writeFileSync(path('f'), 'never read');
    expect((await write('f', 'one')).ok).toBe(true);
    expect((await write('f', 'two')).ok).toBe(true);
    writeFileSync(path('f'), 'theirs!');
    expect((await write('f', 'three')).ok).toBe(false);
  });

  test('a file that was deleted can be written anew: nothing is lost', async () => {
    await write('f', 'one');
    rmSync(path('f'));
    expect((await write('f', 'two')).ok).toBe(true);
  });
});

test('a disk that is full in the middle: the old content stays, no part of the new one does', async () => {
  writeFileSync(path('f'), 'old');
  const handle = await open(path('f'));
  await handle.close();
  const full = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockImplementation(async function (
    this: FileHandle,
    content: unknown,
  ) {
    await this.write((content as Buffer).subarray(0, 2));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  try {
    expect(await write('f', 'the new content')).toEqual({
      ok: false,
      text: `No space is left on the disk of ${path('f')}; it is as it was before.`,
    });
    expect((await write('new', 'content')).ok).toBe(false);
    expect(full).toHaveBeenCalledTimes(2);
  } finally {
    full.mockRestore();
  }
  expect({ text: text('f'), files: readdirSync(bench.cwd) }).toEqual({ text: 'old', files: ['f'] });
});

test('no descriptor and no temporary file stays, whatever the outcome', async () => {
  symlinkSync('f', path('link'));
  const before = openDescriptors();
  for (let round = 0; round < 20; round += 1) {
    for (const name of ['f', 'link', 'a/b', '.', 'f/below']) await write(name, 'x');
    await write('f', 'x', { target: path('elsewhere/f') });
  }
  expect(openDescriptors()).toBe(before);
  expect(readdirSync(bench.cwd).toSorted()).toEqual(['a', 'elsewhere', 'f', 'link']);
});
