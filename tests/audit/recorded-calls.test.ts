/** What the log holds of each call for rules to judge it again. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedCalls, whyNotWhole } from '../../src/audit/recorded-calls.ts';
import { forRecord, MAX_STRING_BYTES } from '../../src/audit/redact.ts';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const answering = (event: string, output: object) =>
  `cat >/dev/null; echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...output } })}'`;
const hook = (matcher: string, command: string, more: object = {}) => ({
  matcher,
  hooks: [{ type: 'command', command, ...more }],
});

const SETTINGS = {
  permissions: { allow: ['Bash(true *)'], deny: ['Bash(curl *)'] },
  hooks: {
    PreToolUse: [
      hook(
        'Write',
        answering('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'fine' }),
      ),
      hook('Glob', 'echo no >&2; exit 2'),
      hook(
        'Edit',
        answering('PreToolUse', { updatedInput: { file_path: 'b', old_string: 'x', new_string: 'y' } }),
      ),
    ],
    PermissionRequest: [
      hook('Bash', answering('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } }), {
        if: 'Bash(make *)',
      }),
    ],
  },
};

const recorded = (workspace: Workspace, since?: number) =>
  recordedCalls(join(workspace.home, 'audit'), since, {
    onUnread: (_, error) => {
      throw error;
    },
    onUnsound: (path) => {
      throw new Error(path);
    },
  });

test('each call stands there with its last input, what its hooks said, and what the rules said before anybody answered', async () => {
  const workspace = makeWorkspace({ settings: SETTINGS });
  const turns = [
    [
      toolUse('Bash', { command: 'true a' }),
      toolUse('Bash', { command: 'curl x' }),
      toolUse('Bash', { command: 'touch a' }),
      toolUse('Bash', { command: 'make x' }),
      toolUse('write_file', { path: 'c', content: 'x' }),
      toolUse('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }),
      toolUse('Glob', { pattern: '*' }),
      toolUse('Nope', {}),
    ],
    [text('done')],
  ];
  const yes = { ask: async () => ({ answer: 'allow', client: 'test' }) as const };
  const { records } = await play(turns, { workspace, approvals: yes });
  const policy = records.find(({ kind }) => kind === 'settings_loaded')?.['sources'];
  const { calls, unjudged } = recorded(workspace);
  expect(
    calls.map(({ tool, input, ruling, verdict }) => {
      const { command, file_path } = input as Record<string, string>;
      return [tool, command ?? file_path, ruling.behavior, ruling.cause.kind, verdict?.behavior];
    }),
  ).toEqual([
    ['Bash', 'true a', 'allow', 'rule', undefined],
    ['Bash', 'curl x', 'deny', 'rule', undefined],
    ['Bash', 'touch a', 'ask', 'mode', undefined],
    ['Bash', 'make x', 'ask', 'mode', undefined],
    ['Write', join(workspace.project, 'c'), 'allow', 'hook', 'allow'],
    ['Edit', join(workspace.project, 'b'), 'ask', 'mode', undefined],
  ]);
  expect(unjudged).toBe(2);
  for (const { cwd, sources } of calls) {
    expect(cwd).toBe(workspace.project);
    expect(sources).toEqual(policy);
  }
  expect(recorded(workspace, Date.now() + 1000)).toEqual({ calls: [], unjudged: 0 });
});

test('a value that was masked or cut is told from one that is whole, at any depth', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const values: readonly [unknown, string | undefined][] = [
    [{ command: 'echo hi', n: 1, list: ['x', null] }, undefined],
    [{ command: `echo ${token}` }, 'is masked'],
    [{ [token]: 1 }, 'is masked'],
    [{ a: [{ content: 'x'.repeat(MAX_STRING_BYTES + 1) }] }, 'is cut'],
    [{ bytes: 1, sha256: 'x', head: 'y' }, undefined],
  ];
  expect(values.map(([value]) => whyNotWhole(forRecord(value)))).toEqual(values.map(([, why]) => why));
});
