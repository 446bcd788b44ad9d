/** Settings that a hook, or anybody, changes while a session runs, and ConfigChange hooks, which may refuse that. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/protocol.ts';
import { kindsOf, makeWorkspace, until, type Workspace } from '../support/hookd.ts';
import { type PlayOptions, play, text, toolUse } from '../support/in-process.ts';

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
  // Its hooks have answered before the change that removes them is in force.
  expect(kinds.indexOf('settings_changed')).toBeGreaterThan(kinds.indexOf('hook_run'));
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

describe('a change that ConfigChange hooks are asked about', () => {
  const refusing = command('echo "not now" >&2; exit 2');

  /** Two calls of touch; between the two the settings of the user become `next`. */
  async function changing(workspace: Workspace, file: string, next: object, options: PlayOptions = {}) {
    let saved = false;
    const played = await play(calls, {
      workspace,
      ...options,
      onEvent: (event) => {
        if (event.kind === 'tool_result' && !saved) {
          saved = true;
          writeFileSync(file, JSON.stringify(next));
        }
        options.onEvent?.(event);
      },
    });
    return {
      outcomes: played.results.map(({ outcome }) => outcome),
      kinds: kindsOf(played.records).filter((kind) => kind.startsWith('settings_')),
      records: played.records.filter(({ kind }) => kind.startsWith('settings_')),
    };
  }

  const ofUser = (settings: object): { workspace: Workspace; file: string } => {
    const workspace = makeWorkspace({ settings });
    return { workspace, file: join(workspace.home, 'settings.json') };
  };

  it('is in force at the very next call when they agree', async () => {
    const hooks = { ConfigChange: command('exit 0') };
    const { workspace, file } = ofUser({ permissions: { allow: ['Bash(touch one)'] }, hooks });
    const { outcomes, kinds } = await changing(workspace, file, {
      permissions: { allow: ['Bash(touch *)'] },
    });
    expect(outcomes).toEqual(['ok', 'ok']);
    expect(kinds).toEqual(['settings_loaded', 'settings_changed']);
  });

  it('exit 2 keeps the old settings, and says so', async () => {
    const warnings: string[] = [];
    const { workspace, file } = ofUser({
      permissions: { allow: ['Bash(touch one)'] },
      hooks: { ConfigChange: refusing },
    });
    const { outcomes, kinds, records } = await changing(
      workspace,
      file,
      { permissions: { allow: ['Bash(touch *)'] } },
      { onEvent: (event) => void (event.kind === 'warning' && warnings.push(event.text)) },
    );
    expect(outcomes).toEqual(['ok', 'denied']);
    expect(kinds).toEqual(['settings_loaded', 'settings_rejected']);
    const why = expect.stringMatching(/ConfigChange hook echo .*refused the change: .*not now/);
    expect(records.at(-1)).toMatchObject({ problems: [why] });
    expect(warnings).toEqual([why]);
  });

  it('a JSON block refuses as well', async () => {
    const hooks = { ConfigChange: command('echo \'{"decision":"block","reason":"no"}\'') };
    const { workspace, file } = ofUser({ permissions: { allow: ['Bash(touch one)'] }, hooks });
    const { outcomes } = await changing(workspace, file, { permissions: { allow: ['Bash'] } });
    expect(outcomes).toEqual(['ok', 'denied']);
  });

  it('no refusal lifts a deny rule: it counts besides the old settings', async () => {
    const settings = { permissions: { allow: ['Bash'] }, hooks: { ConfigChange: refusing } };
    const { workspace, file } = ofUser(settings);
    const { outcomes, kinds, records } = await changing(workspace, file, {
      permissions: { allow: ['Bash', 'Read(//**)'], deny: ['Bash(touch two)'] },
    });
    expect(outcomes).toEqual(['ok', 'denied']);
    expect(kinds).toEqual(['settings_loaded', 'settings_changed', 'settings_rejected']);
    expect(records[1]).toMatchObject({ added: ['deny Bash(touch two)'], removed: [], waiting: [file] });
    expect(records[1]).toMatchObject({ sources: [{ path: file }, { path: file, onlyTightens: true }] });
  });

  it('a deny rule bites while hooks are still asked, also after a person has said yes', async () => {
    const wait = 'for i in $(seq 400); do [ -e go ] && exit 0; sleep 0.05; done; exit 2';
    const hooks = { ConfigChange: command(wait) };
    const { workspace, file } = ofUser({ hooks });
    const { results } = await play([[toolUse('Bash', { command: 'touch two' })], [text('ok')]], {
      workspace,
      approvals: {
        ask: async () => {
          writeFileSync(file, JSON.stringify({ permissions: { deny: ['Bash(touch two)'] } }));
          return { answer: 'allow', client: 'test' };
        },
      },
      onEvent: ({ kind }) => kind === 'settings_changed' && writeFileSync(join(workspace.project, 'go'), ''),
    });
    expect(results).toEqual([
      { outcome: 'denied', text: expect.stringContaining('Denied by rule Bash(touch two)') },
    ]);
    expect(existsSync(join(workspace.project, 'two'))).toBe(false);
  });

  it('a refused change cannot take a deny rule away', async () => {
    const { workspace, file } = ofUser({
      permissions: { allow: ['Bash'], deny: ['Bash(touch two)'] },
      hooks: { ConfigChange: refusing },
    });
    const { outcomes } = await changing(workspace, file, { permissions: { allow: ['Bash'] } });
    expect(outcomes).toEqual(['ok', 'denied']);
  });

  it('a hook that fails lets the change through, unless it is told to block', async () => {
    for (const [onFailure, second] of [
      [undefined, 'ok'],
      ['block', 'denied'],
    ] as const) {
      const hook = { type: 'command', command: './not-there', onFailure };
      const hooks = { ConfigChange: [{ hooks: [hook] }] };
      const { workspace, file } = ofUser({ permissions: { allow: ['Bash(touch one)'] }, hooks });
      const { outcomes } = await changing(workspace, file, { permissions: { allow: ['Bash'] } });
      expect(outcomes).toEqual(['ok', second]);
    }
  });

  it('what comes after a refusal is asked about again', async () => {
    const workspace = makeWorkspace();
    const file = join(workspace.home, 'settings.json');
    const hooks = { ConfigChange: command(`! grep -q WIDE '${file}' || exit 2`) };
    writeFileSync(file, JSON.stringify({ permissions: { allow: ['Bash(touch one)'] }, hooks }));
    const saves = ['["Bash","Read(WIDE)"]', '["Bash(touch *)"]'];
    const { results } = await play([calls[0] ?? [], ...calls], {
      workspace,
      onEvent: ({ kind }) => {
        const next = kind === 'tool_result' ? saves.shift() : undefined;
        if (next !== undefined) writeFileSync(file, `{"permissions":{"allow":${next}}}`);
      },
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  });

  it('is not refused by a hook of less authority, nor by one that nobody waits for', async () => {
    const workspace = makeWorkspace({
      settings: {
        permissions: { allow: ['Bash'] },
        hooks: { ConfigChange: [{ hooks: [{ type: 'command', command: 'exit 2', async: true }] }] },
      },
      projectSettings: { hooks: { ConfigChange: refusing } },
    });
    const warnings: string[] = [];
    const file = join(workspace.home, 'settings.json');
    const { outcomes, kinds } = await changing(
      workspace,
      file,
      { permissions: { allow: ['Bash(touch one)'] } },
      {
        flags: { trustProject: true },
        onEvent: (event) => void (event.kind === 'warning' && warnings.push(event.text)),
      },
    );
    expect(outcomes).toEqual(['ok', 'denied']);
    expect(kinds).toEqual(['settings_loaded', 'settings_changed']);
    expect(warnings).toContainEqual(expect.stringContaining('which has more authority; ignored'));
  });
});

it('where somebody watches, a saved file is told and recorded between calls', async () => {
  const workspace = makeWorkspace({ settings: {} });
  const told: SessionEvent[] = [];
  const { records, results } = await play([[toolUse('Bash', { command: 'touch two' })], [text('ok')]], {
    workspace,
    watchesSettings: true,
    onEvent: (event) => void (event.kind === 'settings_changed' && told.push(event)),
    approvals: {
      ask: async () => {
        const settings = { permissions: { allow: ['Bash(touch *)'] } };
        writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(settings));
        await until(() => told.length > 0, 'the change was told while a person was asked');
        return { answer: 'deny', client: 'test' };
      },
    },
  });
  expect(told).toEqual([{ kind: 'settings_changed', added: ['allow Bash(touch *)'], removed: [] }]);
  expect(kindsOf(records)).toContain('settings_changed');
  // A loosening does not reach the call that is being asked about.
  expect(results.map(({ outcome }) => outcome)).toEqual(['denied']);
});
