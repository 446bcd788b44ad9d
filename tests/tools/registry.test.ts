import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { TOOLS } from '../../src/tools/registry.ts';
import { findTool } from '../../src/tools/tool.ts';

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
  ['Bash', { command: '' }, false],
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
