/** Settings files of strangers: no pattern in them holds the gate up. Done wrong, each of these takes hours; the test would time out. */
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/vocabulary.ts';
import { compileMatcher } from '../../src/hooks/match.ts';
import { conditionFits } from '../../src/permissions/condition.ts';
import { compileDomain, matchesDomain } from '../../src/permissions/domain-rule.ts';
import { bash, edit, judge, read, WORKPLACE } from './scene.ts';

const LETTERS = 'a'.repeat(4000);

const COMMAND_PATTERNS = [
  `${'*a'.repeat(1000)}*b`,
  `${'a*'.repeat(1000)}b`,
  `${'*'.repeat(2000)}b`,
  `${'* '.repeat(1000)}b`,
  `(a+)+b*`,
  `${'*aa'.repeat(600)}*:b`,
  `${'a '.repeat(1500)}*b`,
];

test.each(COMMAND_PATTERNS)('a rule for commands with many stars is compared in one go: %#', (pattern) => {
  const commands = [`q ${LETTERS}`, `q ${'a '.repeat(450)}`, LETTERS, `q ${'aa'.repeat(2000)}c`];
  for (const command of commands) {
    const call = bash(command);
    expect(judge({ allow: ['Bash'], deny: [`Bash(${pattern})`] }, call).behavior).toBe('allow');
    expect(judge({ allow: [`Bash(${pattern})`] }, call).behavior).toBe('ask');
    expect(conditionFits(`Bash(${pattern})`, call, WORKPLACE)).toBe(false);
  }
});

const PATH_PATTERNS = [
  `${'*a'.repeat(1000)}*b`,
  `${'**/a/'.repeat(700)}b`,
  `${'a/**/'.repeat(700)}b`,
  `${'**/'.repeat(1300)}b`,
  `${'**/*/'.repeat(600)}b`,
  `${'?*'.repeat(1000)}b`,
  `${'[a-z]*'.repeat(600)}b`,
  `${'a**'.repeat(1000)}b`,
  `${'*/'.repeat(1500)}b`,
  `${'[a'.repeat(1500)}b`,
  `${'(a+)+'.repeat(500)}b`,
  `${'\\*'.repeat(1500)}b`,
  `${'{a,'.repeat(900)}b`,
];
const PATHS = ['a'.repeat(255), 'a/'.repeat(120), `${'a'.repeat(250)}/`.repeat(4)].map(
  (path) => `${WORKPLACE.cwd}/${path}c`,
);

test.each(PATH_PATTERNS)('a rule for paths with many stars is compared in bounded time: %#', (pattern) => {
  for (const path of PATHS) {
    const isDenied = (call: ToolCall, rule: string): boolean =>
      judge({ allow: ['Read', 'Edit', 'Bash'], deny: [rule] }, call).behavior === 'deny';
    expect(isDenied(read(path), `Read(${pattern})`)).toBe(false);
    expect(isDenied(edit(path), `Edit(//**/${pattern})`)).toBe(false);
    expect(conditionFits(`Read(${pattern})`, read(path), WORKPLACE)).toBe(false);
  }
});

test('a hook whose matcher never ends counts as matching', () => {
  expect(compileMatcher('(a+)+$').matches(`${'a'.repeat(59)}!`)).toBe(true);
});

test('a rule for domains with many stars is compared in one go', () => {
  const host = `${'a'.repeat(60)}.`.repeat(60).slice(0, -1);
  for (const text of [`${'*a'.repeat(500)}*b`, `*.${'*a'.repeat(30)}b`, `${'*a*.'.repeat(60)}b`]) {
    const pattern = compileDomain(text);
    expect(pattern !== undefined && matchesDomain(pattern, host)).toBe(false);
  }
});
