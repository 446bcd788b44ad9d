/** Settings that a hook, or anybody, changes while a session runs. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kindsOf, makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const command = (script: string) => [{ hooks: [{ type: 'command', command: script }] }];

const calls = [
  [toolUse('Bash', { command: 'touch one' })],
  [toolUse('Bash', { command: 'touch two' })],
  [text('ok')],
];

it('a hook that edits the settings: rules and hooks of the new ones govern the very next call', async () => {
  const workspace = makeWorkspace();
  const file = join(workspace.home, 'settings.json');
  const next = {
    permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(touch two)'] },
    hooks: { PreToolUse: command('touch new-hook') },
  };
  writeFileSync(join(workspace.root, 'next.json'), JSON.stringify(next));
  const first = {
    permissions: { allow: ['Bash(touch:*)'] },
    hooks: { PreToolUse: command(`cp ../next.json '${file}'`) },
  };
  writeFileSync(file, JSON.stringify(first));
  const { results, records } = await play(calls, { workspace });
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'denied']);
  expect(existsSync(join(workspace.project, 'new-hook'))).toBe(true);
  expect(kindsOf(records).filter((kind) => kind === 'settings_changed')).toHaveLength(1);
});

it('ConfigChange hooks are told of a change that removes them', async () => {
  const workspace = makeWorkspace();
  const file = join(workspace.home, 'settings.json');
  const first = {
    permissions: { allow: ['Bash'] },
    hooks: {
      PreToolUse: command(`echo '{"permissions":{"allow":["Bash"]}}' > '${file}'`),
      ConfigChange: command('cat >> told'),
    },
  };
  writeFileSync(file, JSON.stringify(first));
  const { results, records } = await play(calls, { workspace });
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  expect(JSON.parse(readFileSync(join(workspace.project, 'told'), 'utf8'))).toMatchObject({
    hook_event_name: 'ConfigChange',
    source: 'user_settings',
    file_path: file,
  });
  const kinds = kindsOf(records);
  expect(kinds.lastIndexOf('hook_run')).toBeGreaterThan(kinds.indexOf('settings_changed'));
});

it('ConfigChange hooks are told of a file that is gone', async () => {
  const workspace = makeWorkspace({
    settings: { permissions: { allow: ['Bash'] }, hooks: { ConfigChange: command('cat >> told') } },
    projectSettings: {},
  });
  const file = join(workspace.project, '.hookd/settings.json');
  // What a file held counts for two seconds after it is gone: it may be in the middle of a save.
  const waits = [[toolUse('Bash', { command: 'sleep 2.2' })], ...calls];
  await play(waits, {
    workspace,
    onEvent: ({ kind }) => {
      if (kind === 'tool_use') rmSync(file, { force: true });
    },
  });
  expect(JSON.parse(readFileSync(join(workspace.project, 'told'), 'utf8'))).toMatchObject({
    source: 'project_settings',
    file_path: file,
  });
});
