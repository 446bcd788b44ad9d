/** Decisions about file tools. */
import { expect, test } from 'vitest';
import type { Behavior, ToolCall } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { parseRule } from '../../src/permissions/rule.ts';
import { compileRules } from '../../src/permissions/rule-set.ts';
import {
  bash,
  callOf,
  denialAfterApproval,
  edit,
  FILES,
  glob,
  judge,
  permissionsOf,
  type RuleTexts,
  read,
  write,
} from './scene.ts';

const P = '/work/proj';

test.each<[string, RuleTexts, ToolCall, Behavior]>([
  ['a read in the workspace is free', {}, read(`${P}/f.txt`), 'allow'],
  ['so is one in an additional directory', {}, read('/work/lib/x'), 'allow'],
  ['a read outside asks', {}, read('/etc/passwd'), 'ask'],
  ['a read through a link that leads outside asks', {}, read(`${P}/out/passwd`), 'ask'],
  ['a write asks', {}, write(`${P}/f.txt`), 'ask'],
  ['listing a directory of the workspace is free', {}, glob(`${P}/src`), 'allow'],
  ['listing one outside asks', {}, glob('/etc'), 'ask'],
  ['an Edit rule allows Write', { allow: ['Edit(src/**)'] }, write(`${P}/src/new`), 'allow'],
  ['and the read', { allow: ['Edit(//etc/**)'] }, read('/etc/passwd'), 'allow'],
  ['a bare rule names one tool', { allow: ['Edit'] }, write(`${P}/f.txt`), 'ask'],
  ['a bare Write does not reach outside', { allow: ['Write'] }, write('/etc/x'), 'ask'],
  ['a bare Read does', { allow: ['Read'] }, read('/etc/passwd'), 'allow'],
  [
    'deny beats allow',
    { allow: ['Read', 'Read(./.env)'], deny: ['Read(./.env)'] },
    read(`${P}/.env`),
    'deny',
  ],
  ['ask beats allow', { allow: ['Edit(**)'], ask: ['Edit(f.txt)'] }, edit(`${P}/f.txt`), 'ask'],
  ['a denied path is denied through a link', { deny: ['Read(./.env)'] }, read(`${P}/env-link`), 'deny'],
  ['a denied link is denied', { deny: ['Read(env-link)'] }, read(`${P}/env-link`), 'deny'],
  [
    'an allow must hold for what the link leads to',
    { allow: ['Read(out/**)'] },
    read(`${P}/out/passwd`),
    'ask',
  ],
  ['a denied read denies the write', { deny: ['Read(./.env)'] }, write(`${P}/.env`), 'deny'],
  [
    'a bare deny of Read denies every write',
    { deny: ['Read'], allow: ['Edit(**)'] },
    edit(`${P}/f.txt`),
    'deny',
  ],
  ['a bare deny of Edit leaves Write', { deny: ['Edit'] }, write(`${P}/f.txt`), 'ask'],
  ['a denied directory is not listed', { deny: ['Read(secrets/**)'] }, glob(`${P}/secrets`), 'deny'],
  [
    'Write(p) denies the Write tool',
    { deny: ['Write(f.txt)'], allow: ['Edit(**)'] },
    write(`${P}/f.txt`),
    'deny',
  ],
  ['and leaves the others', { deny: ['Write(f.txt)'], allow: ['Edit(**)'] }, edit(`${P}/f.txt`), 'allow'],
  [
    '"!" in an allow list takes away',
    { allow: ['Edit(src/**)', 'Edit(!a.ts)'] },
    edit(`${P}/src/a.ts`),
    'ask',
  ],
  ['whatever the order', { allow: ['Edit(!a.ts)', 'Edit(src/**)'] }, edit(`${P}/src/a.ts`), 'ask'],
  [
    '"!" in a deny list takes back what stands before it',
    { deny: ['Read(*.txt)', 'Read(!f.txt)'] },
    read(`${P}/f.txt`),
    'allow',
  ],
  ['for a command too', { deny: ['Read(*.txt)', 'Read(!f.txt)'] }, bash('cat f.txt'), 'allow'],
  ['and nothing else', { deny: ['Read(*.txt)', 'Read(!f.txt)'] }, read(`${P}/g.txt`), 'deny'],
  ['not what stands after it', { deny: ['Read(!f.txt)', 'Read(*.txt)'] }, read(`${P}/f.txt`), 'deny'],
  [
    'not where another entry denies it again',
    { deny: ['Read(*.txt)', 'Read(!f.txt)', 'Read(f.*)'] },
    read(`${P}/f.txt`),
    'deny',
  ],
  [
    'not below a directory that is denied itself',
    { deny: ['Read(secrets)', 'Read(!secrets/key)'] },
    read(`${P}/secrets/key`),
    'deny',
  ],
  [
    'not what begins elsewhere',
    { deny: ['Read(//work/proj/f.txt)', 'Read(!f.txt)'] },
    read(`${P}/f.txt`),
    'deny',
  ],
  ['not another list', { deny: ['Read(*.txt)'], ask: ['Read(!f.txt)'] }, read(`${P}/f.txt`), 'deny'],
  ['not another kind of access', { deny: ['Read(*.txt)', 'Edit(!f.txt)'] }, read(`${P}/f.txt`), 'deny'],
  [
    'a protected path asks though it is allowed',
    { allow: ['Edit(**)', 'Write'] },
    write(`${P}/.git/hooks/x`),
    'ask',
  ],
  ['whatever its case', { allow: ['Edit(**)'] }, write(`${P}/.GIT/config`), 'ask'],
  ['project settings are protected', { allow: ['Edit(**)'] }, write(`${P}/.hookd/settings.json`), 'ask'],
  ['a write through a link is denied', { allow: ['Edit(**)'] }, write(`${P}/env-link`), 'deny'],
  [
    "hookd's home is denied, whatever is allowed",
    { allow: ['Read', 'Read(//**)'] },
    read('/home/u/.hookd/settings.json'),
    'deny',
  ],
  ['also through a link', { allow: ['Read(//**)'] }, read(`${P}/back/settings.json`), 'deny'],
])('%s', (_, rules, call, expected) => {
  expect(judge(rules, call).behavior).toBe(expected);
});

test('a decision names the file that was judged', () => {
  expect(judge({}, read(`${P}/out/passwd`)).target).toBe('/etc/passwd');
  expect(judge({}, read(`${P}/f.txt`)).target).toBe(`${P}/f.txt`);
});

test('a decision by rule names the rule, its file and its line', () => {
  const decision = judge({ deny: ['Read(x)', 'Read(./.env)'] }, read(`${P}/.env`));
  expect(decision).toEqual({
    behavior: 'deny',
    reason: 'Denied by rule Read(./.env) (/work/proj/.hookd/settings.json:2): "/work/proj/.env".',
    cause: {
      kind: 'rule',
      rule: {
        text: 'Read(./.env)',
        list: 'deny',
        file: '/work/proj/.hookd/settings.json',
        line: 2,
        column: 1,
      },
    },
    target: `${P}/.env`,
  });
});

test.each<[string, RuleTexts, ToolCall, Behavior]>([
  ['a tool that changes nothing is free', {}, callOf('Look', { kind: 'none' }, {}, true), 'allow'],
  ['another one asks', {}, callOf('mcp__srv__t', { kind: 'none' }), 'ask'],
  [
    'a server rule allows its tools',
    { allow: ['mcp__srv'] },
    callOf('mcp__srv__t', { kind: 'none' }),
    'allow',
  ],
  ['and no other server', { allow: ['mcp__srv'] }, callOf('mcp__srv2__t', { kind: 'none' }), 'ask'],
  ['a star denies everything', { deny: ['*'] }, callOf('Look', { kind: 'none' }, {}, true), 'deny'],
  [
    'an input field denies',
    { deny: ['Edit(replace_all:true)'], allow: ['Edit'] },
    { ...edit(`${P}/f.txt`), input: { replace_all: true } },
    'deny',
  ],
  [
    'only when it was sent',
    { deny: ['Edit(replace_all:true)'], allow: ['Edit'] },
    edit(`${P}/f.txt`),
    'allow',
  ],
])('%s', (_, rules, call, expected) => {
  expect(judge(rules, call).behavior).toBe(expected);
});

test('after a human said yes only a deny counts', () => {
  expect(denialAfterApproval({}, write('/etc/x'))).toBeUndefined();
  expect(denialAfterApproval({ ask: ['Edit(**)'] }, write(`${P}/f.txt`))).toBeUndefined();
  expect(denialAfterApproval({ deny: ['Edit(f.txt)'] }, write(`${P}/f.txt`))?.behavior).toBe('deny');
  expect(denialAfterApproval({}, read('/home/u/.hookd/x'))?.behavior).toBe('deny');
});

test('"!" takes back rules of its own file only', () => {
  const rules = ['Read(*.txt)', 'Read(!f.txt)'].map((text, index) => {
    const file = index === 0 ? '/home/u/.hookd/settings.json' : '/work/proj/.hookd/settings.json';
    const parsed = parseRule(text, { text, list: 'deny', file, line: 1, column: 1 }, P);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.rule;
  });
  const permissions = { ...permissionsOf({}), rules: compileRules(rules) };
  expect(decide({ permissions, call: read(`${P}/f.txt`), files: FILES }).behavior).toBe('deny');
});
