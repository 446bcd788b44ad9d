import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUILTIN_DENIAL_NAMES } from '../../src/permissions/guards/builtin.ts';
import { splitRules } from '../../src/settings/command-line.ts';
import { describeProblem } from '../../src/settings/problem.ts';
import { rulesOf, save, testSession } from './session.ts';

test('rules in a flag are separated by blanks and commas outside parentheses', () => {
  const texts = (value: string): readonly string[] => splitRules(value).map(({ text }) => text);
  expect(splitRules('A(x y) B,C')).toEqual([
    { text: 'A(x y)', offset: 0 },
    { text: 'B', offset: 7 },
    { text: 'C', offset: 9 },
  ]);
  expect(texts(' Bash(a, (b) c) ,\n Read ')).toEqual(['Bash(a, (b) c)', 'Read']);
  expect(texts('Bash(echo \\( *) Read')).toEqual(['Bash(echo \\( *)', 'Read']);
  expect(texts('Bash(a Read')).toEqual(['Bash(a Read']);
  expect(texts(' ,, ')).toEqual([]);
});

test('flags win over files, a later --settings over an earlier one, and all lists are joined', () => {
  const session = testSession();
  save(session.userFile, { permissions: { allow: ['Bash(u)'] }, model: 'user', maxTurns: 1, maxTokens: 10 });
  const settings = [
    '{"model": "first", "maxTurns": 2}',
    '{"model": "second", "permissions": {"ask": ["Bash(s)"]}}',
  ];
  const withFiles = session.start({ settings }).current();
  expect(withFiles).toMatchObject({ model: 'second', maxTurns: 2, maxTokens: 10 });
  const withFlags = session
    .start({
      settings,
      model: 'flag',
      maxTurns: 7,
      allowedTools: ['Bash(a b) Read'],
      disallowedTools: ['Write'],
    })
    .current();
  expect(withFlags).toMatchObject({ model: 'flag', maxTurns: 7, maxTokens: 10 });
  expect(rulesOf(withFlags)).toEqual([
    'allow Bash(a b)',
    'allow Read',
    'deny Write',
    'ask Bash(s)',
    'allow Bash(u)',
  ]);
  expect(withFlags.digest).not.toBe(withFiles.digest);
  expect(withFlags.sources[0]).toMatchObject({
    ...{ scope: 'command-line', path: 'flags' },
    text: JSON.stringify({
      model: 'flag',
      maxTurns: 7,
      allowedTools: ['Bash(a b) Read'],
      disallowedTools: ['Write'],
    }),
  });
});

test('a malformed rule in a flag is an error, of whichever list', () => {
  const session = testSession();
  expect(session.problems({ disallowedTools: ['Read', 'Write Bash(x'] }).map(describeProblem)).toEqual([
    '--disallowedTools:1:7: "Bash(x" is not a permission rule: the ")" is missing. Correct or remove it.',
  ]);
  expect(session.problems({ allowedTools: ['Bash(x'] }).map(describeProblem)).toEqual([
    '--allowedTools:1:1: "Bash(x" is not a permission rule: the ")" is missing.',
  ]);
});

test('flags with values that make no sense are errors', () => {
  const session = testSession();
  const told = session.problems({ maxTurns: 0, model: '', permissionMode: 'auto' }).map(describeProblem);
  expect(told).toEqual([
    '--max-turns:1:1: wrong value (expected a whole number from 1, found a number (0)).',
    '--model:1:1: wrong value (expected the name of a model, found nothing).',
    '--permission-mode:1:1: permission mode "auto" is not supported (expected "default", "manual", "acceptEdits", "plan", "dontAsk" or "bypassPermissions"). Another mode in its place could let more through, so nothing was loaded.',
  ]);
  expect(session.problems({ settings: [' '] }).map(describeProblem)).toEqual([
    '--settings:1:1: no value (expected a file or a JSON object, found nothing).',
  ]);
  expect(session.problems({ permissionMode: 'manual' })).toEqual([]);
});

test('additional directories: ~, relative to the project, and --add-dir relative to the start directory', () => {
  const session = testSession();
  const start = join(session.project, 'sub');
  for (const path of [join(session.home, 'notes'), join(session.base, 'work', 'lib'), join(start, 'near')]) {
    mkdirSync(path, { recursive: true });
  }
  symlinkSync(join(session.base, 'work', 'lib'), join(start, 'link'));
  save(join(session.base, 'file'), '');
  const additionalDirectories = [
    '~/notes/',
    '../lib',
    join(session.base, 'file'),
    '',
    '//tmp',
    '~nobody',
    'gone',
  ];
  save(session.userFile, { permissions: { additionalDirectories } });
  const { permissions, warnings } = session.start({ addDirs: ['near', 'link', 'gone'] }, start).current();
  expect(permissions.workplace.directories).toEqual([
    join(start, 'near'),
    join(session.base, 'work', 'lib'),
    join(session.home, 'notes'),
  ]);
  const from = `${session.userFile}: permissions.additionalDirectories`;
  expect(warnings).toEqual([
    '--add-dir: "gone" does not exist; ignored.',
    `${from}: "${join(session.base, 'file')}" is not a directory; ignored.`,
    `${from}: "" is empty; ignored.`,
    `${from}: "//tmp" begins with two slashes; ignored.`,
    `${from}: "~nobody" does not exist; ignored.`,
    `${from}: "gone" does not exist; ignored.`,
  ]);
});

test('built-in denies are switched off by the user and by flags', () => {
  const session = testSession();
  save(session.userFile, { permissions: { disableBuiltinRules: ['sudo'] } });
  const { permissions } = session
    .start({ settings: ['{"permissions": {"disableBuiltinRules": ["reboot"]}}'] })
    .current();
  expect([...permissions.disabledBuiltins]).toEqual(['reboot', 'sudo']);
});

test('a name that no built-in deny has is told, with the one that was meant', () => {
  const session = testSession();
  save(session.userFile, '{"permissions": {"disableBuiltinRules": ["sudo", "sduo", "fork-bomb"]}}');
  const { warnings } = session.start().current();
  expect(warnings.map((warning) => warning.replace(`${session.userFile}:`, ''))).toEqual([
    `1:50: permissions.disableBuiltinRules[1]: no built-in rule is called so, ignored (expected one of ${BUILTIN_DENIAL_NAMES.join(', ')}, found a string ("sduo")). Did you mean "sudo"?`,
    `1:58: permissions.disableBuiltinRules[2]: no built-in rule is called so, ignored (expected one of ${BUILTIN_DENIAL_NAMES.join(', ')}, found a string ("fork-bomb")).`,
  ]);
});

test('an allow rule /p begins at the directory of its settings file; settings typed as JSON have none', () => {
  const session = testSession();
  const text =
    '{"permissions": {"allow": ["Edit(/a/**)", "Edit(b/**)", "Edit(//c/**)", "Bash(/usr/bin/x)"], "deny": ["Edit(/a/**)"]}}';
  const snapshot = session.start({ settings: [text], allowedTools: ['Edit(/d/**)'] }).current();
  expect(rulesOf(snapshot)).toEqual([
    'allow Edit(/d/**)',
    'deny Edit(/a/**)',
    'allow Edit(b/**)',
    'allow Edit(//c/**)',
    'allow Bash(/usr/bin/x)',
  ]);
  expect(snapshot.warnings.filter((warning) => warning.includes('one leading slash'))).toEqual([
    expect.stringMatching(
      /^--settings:1:28: permissions\.allow\[0\]: one leading slash begins at the directory/,
    ),
  ]);
});
