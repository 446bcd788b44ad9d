/** Patterns of the shell that fit a file in a way that few know. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { decide, type Permissions } from '../../src/permissions/decide.ts';
import { matchesSegment } from '../../src/permissions/shell/glob.ts';
import { all } from './answers.ts';
import { bash, filesOf, permissionsOf, type RuleTexts } from './scene.ts';

const ENV: RuleTexts = { allow: ['Bash'], deny: ['Read(.env)'] };

const FILES = filesOf([
  '/work/proj/😀.txt',
  '/work/proj/.bashrc',
  '/work/proj/.git/config',
  '/work/proj/rmx',
  '/work/proj/app/[id]/page.tsx',
]);

const answersOf = (permissions: Permissions, commands: readonly string[]): readonly string[] =>
  commands.map((command) => decide({ permissions, call: bash(command), files: FILES }).behavior);

const BRACKETS = [
  '.[[.e.]]nv',
  '.[[=e=]]nv',
  '.[d-[.f.]]nv',
  '.[[.e.]-f]nv',
  '.[^]a]nv',
  '.[^]]nv',
  '.[[:alpha:]]nv',
  '.[[:nope:]e]nv',
];

test('a bracket goes on behind a closing one in first place, and behind the units in it', () => {
  for (const pattern of BRACKETS) expect([pattern, matchesSegment(pattern, '.env')]).toEqual([pattern, true]);
  const fits: readonly (readonly [string, string, boolean])[] = [
    ['[]a]x', ']x', true],
    ['[!]a]x', 'ax', false],
    ['[a-c]x', 'dx', false],
    ['[a-c]x', 'bx', true],
    ['[x', '[x', true],
    ['[]x', '[]x', true],
    ['*[0-9].log', 'a7.log', true],
    ['[\u{1f600}-\u{1f602}]', '\u{1f601}', true],
    ['[^x].txt', '😀.txt', true],
    ['?.txt', '😀.txt', true],
    ['??.txt', '😀.txt', false],
    ['????.txt', '😀.txt', true],
  ];
  for (const [pattern, name, expected] of fits)
    expect([pattern, name, matchesSegment(pattern, name)]).toEqual([pattern, name, expected]);
});

test('a rule about a file meets every such bracket that fits it, in each program', () => {
  all(
    ENV,
    'deny',
    BRACKETS.flatMap((pattern) =>
      ['cat', 'head -1', 'wc -l', 'cp -t x', 'rm', 'tee', 'grep x'].map((program) => `${program} ${pattern}`),
    ),
  );
  all(
    { deny: ['Read(.env)'] },
    'deny',
    BRACKETS.map((pattern) => `cat ${pattern}`),
  );
  all(ENV, 'allow', ['cat [fg].txt', 'cat .[^e]*', 'ls [fg]*']);
});

test('a pattern stands for a protected path, and for the directory that a command goes to', () => {
  const allowed = permissionsOf({ allow: ['Bash'] });
  const asking = [
    'touch .[[.b.]]ashrc',
    'rm .[^]]ashrc',
    'cd .[[.g.]]it && touch x',
    'cd .g*; touch config',
    'cd .g?t && touch x',
    'cd .g*; echo x > config',
  ];
  expect(answersOf(allowed, asking)).toEqual(asking.map(() => 'ask'));
  const plain = ["cd 'app/[id]' && touch page.tsx", 'cd app/* && touch page.tsx', 'touch [ab].txt'];
  expect(answersOf(allowed, plain)).toEqual(plain.map(() => 'allow'));
});

test('a pattern in front of a command may be any program that it fits', () => {
  const denied = permissionsOf({ allow: ['Bash'], deny: ['Bash(./rmx *)'] });
  expect(answersOf(denied, ['./[[.r.]]mx a', './[^]]mx a'])).toEqual(['ask', 'ask']);
});

test('one character of a name is one for a pattern, however it is stored', () => {
  const denied = permissionsOf({ allow: ['Bash'], deny: ['Read(./😀.txt)'] });
  expect(answersOf(denied, ['cat ?.txt', 'cat [^x].txt', 'LC_ALL=C; cat ????.txt', 'cat ??.txt'])).toEqual([
    'deny',
    'deny',
    'deny',
    'allow',
  ]);
});

test.each(['cat src\\ dir/.e*', 'cat src\\ dir/.en[v]', 'cat < src\\ dir/.e*', 'cat "src dir"/.e*'])(
  'a blank behind a backslash parts no words: %s',
  (command) => {
    const files = filesOf(['/work/proj/src dir/.env']);
    const permissions = permissionsOf({ allow: ['Bash'], deny: ['Read(.env)'] });
    expect(decide({ permissions, call: bash(command), files }).behavior).toBe('deny');
  },
);
