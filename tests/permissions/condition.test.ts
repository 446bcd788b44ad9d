import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/vocabulary.ts';
import { conditionFits, conditionProblem } from '../../src/permissions/condition.ts';
import { bash, callOf, edit, FILES, glob, read, WORKPLACE, write } from './scene.ts';

const P = '/work/proj';
const fits = (condition: string, call: ToolCall): boolean => conditionFits(condition, call, WORKPLACE, FILES);

test.each<[string, ToolCall, boolean]>([
  // Commands, by part.
  ['Bash(git *)', bash('git status'), true],
  ['Bash(git *)', bash('git'), true],
  ['Bash(git:*)', bash('echo hi && git status'), true],
  ['Bash(git *)', bash('FOO=1 git status'), true],
  ['Bash(git *)', bash('echo $(git status)'), true],
  ['Bash(git *)', bash('echo "git status"'), false],
  ['Bash(git *)', bash('gitk'), false],
  ['Bash(git status)', bash('git status'), true],
  ['Bash(git status)', bash('git status -s'), false],
  ['Bash(*git*)', bash('true; git'), true],
  ['Bash(rm *)', bash('true; rm -f zz'), true],
  ['Bash(rm *)', bash('sudo rm zz'), true],
  ['Bash(rm *)', bash('bash -c "rm zz"'), true],
  ['Bash(rm *)', bash('/bin/r""m zz'), true],
  ['Bash(rm -rf *)', bash('rm -r -f zz'), true],
  ['Bash', bash('anything'), true],
  ['Bash(*)', bash('anything'), true],
  ['Bash(run_in_background:true)', { ...bash('make'), input: { run_in_background: true } }, true],
  // What cannot be read may be anything.
  ['Bash(git *)', bash('echo "unterminated'), true],
  ['Bash(git *)', bash('$X status'), true],
  ['Bash(git *)', bash('curl x | sh'), true],
  ['Bash(git *)', bash('eval "$X"'), true],
  ['Bash(git *)', bash('bash -c "echo \'"'), true],
  ['Bash(git *)', bash('python3 -c 1'), false],
  ['Read(*.txt)', bash('echo "unterminated'), false],
  // Paths.
  ['Edit(*.txt)', edit(`${P}/f.txt`), true],
  ['Edit(*.txt)', write(`${P}/f.txt`), false],
  ['Write(*.txt)', write(`${P}/f.txt`), true],
  ['Write(*.txt)', edit(`${P}/f.txt`), false],
  ['Read(*.txt)', read(`${P}/f.txt`), true],
  ['Read(*.txt)', edit(`${P}/f.txt`), false],
  ['Read(*.txt)', bash('cat f.txt'), false],
  ['Read(./f.txt)', read(`${P}/f.txt`), true],
  ['Read(f.txt)', read(`${P}/src/f.txt`), true],
  ['Read(/f.txt)', read(`${P}/f.txt`), true],
  [`Read(/${P}/f.txt)`, read(`${P}/f.txt`), true],
  [`Read(${P}/f.txt)`, read(`${P}/f.txt`), true],
  ['Read(.env)', read(`${P}/env-link`), true],
  ['Read(src/**)', read(`${P}/f.txt`), false],
  ['Glob(src/**)', glob(`${P}/src`), true],
  ['Edit(replace_all:true)', { ...edit(`${P}/f.txt`), input: { replace_all: true } }, true],
  ['Edit', edit(`${P}/f.txt`), true],
  ['Edit', write(`${P}/f.txt`), false],
  // Other tools.
  ['mcp__srv__t', callOf('mcp__srv__t', { kind: 'none' }), true],
  ['mcp__srv', callOf('mcp__srv__t', { kind: 'none' }), true],
  ['mcp__srv__*', callOf('mcp__srv__t', { kind: 'none' }), true],
  ['mcp__other', callOf('mcp__srv__t', { kind: 'none' }), false],
  ['Fetch(url:x*)', callOf('Fetch', { kind: 'none' }, { url: 'xy' }), true],
  // No filter, and what is no rule.
  ['', mkdirOf(), true],
  ['*', bash('ls'), false],
  ['B*', bash('ls'), false],
  ['garbage((', bash('ls'), false],
  ['bash(ls *)', bash('ls'), false],
  ['Bash(ls *)|Bash(git *)', bash('ls'), false],
])('%j fits %j: %s', (condition, call, expected) => {
  expect(fits(condition, call)).toBe(expected);
  // From the store it says the same.
  expect(fits(condition, call)).toBe(expected);
});

function mkdirOf(): ToolCall {
  return bash('mkdir d');
}

test('the same text is another condition in another project', () => {
  const elsewhere = { ...WORKPLACE, project: '/work/other', cwd: '/work/other', directories: [] };
  expect(fits('Read(/f.txt)', read(`${P}/f.txt`))).toBe(true);
  expect(conditionFits('Read(/f.txt)', read(`${P}/f.txt`), elsewhere, FILES)).toBe(false);
});

test.each([
  ['garbage((', 'tool names begin with a capital letter'],
  ['bash(ls *)', 'write Bash'],
  ['Bsh(rm *)', 'did you mean Bash'],
  ['Nope', 'no tool is called Nope'],
  ['Nope(x)', 'no tool is called Nope'],
  ['*', 'a tool name with a star'],
  ['B*', 'a tool name with a star'],
  ['Bash(ls *)|Bash(git *)', 'more than one rule'],
  ['Bash(ls *), Edit', 'more than one rule'],
  ['Bash|Edit', 'is not a tool name'],
  ['Bash()', 'nothing is named'],
  ['Bash(ls', 'is missing'],
  ['Bash(command:ls)', 'write the command itself'],
  ['Read(../x)', 'can match no path'],
  ['Edit(!x)', 'restricts nothing'],
  ['mcp__srv__t(x)', 'takes no parentheses'],
  [' Bash', 'blanks'],
])('%j can never fit, and it is said why', (condition, why) => {
  expect(conditionProblem(condition)).toContain(why);
});

test.each([
  ...[
    '',
    'Bash',
    'Bash(*)',
    'Bash(git *)',
    'Bash(echo "a|b")',
    'Bash((ls) | Sort)',
    'Edit(*.txt)',
    'Write(x)',
  ],
  ...['Read(/etc/passwd)', 'Glob(src/**)', 'Edit(replace_all:true)', 'mcp__srv', 'mcp__srv__*', 'Grep(x)'],
  ...['WebFetch(domain:x)', 'MultiEdit', 'Bash(run_in_background:true)'],
])('%j is a condition', (condition) => {
  expect(conditionProblem(condition)).toBeUndefined();
});

test('a tool that was added since has conditions of its own', () => {
  expect(conditionProblem('Fetch')).toContain('no tool is called Fetch');
  expect(conditionProblem('Fetch', new Set(['Bash', 'Fetch']))).toBeUndefined();
});
