import { expect, test } from 'vitest';
import { type Analysis, analyseCommand } from '../../../src/permissions/shell/commands.ts';

const analyse = (text: string): Analysis => analyseCommand(text, { cwd: '/w', home: '/home/u' });
const argvs = (text: string): readonly string[] =>
  analyse(text).commands.map(({ words }) => words.map((word) => word.text).join(' '));

test.each([
  ['a && b || c; d', ['a', 'b', 'c', 'd']],
  ['a | b |& c', ['a', 'b', 'c']],
  ['a $(b) <(c)', ['b', 'c', 'a $(b) <(c)']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['while a; do b; done', ['a', 'b']],
  ['f() { a; }; f', ['a', 'f']],
  ['case x in x) a;; esac', ['a']],
  ['time a', ['a']],
  ['! a', ['a']],
  ['[[ -f x && a == b ]]', ['[[ -f x == a b']],
  ['echo "\u0024{X:-$(a)}"', ['a', 'echo "\u0024{X:-$(a)}"']],
  ['cat <<E\n$(a)\nE', ['a', 'cat']],
])('the commands of %j are %j', (text, expected) => {
  expect(argvs(text)).toEqual(expected);
});

test.each([
  ['(a)', 'a subshell'],
  ['{ a; }', 'a group'],
  ['a &', 'a background command'],
  ['a $(b)', 'a command substitution'],
  ['a `b`', 'a command substitution'],
  ['a <(b)', 'a process substitution'],
  ['f() (a)', 'a function', 'a subshell'],
  ['case x in x) a;; esac', 'a case'],
  ['((1))', 'an arithmetic command'],
  ['if a; then b; fi > x', 'a redirection of a compound command'],
  ['cat <<E\nx\nE', 'an unquoted here-document'],
  ['time -p a', 'an option of "time"'],
])('rules for parts do not cover %j: %s', (text, ...obstacles) => {
  expect(analyse(text).obstacles).toEqual(obstacles);
});

test.each([
  ['a', 'static', 'a'],
  ["'a b'", 'static', 'a b'],
  ['a\\ b', 'static', 'a b'],
  ['HEAD~1', 'static', 'HEAD~1'],
  ['~/x', 'home', '/home/u/x'],
  ['*.ts', 'glob', '*.ts'],
  ['$((1+1))', 'number', '$((1+1))'],
  ['$X', 'dynamic', '$X'],
  ['"a$X"', 'dynamic', '"a$X"'],
  ['{a,b}', 'dynamic', '{a,b}'],
  ['~root/x', 'dynamic', '~root/x'],
  ["$'a'", 'dynamic', "$'a'"],
  ['"a`b`"', 'dynamic', '"a`b`"'],
  ['$((x))', 'dynamic', '$((x))'],
])('the word %s is %s', (word, kind, value) => {
  const [command] = analyse(`echo ${word}`).commands.filter(({ words }) => words[0]?.value === 'echo');
  expect(command?.words[1]).toEqual(expect.objectContaining({ kind, value }));
});

test.each([
  ['V=rm; $V x', ['rm']],
  ['{rm,x}', ['rm', 'x']],
  ['rm{,}', ['rm', 'rm']],
  ["$'rm'", ['rm']],
  ['rm$@', ['rm']],
  ['\u0024{Z:-rm}', ['rm']],
])('the command word of %j may become %j', (text, guesses) => {
  const { commands } = analyse(text);
  expect(commands[commands.length - 1]?.words[0]?.guesses).toEqual(guesses);
});

test('redirections to files are listed and duplications are not', () => {
  const [command] = analyse('a < in > out 2>> err 2>&1 &> both >| force <> rw').commands;
  expect(command?.redirects.map(({ operator, target }) => [operator, target.value])).toEqual([
    ['<', 'in'],
    ['>', 'out'],
    ['>>', 'err'],
    ['&>', 'both'],
    ['>|', 'force'],
    ['<>', 'rw'],
  ]);
});

test('after a change of directory a command may run in either place', () => {
  expect(analyse('cd sub; a').commands[1]?.cwds).toEqual(['/w', '/w/sub']);
  expect(analyse('cd "$X"; a').lostCwd).toBe(true);
});

test('what echo prints into a pipe is known', () => {
  expect(analyse('echo "rm x" | sh').commands[1]).toEqual(
    expect.objectContaining({ stdin: 'rm x', piped: true }),
  );
  expect(analyse('curl x | sh').commands[1]).toEqual(
    expect.objectContaining({ stdin: undefined, piped: true }),
  );
});

test('text that is not bash is not understood, and what was seen is kept', () => {
  const analysis = analyse('rm x; echo "');
  expect(analysis.why).toContain('not valid bash');
  expect(analysis.commands[0]?.words.map(({ value }) => value)).toEqual(['rm', 'x']);
});
