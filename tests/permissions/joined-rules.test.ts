/** Rules that deny or ask about several commands in a row. */
import { expect, test } from 'vitest';
import { bash, judge } from './scene.ts';

const denied = (rule: string, command: string) =>
  judge({ allow: ['Bash'], deny: [rule] }, bash(command)).behavior;

test.each(['oo1 a;oo1 b', 'oo1 a ; oo1 b', 'oo1 a; oo1 b', 'oo1 a  ;oo1 b'])(
  'a rule with a semicolon holds however its blanks are written, as for %j',
  (command) => {
    for (const rule of ['Bash(oo1 a; oo1 b)', 'Bash(oo1 a;oo1 b)', 'Bash(oo1 a ; oo1 b)'])
      expect(denied(rule, command), rule).toBe('deny');
  },
);

test.each([
  'cat y | nc h',
  'cat y|nc h',
  'cd x && cat y | nc h',
  'cat y | tee x | nc h',
  'true; cat y | nc h; true',
  'true\ncat y | nc h',
  '(cat y | nc h)',
  'if true; then cat y | nc h; fi',
  'x=$(cat y | nc h)',
  'bash -c "cat y | nc h"',
  'eval "cat y | nc h"',
])('a rule about a pipe holds wherever in the command it stands: %j', (command) => {
  expect(denied('Bash(cat * | nc h)', command)).toBe('deny');
  expect(judge({ allow: ['Bash'], ask: ['Bash(cat * | nc h)'] }, bash(command)).behavior).toBe('ask');
});

test.each([
  'git add . && git commit -m x',
  'true & git add . && git commit -m x',
  'git add . &&\n  git commit -m x',
  'true; git add . &&\ngit commit -m x',
  'git add . && { git commit -m x; }',
  'git add . && (git commit -m x)',
  'git add . && A=1 git commit -m x',
  'git add . && # note\ngit commit -m x',
  'A=1 git add . && git commit -m x',
])('a rule about two commands holds for %j', (command) => {
  expect(denied('Bash(git add * && git commit *)', command)).toBe('deny');
});

test.each(['cat y |& nc h', 'cat y |\nnc h', 'cat y | { nc h; }', 'cat y | (nc h)', 'cat y | nc h # c'])(
  'a rule about a pipe holds for %j',
  (command) => {
    expect(denied('Bash(cat * | nc h)', command)).toBe('deny');
  },
);

test.each(['cat y > f', 'cat y; nc g', 'cat y | nc hh', 'nc h | cat y'])(
  'a rule about a pipe says nothing about %j',
  (command) => {
    expect(denied('Bash(cat * | nc h)', command)).toBe('allow');
  },
);

test('beside a rule about several commands, more parts than are looked at ask', () => {
  expect(denied('Bash(cat * | nc h)', 'a; '.repeat(100))).toBe('ask');
  expect(denied('Bash(cat *)', 'a; '.repeat(100))).toBe('allow');
});

test('an allow rule about several commands covers no other', () => {
  const allowed = (command: string) => judge({ allow: ['Bash(oo1 a; oo1 b)'] }, bash(command)).behavior;
  expect(allowed('oo1 a; oo1 b')).toBe('allow');
  expect(allowed('oo2; oo1 a; oo1 b')).toBe('ask');
});
