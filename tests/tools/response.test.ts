/** What hooks get as `tool_response`, and what the model reads when a hook puts another in its place. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '../../src/core/vocabulary.ts';
import { bash } from '../../src/tools/bash.ts';
import { edit } from '../../src/tools/edit.ts';
import { glob } from '../../src/tools/glob.ts';
import { read } from '../../src/tools/read.ts';
import { succeeded } from '../../src/tools/run-context.ts';
import { defineTool, renderResponse } from '../../src/tools/tool.ts';
import { write } from '../../src/tools/write.ts';
import { makeWorkbench, resultOf, type Workbench } from './context.ts';

const IS_ROOT = process.getuid?.() === 0;

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const path = (name: string) => join(bench.cwd, name);
const result = (tool: Tool, input: object) => resultOf(tool, input, bench.context);
const response = async (tool: Tool, input: object) => (await result(tool, input)).response;

/** The fields and the numbers are as observed on Claude Code 2.1.332; `survivors` and `moreLines` are ours. */
describe('the response of', () => {
  test('Bash holds what was printed, both streams in their order', async () => {
    const plain = { stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
    expect(await response(bash, { command: 'echo hi' })).toEqual({ stdout: 'hi', ...plain });
    expect(await response(bash, { command: 'true' })).toEqual({ stdout: '', ...plain });
    expect(await response(bash, { command: 'echo a; echo b >&2; echo c' })).toEqual({
      stdout: 'a\nb\nc',
      ...plain,
    });
  });

  test.each([
    ['hello\n', {}, { content: 'hello\n', numLines: 2, startLine: 1, totalLines: 2, moreLines: 0 }],
    ['f\n', { limit: 1 }, { content: 'f', numLines: 1, startLine: 1, totalLines: 2, moreLines: 0 }],
    [
      '1\n2\n3\n4\n5\n',
      { offset: 2, limit: 2 },
      { content: '2\n3', numLines: 2, startLine: 2, totalLines: 6, moreLines: 2 },
    ],
    ['1\n2', { offset: 2 }, { content: '2', numLines: 1, startLine: 2, totalLines: 2, moreLines: 0 }],
    ['\ufeffa', {}, { content: 'a', numLines: 1, startLine: 1, totalLines: 1, moreLines: 0 }],
    ['', {}, { content: '', numLines: 1, startLine: 1, totalLines: 1, moreLines: 0 }],
  ])('Read holds the lines that were read: %j, %j', async (content, range, file) => {
    writeFileSync(path('f'), content);
    expect(await response(read, { file_path: 'f', ...range })).toEqual({
      type: 'text',
      file: { filePath: path('f'), ...file },
    });
  });

  test('Write tells a new file from a replaced one, and what changed in it', async () => {
    const content = 'aaa\nbbb\n';
    const file = { filePath: path('w'), userModified: false };
    expect(await response(write, { file_path: 'w', content })).toEqual({
      type: 'create',
      ...file,
      content,
      structuredPatch: [],
      originalFile: null,
    });
    expect(await response(write, { file_path: 'w', content: 'ccc\nbbb\n' })).toEqual({
      type: 'update',
      ...file,
      content: 'ccc\nbbb\n',
      structuredPatch: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-aaa', '+ccc', ' bbb'] },
      ],
      originalFile: content,
    });
  });

  test('Write over bytes that are no text, or too many, is without them', async () => {
    const update = { type: 'update', originalFile: null, structuredPatch: [] };
    writeFileSync(path('latin'), Buffer.from('caf\xe9', 'latin1'));
    expect(await response(write, { file_path: 'latin', content: 'x' })).toMatchObject(update);
    writeFileSync(path('large'), 'x'.repeat(5_000_000));
    expect(await response(write, { file_path: 'large', content: 'x' })).toMatchObject(update);
  });

  // Root may read anything.
  test.skipIf(IS_ROOT)('Write over a file that cannot be read succeeds without it', async () => {
    writeFileSync(path('f'), 'secret');
    chmodSync(path('f'), 0o200);
    expect(await response(write, { file_path: 'f', content: 'x' })).toMatchObject({
      type: 'update',
      originalFile: null,
    });
  });

  test.each([false, true])('Edit tells what changed in the file (replace_all %s)', async (replace_all) => {
    writeFileSync(path('w'), 'aaa\nbbb\n');
    const input = { file_path: 'w', old_string: 'aaa', new_string: 'ccc', replace_all };
    expect(await response(edit, input)).toEqual({
      filePath: path('w'),
      oldString: 'aaa',
      newString: 'ccc',
      originalFile: 'aaa\nbbb\n',
      structuredPatch: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-aaa', '+ccc', ' bbb'] },
      ],
      userModified: false,
      replaceAll: replace_all,
    });
  });

  test('Glob holds the names that the model is shown, and counts all', async () => {
    mkdirSync(path('d'));
    for (let index = 0; index < 103; index += 1) writeFileSync(path(`d/${index}.ts`), '');
    writeFileSync(path('one.md'), '');
    const common = { durationMs: expect.any(Number), countIsComplete: true };
    expect(await response(glob, { pattern: '*.md' })).toEqual({
      filenames: ['one.md'],
      numFiles: 1,
      truncated: false,
      totalMatches: 1,
      ...common,
    });
    const many = await response(glob, { pattern: '**/*.ts' });
    expect(many).toMatchObject({ numFiles: 100, truncated: true, totalMatches: 103, ...common });
    expect(many?.['filenames']).toHaveLength(100);
  });

  test('a call that failed is none: hooks get the error', async () => {
    for (const [tool, input] of [
      [bash, { command: 'echo no; exit 3' }],
      [bash, { command: 'kill -KILL $$' }],
      [read, { file_path: 'missing' }],
      [write, { file_path: '.', content: '' }],
      [edit, { file_path: 'missing', old_string: 'a', new_string: 'b' }],
      [glob, { pattern: '*', path: 'missing' }],
    ] as const) {
      expect(await result(tool, input)).toEqual({
        id: expect.anything(),
        outcome: 'failed',
        text: expect.anything(),
        durationMs: expect.any(Number),
      });
    }
  });
});

describe('a response that comes back as it was', () => {
  test.each<[string, Tool, object]>([
    ['of a command', bash, { command: 'echo "  a"; echo b >&2' }],
    ['of a silent command', bash, { command: 'true' }],
    ['of a long output', bash, { command: 'head -c 60000 /dev/zero | tr "\\0" x' }],
    ['of a file', read, { file_path: 'f' }],
    ['of a part of a file', read, { file_path: 'f', limit: 2 }],
    ['of its last line', read, { file_path: 'f', offset: 3, limit: 1 }],
    ['of an empty file', read, { file_path: 'empty' }],
    ['of an edit', edit, { file_path: 'f', old_string: '2', new_string: 'two' }],
    ['of matches', glob, { pattern: '**' }],
    ['of more matches than are shown', glob, { pattern: 'many/*' }],
    ['of no match', glob, { pattern: 'nothing' }],
  ])('%s reads as before', async (_name, tool, input) => {
    writeFileSync(path('f'), '1\n2\n3\n');
    writeFileSync(path('empty'), '');
    mkdirSync(path('many'));
    for (let index = 0; index < 101; index += 1) writeFileSync(path(`many/${index}`), '');
    const { outcome, text, response } = await result(tool, input);
    expect(outcome).toBe('ok');
    expect(renderResponse(tool, JSON.parse(JSON.stringify(response)))).toEqual({ ok: true, text, response });
  });

  test('of a command that left a process behind still says so', async () => {
    const { text, response } = await result(bash, { command: 'sleep 100 & echo $!' });
    process.kill(Number(text.split('\n')[0]), 'SIGKILL');
    expect(response).toMatchObject({ survivors: 1 });
    expect(renderResponse(bash, response)).toMatchObject({ text });
    expect(text).toContain('1 process that it started still runs');
  });
});

describe('a response in which a hook has hidden something', () => {
  const text = (tool: Tool, replaced: unknown) => {
    const rendered = renderResponse(tool, replaced);
    return rendered.ok ? rendered.text : { problem: rendered.problem };
  };

  test('is what the model reads', () => {
    expect(text(bash, { stdout: 'R2', stderr: '', interrupted: false, isImage: false })).toBe('R2');
    expect(text(bash, { stdout: 'out', stderr: 'err' })).toBe('out\nerr');
    expect(text(bash, { stdout: '' })).toBe('(no output)');
    const file = { filePath: '/f', content: 'key=[hidden]', numLines: 1, startLine: 1, totalLines: 1 };
    expect(text(read, { type: 'text', file })).toBe('key=[hidden]');
    expect(text(glob, { filenames: ['a'], numFiles: 1, truncated: false })).toBe('a');
    expect(text(edit, { filePath: '/f' })).toBe('Edited /f');
  });

  test('never says that a file is empty which is not', () => {
    expect(text(read, { type: 'text', file: { content: '', totalLines: 7 } })).toBe('(no text)');
  });

  test('makes no count of bytes up for a Write', () => {
    expect(text(write, { type: 'create', filePath: '/f', content: '[hidden]' })).toBe('Wrote /f');
  });

  test.each<[Tool, unknown]>([
    [bash, 'REPLACED'],
    [bash, null],
    [bash, [{ type: 'text', text: 'x' }]],
    [bash, {}],
    [bash, { output: 'x' }],
    [bash, { stdout: 1, stderr: '' }],
    [bash, { stdout: 'x', stderr: null }],
    [read, { type: 'text', content: 'x' }],
    [read, { type: 'text', file: { content: null } }],
    [read, { type: 'image', file: { content: 'x' } }],
    [write, { type: 'create' }],
    [edit, { filePath: 1 }],
    [glob, { filenames: 'a' }],
    [glob, { filenames: ['a', 1] }],
  ])('in another shape than that of $name is a problem', (tool, replaced) => {
    expect(text(tool, replaced)).toEqual({
      problem: `the new output does not have the shape of ${tool.name}'s tool_response`,
    });
  });

  test('is a problem of a tool that has no shape of its own', () => {
    const shout = defineTool({
      name: 'Shout',
      description: 'Says it louder.',
      inputSchema: Type.Object({}),
      readOnly: true,
      specifiers: () => ({ kind: 'none' }),
      run: async () => succeeded('A'),
    });
    expect(renderResponse(shout, { text: 'x' }).ok).toBe(false);
  });
});
