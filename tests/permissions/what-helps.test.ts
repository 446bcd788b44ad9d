/** Where nobody can be asked, what is said to help does, and an allow rule is named only where one is enough. */
import { expect, test } from 'vitest';
import type { PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { suggestRule } from '../../src/permissions/suggest-rule.ts';
import { whatHelps } from '../../src/permissions/what-helps.ts';
import {
  bash,
  callOf,
  edit,
  FILES,
  hookSays,
  judgeIn,
  permissionsOf,
  type RuleTexts,
  read,
  write,
} from './scene.ts';

const P = '/work/proj';
const BROADEST = ['Bash', 'Read(//**)', 'Edit(//**)', 'mcp__srv__t'];

function helps(mode: PermissionMode, texts: RuleTexts, call: ToolCall, asks: boolean) {
  const hook = asks ? hookSays('ask') : undefined;
  const decision = judgeIn(mode, texts, call, hook);
  expect(decision.behavior).toBe('ask');
  const permissions = { ...permissionsOf(texts), mode };
  const rule = asks ? undefined : suggestRule({ permissions, call, files: FILES, hook });
  const allowed = judgeIn(mode, { ...texts, allow: [...(texts.allow ?? []), ...BROADEST] }, call, hook);
  return { said: whatHelps(decision, rule), isLifted: allowed.behavior === 'allow' };
}

test.each<[string, PermissionMode, RuleTexts, ToolCall]>([
  ['a command', 'default', {}, bash('make')],
  ['one that no rule is written for word for word', 'default', {}, bash('touch "$X"')],
  ['a removal', 'default', {}, bash('rm f*')],
  ['a write elsewhere by a command', 'default', {}, bash('touch /opt/$X')],
  ['a write elsewhere', 'acceptEdits', {}, write('/opt/a*')],
  ['a read elsewhere', 'default', {}, read('/etc/passwd')],
  ['one in plan mode', 'plan', {}, read('/etc/passwd')],
  ['a write', 'default', {}, edit(`${P}/f.txt`)],
  ['a tool of a server', 'default', {}, callOf('mcp__srv__t', { kind: 'none' })],
])('%s: an allow rule', (_, mode, texts, call) => {
  const { said, isLifted } = helps(mode, texts, call, false);
  expect(said).toMatch(/^An allow rule (?:that covers it )?would permit it/);
  expect(isLifted).toBe(true);
});

test.each<[string, PermissionMode, RuleTexts, ToolCall, string, boolean?]>([
  ['what a hook asks', 'default', {}, bash('make'), 'A hook asks, and no allow rule lifts that', true],
  ['an ask rule', 'default', { ask: ['Bash(make:*)'] }, bash('make'), 'An ask rule asks, and no allow rule'],
  ['a protected path', 'default', {}, write(`${P}/.git/config`), 'whatever is allowed: no allow rule'],
  ['one of a command', 'default', {}, bash('touch .git/config'), 'whatever is allowed: no allow rule'],
  ['a critical removal', 'default', {}, bash('rm -rf ~'), 'whatever is allowed: no allow rule'],
  ['what a deny rule may mean', 'default', { deny: ['Bash(rmx:*)'] }, bash('$X a'), 'whatever is allowed'],
  ['a write in plan mode', 'plan', {}, write(`${P}/f.txt`), 'another mode may permit it'],
  ['a command in plan mode', 'plan', {}, bash('make'), 'another mode may permit it'],
])('%s: no allow rule', (_, mode, texts, call, words, asks = false) => {
  const { said, isLifted } = helps(mode, texts, call, asks);
  expect(said).toContain(words);
  expect(said).not.toContain('would permit it');
  expect(isLifted).toBe(false);
});
