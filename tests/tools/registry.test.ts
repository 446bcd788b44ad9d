import { Ajv } from 'ajv';
import { afterAll, expect, test } from 'vitest';
import { bash } from '../../src/tools/bash.ts';
import { whyUnknown } from '../../src/tools/elsewhere.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { findTool } from '../../src/tools/tool.ts';
import { makeWorkbench, parse } from './context.ts';

const bench = makeWorkbench();
afterAll(() => bench.remove());

test('there are five tools', () => {
  expect(TOOLS.map(({ name, readOnly }) => [name, readOnly])).toEqual([
    ['Bash', false],
    ['Read', true],
    ['Write', false],
    ['Edit', false],
    ['Glob', true],
  ]);
});

test.each([
  ['bash', 'Bash'],
  ['read_file', 'Read'],
  ['write_file', 'Write'],
  ['edit_file', 'Edit'],
  ['glob', 'Glob'],
  ['Bash', 'Bash'],
  ['BASH', undefined],
])('%s names %s', (alias, name) => {
  expect(findTool(TOOLS, alias)?.name).toBe(name);
});

test.each<[string, object, boolean]>([
  ['Bash', { command: 'ls' }, true],
  ['Bash', { command: 'ls', timeout: 600_000, description: 'lists' }, true],
  ['Bash', { command: 'ls', something: 'else' }, true],
  ['Bash', { command: '' }, true],
  ['Bash', { command: 'ls', timeout: 600_001 }, false],
  ['Bash', { command: 'ls', timeout: 0 }, false],
  ['Bash', { command: ['ls'] }, false],
  ['Read', { file_path: 'f', offset: 1, limit: 1 }, true],
  ['Read', { file_path: 'f', offset: 0 }, false],
  ['Read', { file_path: 'f', limit: 1.5 }, false],
  ['Read', { file_path: 'a\0b' }, false],
  ['Read', { file_path: '' }, false],
  ['Read', {}, false],
  ['Write', { file_path: 'f', content: '' }, true],
  ['Write', { file_path: 'f' }, false],
  ['Edit', { file_path: 'f', old_string: 'a', new_string: '', replace_all: true }, true],
  ['Edit', { file_path: 'f', old_string: 'a' }, false],
  ['Glob', { pattern: '*' }, true],
  ['Glob', { pattern: '', path: '.' }, false],
])('%s takes %j: %s', (name, input, fits) => {
  const schema = findTool(TOOLS, name)?.inputSchema;
  expect(schema).toBeDefined();
  expect(new Ajv({ strict: true }).validate(schema ?? {}, input)).toBe(fits);
});

test('every field of every tool is described to the model', () => {
  for (const { inputSchema } of TOOLS) {
    for (const field of Object.values(Object(inputSchema['properties']))) {
      expect(field).toMatchObject({ description: expect.stringMatching(/\.$/) });
    }
  }
});

test.each<[string, object, RegExp]>([
  [
    'Bash',
    { command: 'touch \ud800' },
    /^The input does not fit Bash: command holds half of a character at position 6 /,
  ],
  ['Bash', { command: 'ls', description: '\udc00' }, /description holds half/],
  ['Bash', { command: 'ls', 'x\ud800': 1 }, /the name of a field holds half/],
  ['Bash', { command: 'ls', more: [{ deep: ['\udfff'] }] }, /more\/0\/deep\/0 holds half/],
  ['Read', { file_path: '\udc00x' }, /file_path holds half/],
  ['Write', { file_path: '\udc00x', content: '' }, /file_path holds half/],
  ['write_file', { path: '\udc00x', content: '' }, /path holds half/],
  ['Edit', { file_path: '\udc00x', old_string: 'a', new_string: 'b' }, /file_path holds half/],
  ['Glob', { pattern: '\udc00*' }, /pattern holds half/],
])('an input of %s with half of a character does not fit: %j', async (name, input, why) => {
  const tool = findTool(TOOLS, name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  await expect(parse(tool, input, bench.context)).rejects.toMatchObject({
    outcome: 'invalid_input',
    message: expect.stringMatching(why),
  });
});

test.each<[string, unknown, string]>([
  [
    'Bash',
    { cmd: 'ls' },
    'command is missing; its fields are command, timeout (optional), description (optional), run_in_background (optional)',
  ],
  ['Bash', { command: ['ls'] }, 'command must be a string, not ["ls"]'],
  ['Bash', { command: 'ls', timeout: '5000' }, 'timeout must be a number, not "5000"'],
  ['Bash', { command: 'ls', timeout: 0 }, 'timeout must be at least 1'],
  ['Bash', { command: 'ls', timeout: 1e9 }, 'timeout must be at most 600000'],
  ['Read', { file_path: 'x', offset: 1.5 }, 'offset must be an integer, not 1.5'],
  [
    'Read',
    { file_path: 'x', offset: 'y'.repeat(99) },
    `offset must be an integer, not "${'y'.repeat(56)}...`,
  ],
  ['Read', { file_path: '' }, 'file_path is empty'],
  ['Read', { file_path: 'a\0b' }, 'file_path holds a NUL character, which no file name can'],
  ['Read', 'x', 'it is no object'],
  ['Read', { file_path: 1, limit: -1 }, 'file_path must be a string, not 1; limit must be at least 1'],
])('an input of %s that does not fit is told in words that help: %j', async (name, input, problem) => {
  const tool = findTool(TOOLS, name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  await expect(parse(tool, input as object, bench.context)).rejects.toMatchObject({
    message: `The input does not fit ${name}: ${problem}. Nothing was done.`,
  });
});

test.each([
  [
    'Grep',
    'The tools are: Bash, Read, Write, Edit, Glob. To search in files use Bash: grep -rn PATTERN DIRECTORY',
  ],
  ['MultiEdit', 'Use Edit, once for each change.'],
  ['Nothing', 'There is no tool named "Nothing". The tools are: Bash, Read, Write, Edit, Glob.'],
])('who calls %s, which is not here, is told what is', (name, words) => {
  const known = TOOLS.map((tool) => tool.name);
  expect(whyUnknown(name, known).endsWith(words)).toBe(true);
});

test('a whole pair of surrogates is a character like any other', async () => {
  const { call } = await parse(bash, { command: 'echo 😀\ufffd' }, bench.context);
  expect(call.value.input['command']).toBe('echo 😀\ufffd');
});
