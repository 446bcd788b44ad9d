import { expect, test } from 'vitest';
import type { Behavior, JsonObject } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { callElsewhere } from '../../src/tools/elsewhere.ts';
import { FILES, permissionsOf, type RuleTexts, WORKPLACE } from '../permissions/scene.ts';

const decided = (rules: RuleTexts, tool: string, input: JsonObject): Behavior =>
  decide({ permissions: permissionsOf(rules), call: callElsewhere(tool, input, WORKPLACE), files: FILES })
    .behavior;

test('path rules hold for every tool that works on a path', () => {
  const rules = { allow: ['Edit(sub/**)'], deny: ['Read(secrets/**)', 'Edit(locked/**)'] };
  expect(decided(rules, 'Grep', { pattern: 'x', path: 'secrets' })).toBe('deny');
  expect(decided(rules, 'Grep', { pattern: 'x' })).toBe('allow');
  expect(decided(rules, 'Grep', { pattern: 'x', path: '/etc' })).toBe('ask');
  expect(decided(rules, 'NotebookEdit', { notebook_path: '/work/proj/sub/n.ipynb' })).toBe('allow');
  expect(decided(rules, 'NotebookEdit', { notebook_path: 'locked/n.ipynb' })).toBe('deny');
  expect(decided(rules, 'NotebookEdit', { notebook_path: 'n.ipynb' })).toBe('ask');
  expect(decided(rules, 'MultiEdit', { file_path: 'locked/a' })).toBe('deny');
});

test('a restricted Read restricts whatever else reads or writes', () => {
  for (const tool of ['Grep', 'LS', 'NotebookRead', 'NotebookEdit', 'MultiEdit']) {
    const input = { path: 'sub', notebook_path: 'sub/n.ipynb', file_path: 'sub/a' };
    expect([tool, decided({ deny: ['Read'] }, tool, input)]).toEqual([tool, 'deny']);
  }
});

test('without its path, or with a strange one, only rules for the whole tool are left', () => {
  const rules = { allow: ['Edit(**)'], deny: ['MultiEdit'] };
  expect(decided(rules, 'NotebookEdit', {})).toBe('ask');
  expect(decided(rules, 'NotebookEdit', { notebook_path: 5 })).toBe('ask');
  expect(decided(rules, 'MultiEdit', {})).toBe('deny');
});
