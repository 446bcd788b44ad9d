/** The rule that "always" writes: never broader than the call it was asked about. */
import { expect, test } from 'vitest';
import type { HookVerdict, ToolCall } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { suggestRule } from '../../src/permissions/suggest-rule.ts';
import { Random } from '../support/random.ts';
import { bash, edit, FILES, glob, permissionsOf, type RuleTexts, read, write } from './scene.ts';

const suggested = (call: ToolCall, texts: RuleTexts = {}, hook?: HookVerdict) =>
  suggestRule({ permissions: permissionsOf(texts), call, files: FILES, hook });

test.each<[ToolCall, string]>([
  [bash('npm test'), 'Bash(npm test)'],
  [bash('make && npm test'), 'Bash(make && npm test)'],
  [bash('git commit -m "a b"'), 'Bash(git commit -m "a b")'],
  [edit('/work/proj/src/a.ts'), 'Edit(//work/proj/src/a.ts)'],
  [write('/work/proj/new.txt'), 'Edit(//work/proj/new.txt)'],
  [read('/etc/passwd'), 'Read(//etc/passwd)'],
  [bash('npm run build -- --mode=test'), 'Bash(npm run build -- --mode=test)'],
  [bash('git push -u origin main'), 'Bash(git push -u origin main)'],
  [bash('touch author.md'), 'Bash(touch author.md)'],
])('%j: %s', (call, rule) => {
  expect(suggested(call)).toBe(rule);
});

test.each<[string, ToolCall, RuleTexts?]>([
  ['a pattern would mean other files next time', bash('rm f*')],
  ['so would one with a question mark', bash('rm f?')],
  ['and one with brackets', bash('rm [ab]')],
  ['a variable may hold something else', bash('touch $X')],
  ['so may what a command prints', bash('touch $(date)')],
  ['home is another place for another user', bash('touch ~/x')],
  ['a colon and a star would make it a prefix', bash('npm:*')],
  ['a second line hides below the first', bash('npm test\nrm x')],
  ['an invisible character hides anywhere', bash('npm\u200b test')],
  ['a backslash reads differently in a rule', bash('touch a\\ b')],
  ['blanks that are not single are compared otherwise', bash('touch  a')],
  ['nobody reads that much', bash(`touch ${'a'.repeat(600)}`)],
  ['an ask rule asks all the same', bash('npm test'), { ask: ['Bash(npm *)'] }],
  ['a deny rule denies all the same', bash('npm test'), { deny: ['Bash(npm *)'] }],
  ['a link may lead elsewhere next time', read('/work/proj/out/passwd')],
  ['a directory holds more than one file', glob('/etc')],
  ['what it finds differs', glob('/etc/*')],
  ['a protected path asks all the same', write('/work/proj/.git/config')],
  ['a name with a star is a pattern', write('/work/proj/a*b')],
  ['a name that ends in a blank is cut', write('/work/proj/a ')],
])('none where %s', (_why, call, texts) => {
  expect(suggested(call, texts)).toBeUndefined();
});

test.each([
  'API_TOKEN=abc123secret curl x',
  'make && KEY=abc123 ./deploy',
  'env A=abc123 ./deploy',
  'curl -H "Authorization: abc123" x',
  'curl --oauth2-bearer abc123 x',
  'curl -u me:abc123 x',
  'curl https://me:abc123@host/x',
  'mysql --password abc123',
  'login --api-key abc123',
  `gh auth login ghp_${'a1B2'.repeat(9)}`,
  `deploy ghp_${'a1B2'.repeat(9)}`,
])(
  'none where it would write a secret into a settings file (anthropics/claude-code#24994): %s',
  (command) => {
    expect(suggested(bash(command))).toBeUndefined();
  },
);

test('none where a hook wants a person to decide each time', () => {
  const hook = { event: 'PreToolUse', name: './guard', file: '/s.json', line: 1 };
  expect(suggested(bash('npm test'), {}, { behavior: 'ask', reason: '', hook })).toBeUndefined();
});

test('of many commands, a suggested rule allows the one it was made for, and none of the others', () => {
  const random = new Random(11);
  const words = [
    'npm',
    'test',
    'a b',
    '"a b"',
    "'x'",
    '-m',
    '&&',
    ';',
    'touch',
    'rm',
    'a',
    'A',
    'b:c',
    '(',
    ')',
    '>f',
  ] as const;
  const commands = Array.from({ length: 120 }, () =>
    Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join(' '),
  );
  const rules = new Map(commands.map((command) => [command, suggested(bash(command))]));
  const made = [...rules].filter(([, rule]) => rule !== undefined);
  expect(made.length).toBeGreaterThan(20);
  const free = new Set(commands.filter((command) => behaviorOf(command, {}) === 'allow'));
  for (const [command, rule] of made) {
    const texts = { allow: [rule ?? ''] };
    const allowed = commands.filter((other) => !free.has(other) && behaviorOf(other, texts) === 'allow');
    expect(allowed.map(unquoted).filter((other) => other !== unquoted(command))).toEqual([]);
  }
});

const behaviorOf = (command: string, texts: RuleTexts) =>
  decide({ permissions: permissionsOf(texts), call: bash(command), files: FILES }).behavior;

/** Quotes are how a word is written, and parts that repeat or end in nothing run the same. */
const unquoted = (command: string): string => command.replace(/["';\s]/g, '');
