/** What each permission mode makes of a call. */
import { expect, test } from 'vitest';
import type { Behavior, PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { BUILTIN_DENIAL_NAMES } from '../../src/permissions/guards/builtin.ts';
import { bash, callOf, edit, FILES, judgeIn, permissionsOf, type RuleTexts, read, write } from './scene.ts';

const P = '/work/proj';
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
const LETTERS = { A: 'allow', k: 'ask', D: 'deny' } as const;

const mcp = callOf('mcp__srv__t', { kind: 'none' });
const look = callOf('Look', { kind: 'none' }, {}, true);
const ALL = { allow: ['Bash', 'Edit(**)', 'Edit', 'Write', 'Read', 'mcp__srv'] };

/** One letter a mode, in the order of MODES: A allow, k ask, D deny. */
test.each<[string, RuleTexts, ToolCall, string]>([
  // Where no rule matches.
  ['a read inside', {}, read(`${P}/f.txt`), 'AAAAA'],
  ['a read outside', {}, read('/etc/passwd'), 'kkkDA'],
  ['a read-only command', {}, bash('cat f.txt | wc -l'), 'AAAAA'],
  ['a read-only command outside', {}, bash('cat /etc/passwd'), 'kkkDA'],
  ['an edit inside', {}, edit(`${P}/f.txt`), 'kAkDA'],
  ['a write in an additional directory', {}, write('/work/lib/new'), 'kAkDA'],
  ['a write outside', {}, write('/etc/x'), 'kkkDA'],
  ['a write to a protected path', {}, write(`${P}/.git/config`), 'kkkDA'],
  ['a write to project settings', {}, write(`${P}/.hookd/settings.json`), 'kkkDk'],
  ["a write to Claude Code's hooks", {}, edit(`${P}/.claude/hooks/x.sh`), 'kkkDk'],
  ['whatever their case', {}, write(`${P}/sub/.CLAUDE/settings.json`), 'kkkDk'],
  ['a write through a link', {}, write(`${P}/env-link`), 'DDDDD'],
  ["hookd's own directory", {}, read('/home/u/.hookd/settings.json'), 'DDDDD'],
  ['a command of the edit set', {}, bash('touch new'), 'kAkDA'],
  ['the same outside', {}, bash('touch /etc/new'), 'kkkDA'],
  ['output of a read-only command', {}, bash('echo a > new'), 'kAkDA'],
  ['the same outside', {}, bash('echo a > /etc/new'), 'kkkDA'],
  ['another command', {}, bash('make'), 'kkkDA'],
  ['a command that is not understood', {}, bash('make "'), 'kkkDA'],
  ['a command to a protected path', {}, bash('touch .git/config'), 'kkkDA'],
  ['a command to project settings', {}, bash('echo x > .claude/settings.json'), 'kkkDk'],
  ['a program that names them', {}, bash('git checkout HEAD -- .claude/settings.json'), 'kkkDk'],
  ['code that names them', {}, bash(`python3 -c "open('.hookd/settings.json','w')"`), 'kkkDk'],
  ['a change of their permissions', {}, bash('chmod -x .claude/hooks/guard.sh'), 'kkkDk'],
  ['their removal by find', {}, bash('find .claude -name x -delete'), 'kkkDk'],
  ['a message that names them', { allow: ['Bash(git:*)'] }, bash('git commit -m "in .claude/x"'), 'AAkAA'],
  ['a read of them', {}, bash('cat .claude/settings.json; ls .claude'), 'AAAAA'],
  ['a critical removal', {}, bash('rm -rf ~'), 'kkkDk'],
  ['a built-in deny', {}, bash('sudo ls'), 'DDDDD'],
  ['a tool that changes nothing', {}, look, 'AAAAA'],
  ['another tool', {}, mcp, 'kkkDA'],
  // An allow rule.
  ['an allowed command', ALL, bash('make'), 'AAkAA'],
  ['an allowed shell write', ALL, bash('echo a > new'), 'AAkAA'],
  ['an allowed removal', ALL, bash('rm f.txt'), 'AAkAA'],
  ['an allowed prefix', { allow: ['Bash(git:*)'] }, bash('git push'), 'AAkAA'],
  ['an allowed exact command', { allow: ['Bash(git push)'] }, bash('git push'), 'AAkAA'],
  ['allowed output', { allow: ['Edit(**)'] }, bash('echo a > new'), 'AAkAA'],
  ['an allowed edit', ALL, edit(`${P}/f.txt`), 'AAkAA'],
  ['an allowed read outside', ALL, read('/etc/passwd'), 'AAAAA'],
  [
    'a shell read outside that a Read rule allows',
    { allow: ['Read(//etc/**)'] },
    bash('cat /etc/passwd'),
    'AAAAA',
  ],
  [
    'a shell read outside beside a rule for the Read tool',
    { allow: ['Read'] },
    bash('cat /etc/passwd'),
    'kkkDA',
  ],
  ['an allowed tool', ALL, mcp, 'AAkAA'],
  ['an allowed write to a protected path', ALL, write(`${P}/.git/config`), 'kkkDA'],
  ['an allowed write to project settings', ALL, write(`${P}/.hookd/x`), 'kkkDk'],
  ['an allowed critical removal', ALL, bash('rm -rf /usr'), 'kkkDk'],
  // An ask rule, a deny rule.
  ['an ask rule', { ask: ['Bash(make:*)'] }, bash('make'), 'kkkDk'],
  ['an ask rule for an edit', { ask: ['Edit(f.txt)'] }, edit(`${P}/f.txt`), 'kkkDk'],
  ['an ask rule for what is free', { ask: ['Bash'] }, bash('ls'), 'kkkDk'],
  ['an ask rule for a directory that is made', { ask: ['Edit(new/**)'] }, bash('mkdir new'), 'kkkDk'],
  ['a deny rule', { deny: ['Bash(make:*)'] }, bash('make'), 'DDDDD'],
  ['a deny rule for a read', { deny: ['Read(f.txt)'] }, bash('cat f.txt'), 'DDDDD'],
  ['a deny rule for a tool', { deny: ['mcp__srv'] }, mcp, 'DDDDD'],
  ['what a deny rule may mean', { deny: ['Bash(rmx:*)'] }, bash('$(echo rmx) a'), 'kkkDk'],
])('%s, %j', (_, rules, call, expected) => {
  const answers = MODES.map((mode) => judgeIn(mode, rules, call).behavior);
  expect(answers).toEqual([...expected].map((letter) => LETTERS[letter as keyof typeof LETTERS]));
});

test.each<[PermissionMode, ToolCall, Behavior, string]>([
  ['acceptEdits', write(`${P}/f.txt`), 'allow', 'where mode acceptEdits allows edits'],
  ['acceptEdits', bash('mkdir d'), 'allow', 'mode acceptEdits allows'],
  ['plan', write(`${P}/f.txt`), 'ask', 'plan mode, which only reads'],
  ['plan', bash('make'), 'ask', 'plan mode does nothing else'],
  ['plan', mcp, 'ask', 'plan mode only reads'],
  ['dontAsk', bash('make'), 'deny', 'the permission mode is dontAsk: "make" is not covered'],
  ['bypassPermissions', bash('make'), 'allow', 'mode bypassPermissions allows the rest'],
])('in mode %s the decision says that the mode made it', (mode, call, behavior, reason) => {
  expect(judgeIn(mode, {}, call)).toMatchObject({
    behavior,
    cause: { kind: 'mode', mode },
    reason: expect.stringContaining(reason),
  });
});

test('in mode dontAsk the cause stays what it is that asks', () => {
  expect(judgeIn('dontAsk', { ask: ['Bash(make:*)'] }, bash('make'))).toMatchObject({
    behavior: 'deny',
    cause: { kind: 'rule', rule: { text: 'Bash(make:*)' } },
  });
  expect(judgeIn('dontAsk', {}, bash('rm f.txt')).cause).toEqual({ kind: 'builtin', name: 'rm' });
});

test('what a rule allows is said to be allowed by the rule, in every mode', () => {
  for (const mode of ['acceptEdits', 'bypassPermissions'] as const) {
    expect(judgeIn(mode, { allow: ['Bash(make:*)'] }, bash('make')).cause.kind).toBe('rule');
    expect(judgeIn(mode, { allow: ['Edit(f.txt)'] }, edit(`${P}/f.txt`)).cause.kind).toBe('rule');
  }
});

test('with the deny list switched off, the removal of the root directory still asks in bypass mode', () => {
  const permissions = { ...permissionsOf({}, BUILTIN_DENIAL_NAMES), mode: 'bypassPermissions' as const };
  expect(decide({ permissions, call: bash('rm -rf /'), files: FILES }).behavior).toBe('ask');
});

test('$HOOKD_HOME is not removed with a directory above it, in any mode', () => {
  const base = permissionsOf({});
  const workplace = {
    ...base.workplace,
    project: '/home/u',
    cwd: '/home/u',
    hookdHome: '/home/u/state/hookd',
  };
  for (const mode of ['acceptEdits', 'bypassPermissions'] as const) {
    const permissions = { ...base, mode, workplace };
    expect(decide({ permissions, call: bash('rm -rf state'), files: FILES }).behavior).toBe('ask');
  }
  const permissions = { ...base, mode: 'acceptEdits' as const, workplace };
  expect(decide({ permissions, call: bash('mv state other'), files: FILES }).behavior).toBe('ask');
});
