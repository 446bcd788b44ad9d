/** "Always": the answer that writes a rule. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Approvals } from '../../src/agent/ask-human.ts';
import type { ApprovalRequest } from '../../src/core/vocabulary.ts';
import {
  addRemembered,
  allRemembered,
  rememberedFile,
  removeRemembered,
} from '../../src/settings/remembered.ts';
import { auditRecords, kindsOf, makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const TOUCH = [toolUse('Bash', { command: 'touch made' })];

function always(
  asked: ApprovalRequest[],
  rule = (request: ApprovalRequest) => request.alwaysRule,
): Approvals {
  return {
    ask: async ({ value }) => {
      asked.push(value);
      const alwaysRule = rule(value);
      return { answer: 'allow', client: 'test', ...(alwaysRule === undefined ? {} : { alwaysRule }) };
    },
  };
}

test('the rule counts for the very next call, and in the next session that starts there; who said so is on record', async () => {
  const asked: ApprovalRequest[] = [];
  const approvals = always(asked);
  const { workspace, results } = await play([TOUCH, TOUCH, [text('done')]], { approvals });
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  await play([TOUCH, [text('done')]], { approvals, workspace });
  expect(asked.map(({ alwaysRule }) => alwaysRule)).toEqual(['Bash(touch made)']);
  const records = auditRecords(workspace);
  const file = rememberedFile(workspace.home, workspace.project);
  const [remembered] = records.filter(({ kind }) => kind === 'approval_remembered');
  expect(remembered).toMatchObject({ rule: 'Bash(touch made)', client: 'test', file });
  const kinds = kindsOf(records);
  const from = kinds.indexOf('approval_resolved');
  expect(kinds.slice(from, from + 3)).toEqual(['approval_resolved', 'approval_remembered', 'permission']);
  expect(records[from]).toMatchObject({ answer: 'allow', always_rule: 'Bash(touch made)' });
});

test('an answer with another rule than the one that was shown allows the call, and writes nothing', async () => {
  const { workspace, results } = await play([TOUCH, [text('done')]], { approvals: always([], () => 'Bash') });
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok']);
  expect(allRemembered(workspace.home)).toEqual([]);
  expect(kindsOf(auditRecords(workspace))).not.toContain('approval_remembered');
});

test('a deny that was saved while somebody thought about it bites, and nothing is allowed for good', async () => {
  const workspace = makeWorkspace();
  const denying: Approvals = {
    ask: (request, signal) => {
      const permissions = { deny: ['Bash(touch *)'] };
      writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ permissions }));
      return always([]).ask(request, signal);
    },
  };
  const { results } = await play([TOUCH, [text('done')]], { workspace, approvals: denying });
  expect(results.map(({ outcome }) => outcome)).toEqual(['denied']);
  expect(allRemembered(workspace.home)).toEqual([]);
  expect(kindsOf(auditRecords(workspace))).not.toContain('approval_remembered');
});

test('a file that cannot be used is left as it is, and the person is told', async () => {
  const workspace = makeWorkspace();
  const file = rememberedFile(workspace.home, workspace.project);
  const warnings: string[] = [];
  const breaking: Approvals = {
    ask: async (request, signal) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{ broken');
      return always([]).ask(request, signal);
    },
  };
  const { results } = await play([TOUCH, [text('done')]], {
    workspace,
    approvals: breaking,
    onEvent: (event) => event.kind === 'warning' && warnings.push(event.text),
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok']);
  expect(warnings.some((warning) => warning.startsWith('The rule Bash(touch made) was not written: '))).toBe(
    true,
  );
  expect(readFileSync(file, 'utf8')).toBe('{ broken');
});

test('rules are added once, kept beside what else stands there, and taken back one by one', () => {
  const { home, project } = makeWorkspace();
  const file = rememberedFile(home, project);
  expect(addRemembered(home, project, 'Bash(a)')).toBeUndefined();
  expect(addRemembered(home, project, 'Bash(b)')).toBeUndefined();
  expect(addRemembered(home, project, 'Bash(a)')).toBeUndefined();
  expect(allRemembered(home)).toEqual([{ directory: project, file, rules: ['Bash(a)', 'Bash(b)'] }]);
  const settings = JSON.parse(readFileSync(file, 'utf8')) as { permissions: object };
  writeFileSync(file, JSON.stringify({ ...settings, maxTurns: 9 }));
  expect(removeRemembered(home, project, 'Bash(a)')).toEqual({ removed: true });
  expect(removeRemembered(home, project, 'Bash(a)')).toEqual({ removed: false });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    permissions: { allow: ['Bash(b)'] },
    maxTurns: 9,
  });
});
