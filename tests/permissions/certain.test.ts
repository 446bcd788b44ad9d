/** What looks as if it were known only when it runs, and is known for certain: and its neighbours that are not. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { unsetVariables } from '../../src/permissions/shell/unset-variables.ts';
import { all, none } from './answers.ts';
import { bash, FILES, filesOf, judge, permissionsOf, type RuleTexts, write } from './scene.ts';

const RUNS: RuleTexts = { allow: ['Bash'], deny: ['Bash(rmx:*)'] };
const READS: RuleTexts = { allow: ['Bash'], deny: ['Read(./.env)'] };

const isSet = (name: string): boolean => /^(?:PATH|HOME|SET)$/.test(name);
const withEnvironment = (rules: RuleTexts, command: string): string =>
  decide({ permissions: permissionsOf(rules), call: bash(command), files: FILES, isSet }).behavior;

test.each([
  ['$V a', 'allow'],
  [`\${V} a`, 'allow'],
  ['"$V" a', 'allow'],
  ['cat f.txt; $V a', 'allow'],
  ['V=1 true; $V a', 'allow'],
  ['$V rmx', 'deny'],
  ['V=rmx; $V a', 'deny'],
  ['$SET a', 'ask'],
  ['$1 a', 'ask'],
  ['$BASH_COMMAND a', 'ask'],
  ['$V$SET a', 'ask'],
  ['rmx$V a', 'ask'],
  ['read V; $V a', 'ask'],
  ['r\\ead V; $V a', 'ask'],
  ["re''ad V; $V a", 'ask'],
  ['rea? V; $V a', 'ask'],
  ['$SET V; $V a', 'ask'],
  ['. ./set-it; $V a', 'ask'],
  ['eval V=rmx; $V a', 'ask'],
  ['V=x $W; $V a', 'ask'],
  ['for V in rmx; do $V a; done', 'deny'],
  ['if V=$SET; then $V a; fi', 'ask'],
  ['bash -c "$V a"', 'ask'],
] as const)('with nothing in the environment, %j is %s', (command, expected) => {
  expect(withEnvironment(RUNS, command)).toBe(expected);
});

test('files whose names would be in an unset variable are none', () => {
  expect(withEnvironment(READS, 'F=.env cat $F')).toBe('allow');
  expect(withEnvironment(READS, 'cat $F')).toBe('allow');
  expect(withEnvironment(READS, 'F=.env; cat $F')).toBe('deny');
  expect(withEnvironment(READS, 'F=.env $G; cat $F')).not.toBe('allow');
  expect(withEnvironment(READS, 'cat $SET')).toBe('ask');
  expect(withEnvironment(READS, 'cat $F/.env')).not.toBe('allow');
});

test('without an environment no variable is known to be empty', () => {
  all(RUNS, 'ask', ['$V a', '"$V" a']);
  all(READS, 'ask', ['cat $F', 'F=.env cat $F']);
});

test('an allow rule never rests on a variable that is not set', () => {
  expect(withEnvironment({ allow: ['Bash(okx:*)'] }, 'okx $V')).toBe('ask');
  expect(withEnvironment({ allow: ['Bash(okx:*)'] }, '$V okx')).toBe('ask');
});

test('texts with anything but plain words make no variable certain', () => {
  for (const text of [
    '$V `x`',
    '$V > f',
    '$V \\x',
    "$V 'x'",
    '$V (x)',
    `\${V:=x}`,
    '$((V=1)) $V',
    'export V; $V',
  ])
    expect([...unsetVariables(text, isSet)]).toEqual([]);
  expect([...unsetVariables(`$V a "$W" \${X}`, isSet)]).toEqual(['V', 'W', 'X']);
});

test('many variables before a quote are read once, and each name is asked about once', () => {
  const names = Array.from({ length: 3000 }, (_, i) => `$variable${i % 30}`).join(' ');
  const asked: string[] = [];
  const isSetNoted = (name: string): boolean => {
    asked.push(name);
    return false;
  };
  expect(unsetVariables(`echo ${names} 'x'`, isSetNoted).size).toBe(0);
  expect(asked).toEqual([]);
  expect(unsetVariables(`echo ${names}`, isSetNoted).size).toBe(30);
  expect(asked).toHaveLength(30);
});

test('an assignment that lasts is found wherever it stands among others', () => {
  const unset = (text: string): readonly string[] => [...unsetVariables(text, isSet)];
  expect(unset('A=1 B+=2; $A $B $C')).toEqual(['C']);
  expect(unset('A=1 B=2 cmd; $A $B')).toEqual(['A', 'B']);
  expect(unset('A=1 $X; $A')).toEqual(['X']);
  expect(unset('AB=1; $A $AB')).toEqual(['A']);
});

test('a pattern as command word that fits no file is a name like another', () => {
  all(RUNS, 'allow', ['zq*a', 'no-such-?']);
  all(RUNS, 'ask', ['f*', 'rm? a', '[r]mx a', 'touch zq1a; zq*a', 'ls | zq*a']);
});

test('characters that cannot be seen make another name of a command, and no unknown one', () => {
  all(RUNS, 'allow', ['\u200brmx a', 'rm\u200bx a', 'rmx\u2060 a']);
  all({ allow: ['Bash(okx:*)'] }, 'ask', ['\u200bokx a', 'okx a\u200b']);
});

test('a number is a whole program and does nothing', () => {
  all(RUNS, 'allow', ['python3 -c 1', 'node -e 1']);
  all({ allow: ['Bash(node:*)'] }, 'allow', ['node -e 1']);
  all(RUNS, 'ask', [
    'python3 -c1',
    'python3 -c rmx',
    'python3 -c 1 -c 2',
    'python3 -Wx -c 1',
    'perl -e "1;`x`"',
  ]);
  all({ allow: ['Bash'], deny: ['Bash(python3 -c *)'] }, 'deny', ['python3 -c 1', 'python3.11 -c 1']);
});

test('a rule for a shell covers its code where all of it can be read', () => {
  const rules: RuleTexts = {
    allow: ['Bash(bash *)', 'Bash(sh:*)', 'Bash(timeout *)', 'Bash(zsh *)', 'Bash(* zz1)'],
  };
  all(rules, 'allow', [
    'bash -c zz1',
    "sh -c 'zz1 a && zz2'",
    'nice bash -c zz1',
    "bash -c 'cat f.txt | zz1' x y",
  ]);
  all(rules, 'ask', [
    'bash -c "$CODE"',
    "bash -c 'zz1 $1' a",
    "bash -c '$(zz1)'",
    "bash -c 'echo a > f.txt'",
    "bash -c 'cat /etc/passwd'",
    "bash -c 'rm -rf /etc/x'",
    "bash -c 'eval zz1'",
    "bash -c 'python3 -c x()'",
    "bash -c 'bash -c zz1'",
    "bash -c 'xargs zz1'",
    "bash -c '(zz1)'",
    "bash -c 'PATH=. zz1'",
    "bash -c 'cd $X; zz1'",
    "zsh -c 'zz1 a'",
    'bash --rcfile x -c zz1',
  ]);
  all({ ...rules, deny: ['Bash(zz1:*)'] }, 'deny', ['bash -c zz1']);
});

test('awk may write a file that stands in its program, where the rules of files let it', () => {
  all({ allow: ['Bash(awk:*)'] }, 'allow', [`awk '{print > "aw"}' f.txt`]);
  all({ allow: ['Bash(awk:*)'] }, 'ask', [
    `awk '{print > "../aw"}' f.txt`,
    `awk '{print > "/etc/aw"}' f.txt`,
    `awk '{print > $1}' f.txt`,
    `awk '{print > "a" $1}' f.txt`,
    `awk '{print "a;b" > "/etc/aw"}' f.txt`,
    `awk '{print $1,\n $2 > "/etc/aw"}' f.txt`,
    `awk '{print ($1 ~ /;/) > "/etc/aw"}' f.txt`,
    `awk 'BEGIN{system("x")}'`,
  ]);
  none({ allow: ['Bash'], deny: ['Edit(f.txt)'] }, [
    `awk '{print > "f.txt"}' src/a.ts`,
    `awk '{print "a;b" > "f.txt"}' src/a.ts`,
    `awk '{print $1,\n $2 > "f.txt"}' src/a.ts`,
  ]);
});

test('what find hands to a program that only reads is read, where no name can be taken for anything else', () => {
  all({}, 'ask', [
    'find src -type f | xargs cat',
    'find src -type f | xargs rm',
    'find src -print0 | xargs grep x',
    'find src -ls | xargs grep x',
    'ls src | xargs grep x',
    'find src | head -1 | xargs grep x',
    'find /etc | xargs grep x',
    'find ~ | xargs grep x',
    'find . -type f | xargs grep x',
    'find src > f.txt | xargs grep x',
    'find src | xargs -n1 grep x',
  ]);
  all({}, 'allow', ['find src -type f | xargs grep x', "find src -name '*.ts' | xargs wc -l"]);
  all({ deny: ['Read(.env)'] }, 'ask', ['find src -type f | xargs grep x']);
  const files = filesOf(['/work/proj/src/a /etc/passwd']);
  const asked = { permissions: permissionsOf({}), call: bash('find src | xargs grep x'), files };
  expect(decide(asked).behavior).toBe('ask');
});

test('blanks at the end of a path make no difference to a rule', () => {
  expect(judge({ allow: ['Edit(*.txt)'] }, write('/work/proj/new.txt ')).behavior).toBe('allow');
  expect(
    judge({ allow: ['Edit(**)'], deny: ['Edit(new.txt)'] }, write('/work/proj/new.txt  ')).behavior,
  ).toBe('deny');
});

test('a builtin whose name comes out of braces, or behind a variable that is not set, is followed as any other', () => {
  const deep: RuleTexts = { allow: ['Bash'], deny: ['Read(secrets/key)'] };
  none(deep, [
    '{cd,secrets}; cat key',
    '{cd,} secrets && cat key',
    '{,cd} secrets; cat key',
    'command {cd,secrets}; cat key',
    '{builtin,} cd secrets; cat key',
    '{pushd,secrets}; cat key',
  ]);
  none({ allow: ['Bash'] }, [
    'cd ~; {cd,} .hookd; cat settings.json',
    '{cd,/home/u/.hookd}; cat settings.json',
  ]);
  none(RUNS, ['{read,V} <<< rmx; $V a', '{export,PATH} ; rm a']);
  expect(withEnvironment(deep, '$V cd secrets; cat key')).not.toBe('allow');
});

test('a program in a directory may run what it is given, also when its name looks like an option', () => {
  none(RUNS, ['./-z rmx a', './tools/-z rmx a', '-d/run rmx a', 'env ./-z rmx a']);
  all(RUNS, 'allow', ['time -v make']);
});

test('lists in braces are known only where the text sets no option of the shell, however that is written', () => {
  const anchored: RuleTexts = { allow: ['Bash'], deny: ['Read(/.env)'] };
  all(anchored, 'allow', ['cat {x,y}/.env']);
  all(anchored, 'ask', [
    'set +B; cat {x,y}/.env',
    's\\et +xB; cat {x,y}/.env',
    's\\\net +xB; cat {x,y}/.env',
    "s''et +o b''raceexpand; cat {x,y}/.env",
    '{se,+xB}t; cat {x,y}/.env',
  ]);
});
