/** Where it is not certain that a rule is meant: what asks, and what is no reason to. */
import { expect, test } from 'vitest';
import type { Behavior } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { bash, filesOf, judge, judgeIn, permissionsOf, type RuleTexts } from './scene.ts';

const RULES: RuleTexts = { allow: ['Bash'], deny: ['Bash(rmx:*)'] };

test.each<[string, RuleTexts, string, Behavior]>([
  ['a name glued to a variable may be another program', RULES, 'rmx$Z a', 'ask'],
  ['or in front of it', RULES, '"$Z"rmx a', 'ask'],
  ['a variable that is set is known', RULES, 'Z=; rmx$Z a', 'deny'],
  ['so is one that makes the name', RULES, 'Z=x; rm$Z a', 'deny'],
  ['a variable of its own may as well be nothing', RULES, '$Z rmx a', 'deny'],
  ['without a rule for commands it is allowed as any', { allow: ['Bash'] }, 'rmx$Z a', 'allow'],
  ['a built-in deny does not need to be certain', { allow: ['Bash'] }, 'sudo$Z id', 'deny'],
  ['a variable alone changes nothing', RULES, 'PROMPT_COMMAND=rmx', 'allow'],
  ['before a command it does', RULES, 'PROMPT_COMMAND=rmx true', 'ask'],
  ['and before another one', RULES, 'PATH=.; true', 'ask'],
  ['what its value runs is looked at', RULES, 'A=$(rmx a)', 'deny'],
  ['without a rule, a variable that programs act on asks', {}, 'PATH=/tmp/x', 'ask'],
  ['and another one does not', {}, 'A=1', 'allow'],
  ['a locale before a command that reads is free', {}, 'LANG=C LC_ALL=C.UTF-8 sort f.txt', 'allow'],
  ['a locale that is a file is not', {}, 'LANG=/tmp/x sort f.txt', 'ask'],
  ['nor another variable', {}, 'A=1 sort f.txt', 'ask'],
  ['nor a locale before anything else', {}, 'LANG=C make', 'ask'],
  ['an exclamation mark is a character', { allow: ['Bash(echo *)'] }, 'echo !x a!b wow!', 'allow'],
  ['also before a denied name', RULES, '! rmx a', 'deny'],
  ['and in a name', RULES, '!rmx a', 'allow'],
])('%s', (_, rules, command, expected) => {
  expect(judge(rules, bash(command)).behavior).toBe(expected);
});

test('a pattern that an unknown program is handed stands for many files: only a denied one counts', () => {
  const allow = ['Bash(tool *)'];
  expect(judge({ allow, ask: ['Read(f.txt)'] }, bash('tool f*')).behavior).toBe('allow');
  expect(judge({ allow, ask: ['Read(f.txt)'] }, bash('tool f.txt')).behavior).toBe('ask');
  expect(judge({ allow, deny: ['Read(f.txt)'] }, bash('tool f*')).behavior).toBe('ask');
  expect(judge({ allow, ask: ['Read(f.txt)'] }, bash('cat f*')).behavior).toBe('ask');
});

test('an escaped star beside the star at the end is a star', () => {
  const files = filesOf(['/work/proj/f.txt']);
  const answers = (rule: string, commands: readonly string[]): readonly Behavior[] =>
    commands.map(
      (command) =>
        decide({ permissions: permissionsOf({ allow: [rule] }), call: bash(command), files }).behavior,
    );
  expect(answers('Bash(tool \\* *)', ['tool *', 'tool * y'])).toEqual(['allow', 'allow']);
  const others = ["tool '*' y", 'tool x y', 'tool \\* y', 'tool'];
  expect(answers('Bash(tool \\* *)', others)).toEqual(others.map(() => 'ask'));
  // In a prefix it stays a backslash and a star.
  expect(answers('Bash(tool \\*:*)', ['tool * y'])).toEqual(['ask']);
});

test('what asks by doubt asks in every mode', () => {
  for (const mode of ['acceptEdits', 'plan', 'bypassPermissions'] as const)
    expect(judgeIn(mode, RULES, bash('rmx$Z a')).behavior).toBe('ask');
  expect(judgeIn('dontAsk', RULES, bash('rmx$Z a')).behavior).toBe('deny');
});
