/** What a typed line is: a prompt, a command, or a slip of the hand. */
import { expect, test } from 'vitest';
import { helpLines, readTyped, SLASH_COMMANDS } from '../../src/cli/slash-command.ts';

test.each([
  ['fix the test', { kind: 'prompt', text: 'fix the test' }],
  ['  /status', { kind: 'prompt', text: '  /status' }],
  ['//etc/hosts: what is it?', { kind: 'prompt', text: '/etc/hosts: what is it?' }],
  ['a /mode of speech', { kind: 'prompt', text: 'a /mode of speech' }],
  ['/status', { kind: 'command', name: 'status', argument: '' }],
  ['/mode plan ', { kind: 'command', name: 'mode', argument: 'plan' }],
  ['/compact keep\nthe plan', { kind: 'command', name: 'compact', argument: 'keep\nthe plan' }],
  [' q ', { kind: 'command', name: 'quit', argument: '' }],
  ['exit', { kind: 'command', name: 'quit', argument: '' }],
  ['question', { kind: 'prompt', text: 'question' }],
])('%j', (line, typed) => {
  expect(readTyped(line)).toEqual(typed);
});

test.each([
  ['/statsu', 'Did you mean /status?'],
  ['/Mode', 'Did you mean /mode?'],
  ['/etc/hosts', '/help lists the commands'],
  ['/', '/help lists the commands'],
  ['/constructor', 'double the slash'],
  ['/status of the build', '/status stands alone'],
])('%j is no command, and says what to do', (line, words) => {
  const typed = readTyped(line);
  expect(typed.kind).toBe('unknown');
  expect(typed.kind === 'unknown' && typed.problem).toContain(words);
});

test('the help names every command and fits 80 columns', () => {
  const lines = helpLines();
  for (const name of Object.keys(SLASH_COMMANDS)) expect(lines.join('\n')).toContain(`/${name}`);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});
