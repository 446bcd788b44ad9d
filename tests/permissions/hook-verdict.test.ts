/** What the verdict of the hooks changes: an ask counts like an ask rule, an allow like an allow rule. */
import { expect, test } from 'vitest';
import type { Behavior, PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { bash, callOf, edit, hookSays, judgeIn, type RuleTexts, read, write } from './scene.ts';

const P = '/work/proj';
const mcp = callOf('mcp__srv__t', { kind: 'none' });

test.each<[string, PermissionMode, RuleTexts, ToolCall, Behavior]>([
  ['a default ask about a command', 'default', {}, bash('make'), 'allow'],
  ['a built-in ask', 'default', {}, bash('rm f.txt'), 'allow'],
  ['a command that is not understood', 'default', {}, bash('(make "'), 'allow'],
  ['a default ask about a write', 'default', {}, write(`${P}/f.txt`), 'allow'],
  ['one outside the workspace', 'default', {}, write('/etc/x'), 'allow'],
  ['a read outside', 'default', {}, read('/etc/passwd'), 'allow'],
  ['an unknown tool', 'default', {}, mcp, 'allow'],
  ['what dontAsk would deny', 'dontAsk', {}, bash('make'), 'allow'],
  ['what acceptEdits would ask', 'acceptEdits', {}, bash('make'), 'allow'],
  ['a read in plan mode', 'plan', {}, read('/etc/passwd'), 'allow'],
])('an allow lifts %s', (_, mode, rules, call, expected) => {
  expect(judgeIn(mode, rules, call).behavior).not.toBe('allow');
  expect(judgeIn(mode, rules, call, hookSays('allow'))).toMatchObject({
    behavior: expected,
    reason: 'Allowed by hook guard.sh (/work/proj/.hookd/settings.json:7): It said so.',
    cause: { kind: 'hook', hook: { name: 'guard.sh' } },
  });
});

test.each<[string, PermissionMode, RuleTexts, ToolCall, Behavior]>([
  ['a deny rule', 'default', { deny: ['Bash(make:*)'] }, bash('make'), 'deny'],
  ['a deny rule for a path', 'default', { deny: ['Read(f.txt)'] }, read(`${P}/f.txt`), 'deny'],
  ['a deny rule for a tool', 'default', { deny: ['mcp__srv'] }, mcp, 'deny'],
  ['a built-in deny', 'default', {}, bash('sudo ls'), 'deny'],
  ["hookd's own directory", 'bypassPermissions', {}, read('/home/u/.hookd/x'), 'deny'],
  ['an ask rule', 'default', { ask: ['Bash(make:*)'] }, bash('make'), 'ask'],
  ['an ask rule for a path', 'default', { ask: ['Edit(f.txt)'] }, edit(`${P}/f.txt`), 'ask'],
  ['an ask rule for a tool', 'default', { ask: ['mcp__srv'] }, mcp, 'ask'],
  ['what a deny rule may mean', 'default', { deny: ['Bash(rmx:*)'] }, bash('$X a'), 'ask'],
  ['a protected path', 'default', {}, write(`${P}/.git/config`), 'ask'],
  ['a protected path of a command', 'default', {}, bash('touch .git/config'), 'ask'],
  ['project settings in bypass mode', 'bypassPermissions', {}, write(`${P}/.hookd/x`), 'ask'],
  ['a critical removal', 'default', {}, bash('rm -rf ~'), 'ask'],
  ['a write in plan mode', 'plan', {}, write(`${P}/f.txt`), 'ask'],
  ['a command in plan mode', 'plan', {}, bash('make'), 'ask'],
  ['a tool in plan mode', 'plan', {}, mcp, 'ask'],
  ['an ask rule in dontAsk mode', 'dontAsk', { ask: ['Bash(make:*)'] }, bash('make'), 'deny'],
])('an allow does not lift %s', (_, mode, rules, call, expected) => {
  const decision = judgeIn(mode, rules, call, hookSays('allow'));
  expect([decision.behavior, decision.cause.kind === 'hook']).toEqual([expected, false]);
});

test.each<[string, PermissionMode, RuleTexts, ToolCall]>([
  ['what a rule allows', 'default', { allow: ['Bash'] }, bash('make')],
  ['what only reads', 'default', {}, bash('ls')],
  ['a read in the workspace', 'default', {}, read(`${P}/f.txt`)],
  ['an edit in acceptEdits mode', 'acceptEdits', {}, edit(`${P}/f.txt`)],
  ['everything in bypass mode', 'bypassPermissions', {}, bash('make')],
  ['a read-only tool', 'default', {}, callOf('Look', { kind: 'none' }, {}, true)],
  [
    'what an ask rule asks about too, so that only a person answers it',
    'default',
    { ask: ['Bash'] },
    bash('ls'),
  ],
])('an ask of a hook asks about %s, and a person sees which hook', (_, mode, rules, call) => {
  expect(judgeIn(mode, rules, call, hookSays('ask'))).toMatchObject({
    behavior: 'ask',
    reason: 'Asked by hook guard.sh (/work/proj/.hookd/settings.json:7): It said so.',
    cause: { kind: 'hook', hook: { name: 'guard.sh' } },
  });
});

test('a deny rule beats the ask of a hook', () => {
  expect(judgeIn('default', { deny: ['Bash(make)'] }, bash('make'), hookSays('ask')).behavior).toBe('deny');
});

test('in dontAsk mode the ask of a hook is a denial, and says so', () => {
  const decision = judgeIn('dontAsk', { allow: ['Bash'] }, bash('make'), hookSays('ask', ''));
  expect(decision).toMatchObject({ behavior: 'deny', cause: { kind: 'hook' } });
  expect(decision.reason).toBe(
    'Denied without a question, because the permission mode is dontAsk: Asked by hook guard.sh (/work/proj/.hookd/settings.json:7).',
  );
});
