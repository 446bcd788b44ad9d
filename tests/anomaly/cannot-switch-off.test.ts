/** Ways in which a project, a hook, the environment, a flag or the agent may try to switch the audit off, move it or thin it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyAll } from '../../src/audit/verify.ts';
import {
  auditRecords,
  hookd,
  kindsOf,
  makeWorkspace,
  modelScript,
  type WorkspaceOptions,
} from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

const ALLOW = { permissions: { allow: ['Bash(touch *)', 'Bash(echo *)'] } };
const TURNS = [
  [toolUse('Bash', { command: 'touch mark-1' })],
  [toolUse('Bash', { command: 'touch mark-2' })],
  [text('ok')],
];

async function run(
  options: WorkspaceOptions,
  turns: readonly unknown[] = TURNS,
  flags: readonly string[] = [],
) {
  const workspace = makeWorkspace(options);
  const script = modelScript(workspace, turns);
  const finished = await hookd(workspace, ['-p', 'go', '--model-script', script, ...flags]);
  return { workspace, ...finished };
}

const hooksSaying = (answer: object) => {
  const command = `cat > /dev/null; printf '%s' '${JSON.stringify(answer)}'`;
  return { PreToolUse: [{ hooks: [{ type: 'command', command }] }] };
};

/** The kinds of record, those of hooks and warnings aside. */
function callKinds(records: Parameters<typeof kindsOf>[0]): readonly string[] {
  return kindsOf(records).filter((kind) => !kind.startsWith('hook_') && kind !== 'process_started');
}

const undisturbed = run({ settings: ALLOW }).then(({ workspace }) => callKinds(auditRecords(workspace)));

describe('every record of a session is there, in its place', () => {
  const off = { enabled: false, directory: '/dev/null', kinds: [], sampling: 0, rotateSize: 'no', sinks: [] };
  const ways: readonly [string, WorkspaceOptions, readonly string[]][] = [
    ['a project that speaks of it', { settings: ALLOW, projectSettings: { audit: off } }, []],
    [
      'a trusted project that does',
      { settings: ALLOW, projectSettings: { audit: off } },
      ['--trust-project'],
    ],
    [
      'a project that sets variables and switches hooks off',
      {
        settings: ALLOW,
        projectSettings: { disableAllHooks: true, env: { HOOKD_HOME: '/nonexistent', HOOKD_AUDIT: 'off' } },
      },
      ['--trust-project'],
    ],
    [
      'variables',
      {
        settings: ALLOW,
        env: { HOOKD_AUDIT: 'off', HOOKD_NO_AUDIT: '1', NODE_ENV: 'test', LOG_LEVEL: 'silent', CI: '1' },
      },
      [],
    ],
    [
      'a hook that hides its output',
      { settings: { ...ALLOW, hooks: hooksSaying({ suppressOutput: true, audit: false, record: 'none' }) } },
      [],
    ],
    ['hooks switched off by the user', { settings: { ...ALLOW, disableAllHooks: true } }, []],
  ];

  it.each(ways)('with %s', async (_, options, flags) => {
    const { workspace, code } = await run(options, TURNS, flags);
    expect(code).toBe(0);
    expect(callKinds(auditRecords(workspace))).toEqual(await undisturbed);
    expect(verifyAll(join(workspace.home, 'audit')).map(({ problem }) => problem)).toEqual([undefined]);
    expect(existsSync(join(workspace.project, '.hookd', 'audit'))).toBe(false);
  });

  it('with a hook that ends the turn: the call that it held back has its result too', async () => {
    const { workspace } = await run({ settings: { ...ALLOW, hooks: hooksSaying({ continue: false }) } });
    expect(kindsOf(auditRecords(workspace)).filter((kind) => kind.startsWith('tool_'))).toEqual([
      'tool_use',
      'tool_call',
      'tool_result',
    ]);
    expect(kindsOf(auditRecords(workspace)).at(-1)).toBe('daemon_stopped');
  });
});

it.each([
  ['--no-audit', []],
  ['--audit=off', []],
  ['--settings', ['{"audit": {"enabled": false}}']],
  ['--settings', ['{"audit": false}']],
])('there is no flag for it: %s %s is refused', async (flag, more) => {
  const { code, workspace } = await run({ settings: ALLOW }, TURNS, [flag, ...more]);
  expect(code).toBe(2);
  expect(readdirSync(workspace.project)).toEqual([]);
});

it('the agent cannot reach it: its commands and tools that name the log are denied, in every mode', async () => {
  const workspace = makeWorkspace();
  const inside = join(workspace.home, 'audit', 'mark');
  const turns = [
    [toolUse('Bash', { command: `touch ${inside}` })],
    [toolUse('Bash', { command: `echo x >> ${inside}` })],
    [toolUse('Bash', { command: 'touch "$HOOKD_HOME/audit/mark"' })],
    [toolUse('Write', { file_path: inside, content: 'x' })],
    [text('ok')],
  ];
  const script = modelScript(workspace, turns);
  const args = ['-p', 'go', '--permission-mode', 'bypassPermissions', '--model-script', script];
  expect((await hookd(workspace, args)).code).toBe(0);
  expect(existsSync(inside)).toBe(false);
  const results = auditRecords(workspace).filter(({ kind }) => kind === 'tool_result');
  expect(results.map((record) => record['outcome'])).toEqual(['denied', 'denied', 'denied', 'denied']);
});
