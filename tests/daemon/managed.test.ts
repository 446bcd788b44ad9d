import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const CALLS = [
  [toolUse('Bash', { command: 'touch forbidden' })],
  [toolUse('Bash', { command: 'touch free' })],
  [text('done')],
];

/** A user who allows everything, on a machine whose administrator does not. */
function managedWorkspace(settings: object) {
  const workspace = makeWorkspace({
    settings: { permissions: { allow: ['Bash'], defaultMode: 'bypassPermissions' }, disableAllHooks: true },
  });
  const directory = join(workspace.root, 'etc');
  mkdirSync(directory);
  const file = join(directory, 'managed-settings.json');
  writeFileSync(file, JSON.stringify(settings));
  const managed = { directory, claudeDirectory: join(directory, 'claude'), owner: process.getuid?.() ?? 0 };
  return { workspace, file, managed };
}

it('what an administrator denies does not run, and their guard does, whatever the user, a flag or a variable says', async () => {
  const { workspace, managed } = managedWorkspace({
    permissions: { deny: ['Bash(touch forbidden)'], disableBypassPermissionsMode: 'disable' },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/guarded"' }] }] },
  });
  const env = {
    ...workspace.env,
    HOOKD_MANAGED_DIR: workspace.project,
    HOOKD_MANAGED_SETTINGS: join(workspace.project, 'none.json'),
  };
  const { results, records } = await play(CALLS, {
    workspace: { ...workspace, env },
    managed,
    flags: {
      permissionMode: 'bypassPermissions',
      settingSources: '',
      settings: ['{"disableAllHooks": true}'],
    },
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['denied', 'denied']);
  expect(existsSync(join(workspace.project, 'guarded'))).toBe(true);
  expect(records.find(({ kind }) => kind === 'session_started')).toMatchObject({
    permission_mode: 'default',
  });
  expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
    decision: 'deny',
  });
});

it('no session starts where others could have written the managed file', async () => {
  const { workspace, file, managed } = managedWorkspace({ permissions: { deny: ['Bash(touch forbidden)'] } });
  chmodSync(file, 0o666);
  await expect(play(CALLS, { workspace, managed })).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
    message: expect.stringContaining(`others than its owner may write ${file} (mode 666)`),
  });
});
