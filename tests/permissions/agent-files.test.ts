/** What decides about the agent is not the agent's to write: also where it is missing, or where its links lead now. */
import { expect, test } from 'vitest';
import type { PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { bash, filesOf, permissionsOf, WORKPLACE, write } from './scene.ts';

const GUARDED = ['/work/proj/check.sh', '/work/proj/tools/missing.sh', '/home/u/.claude/settings.json'];
const FILES = filesOf(['/work/proj/turned.sh', '/work/proj/f.txt', '/work/proj/other/x'], {
  '/work/proj/check.sh': '/work/proj/turned.sh',
  '/home/u/.claude/settings.json': '/work/proj/dotfiles.json',
});

function answerTo(call: ToolCall, mode: PermissionMode): string {
  const workplace = { ...WORKPLACE, policyFiles: GUARDED };
  const permissions = { ...permissionsOf({ allow: ['Bash', 'Write'] }), mode, workplace };
  const { behavior, cause } = decide({ permissions, call, files: FILES });
  return `${behavior} by ${cause.kind === 'builtin' ? cause.name : cause.kind}`;
}

test.each([
  ['the script of a hook', bash('echo exit 0 > check.sh')],
  ['the file that its link leads to now', write('/work/proj/turned.sh')],
  ["where a link of the user's settings leads into the workspace", write('/work/proj/dotfiles.json')],
  ['a script that is still missing', write('/work/proj/tools/missing.sh')],
  ['a command that writes it', bash('echo exit 0 > tools/missing.sh')],
  ['a command that writes where the link leads', bash('cp f.txt turned.sh')],
])('%s asks in every mode, whatever is allowed', (_, call) => {
  for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const)
    expect(answerTo(call, mode), mode).toBe('ask by protected-path');
});

test.each([
  [write('/work/proj/dotfiles.json'), true],
  [bash('cp f.txt dotfiles.json'), true],
  [bash('echo x > turned.sh'), true],
  [write('/work/proj/.npmrc'), false],
  [bash('echo x > .npmrc'), false],
])('the reason tells what is in force from what configures other tools', (call, isInForce) => {
  const workplace = { ...WORKPLACE, policyFiles: GUARDED };
  const permissions = { ...permissionsOf({ allow: ['Bash', 'Write'] }), workplace };
  const { reason } = decide({ permissions, call, files: FILES });
  expect(reason).toContain(
    isInForce ? 'holds settings or a hook that are in force' : 'configures tools that run code',
  );
});

test.each([
  ['mv other tools', 'ask'],
  ['mv tools other2', 'ask'],
  ['rm -r tools', 'ask'],
  ['mv other other2', 'allow'],
  ['cp f.txt other', 'allow'],
  ['cp f.txt tools/more.sh', 'allow'],
])('mode acceptEdits replaces no directory that a hook runs from: %s', (command, expected) => {
  const workplace = { ...WORKPLACE, policyFiles: GUARDED };
  const permissions = { ...permissionsOf({}), mode: 'acceptEdits' as const, workplace };
  expect(decide({ permissions, call: bash(command), files: FILES }).behavior).toBe(expected);
});
