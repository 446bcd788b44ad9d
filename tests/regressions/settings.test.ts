/** Faults of settings that other programs had, reported in public; each is named by its report. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/settings/problem.ts';
import { rememberedFile } from '../../src/settings/remembered.ts';
import { hooked, hooksOf, rulesOf, save, testSession } from '../settings/session.ts';
import { HOOKD, makeWorkspace, modelScript } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const bash = (command: string) => [toolUse('Bash', { command })];
const hook = (matcher: string, command: string) => ({ matcher, hooks: [{ type: 'command', command }] });

test('one malformed allow rule is reported with its place, and costs no other rule (anthropics/claude-code#12468)', () => {
  const session = testSession();
  save(session.userFile, { permissions: { allow: ['Bash(mkdir*', 'Bash(ls:*)'], deny: ['Bash(rm:*)'] } });
  const snapshot = session.start().current();
  expect(rulesOf(snapshot)).toEqual(['deny Bash(rm:*)', 'allow Bash(ls:*)']);
  expect(snapshot.warnings).toEqual([
    expect.stringMatching(/settings\.json:4:7: permissions\.allow\[0\]: .*"Bash\(mkdir\*".*ignored\.$/),
  ]);
});

describe('a save that is broken while a session runs loosens nothing, is told, and is over when the file is whole again', () => {
  const good = { permissions: { deny: ['Bash(rm:*)'] } };

  test('cut off (anthropics/claude-code#78764)', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { ...good.permissions, allow: ['Bash'] } } });
    const file = join(workspace.home, 'settings.json');
    const told: string[] = [];
    const saves = ['{"permissions":{"deny":["Bash(rm:*)"]', '{"permissions":{"allow":["Bash"]}}'];
    const { results, records } = await play(
      [bash('true'), bash('rm missing'), bash('true'), bash('rm -f missing'), [text('ok')]],
      {
        workspace,
        onEvent: (event) => {
          if (event.kind === 'warning') told.push(event.text);
          if (event.kind !== 'tool_result' || event.use.input === undefined) return;
          const next = JSON.stringify(event.use.input).includes('true') ? saves.shift() : undefined;
          if (next !== undefined) writeFileSync(file, next);
        },
      },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'denied', 'ok', 'ok']);
    expect(told[0]).toMatch(/last good ones stay in force\.\n.*settings\.json:1:38/);
    expect(records.map(({ kind }) => kind).filter((kind) => kind.startsWith('settings_'))).toEqual([
      'settings_loaded',
      'settings_rejected',
      'settings_changed',
    ]);
  });

  test.each([
    ['permissions.deny', { permissions: { deny: 'Bash(rm:*)' } }],
    ['hooks', { ...good, hooks: [] }],
  ])('with a wrong type at %s (anthropics/claude-code#49834)', (key, broken) => {
    const session = testSession();
    save(session.userFile, good);
    const store = session.start();
    save(session.userFile, broken);
    expect(rulesOf(store.current())).toEqual(['deny Bash(rm:*)']);
    const told = session.events.flatMap((event) => (event.kind === 'rejected' ? event.problems : []));
    expect(told.map((problem) => problem.key)).toEqual([key]);
    expect(told.map(describeProblem)[0]).toMatch(/settings\.json:\d+:\d+: /);
  });
});

test('a hook whose matcher changed does not run for the old tool any more (anthropics/claude-code#22679)', async () => {
  const settings = (matcher: string) => ({
    permissions: { allow: ['Bash'] },
    hooks: { PreToolUse: [hook(matcher, 'echo ran >> "$CLAUDE_PROJECT_DIR/ran"')] },
  });
  const workspace = makeWorkspace({ settings: settings('Bash') });
  const { records, results } = await play([bash('cat ran'), bash('cat ran'), [text('ok')]], {
    workspace,
    onEvent: ({ kind }) => {
      if (kind === 'tool_result')
        writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(settings('Edit')));
    },
  });
  expect(results.map((result) => result.text.trim())).toEqual(['ran', 'ran']);
  const changed = records.find(({ kind }) => kind === 'settings_changed');
  expect(changed).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('a hook that is added to another file stops none, and taken back leaves exactly the old ones (anthropics/claude-code#64699)', () => {
  const session = testSession();
  const forty = Array.from({ length: 40 }, (_, index) => hook('Bash', `./hook-${index}`));
  save(session.userFile, { hooks: { PreToolUse: forty } });
  save(session.localFile, {});
  const store = session.start({ trustProject: true });
  const old = hooksOf(store.current());
  expect(old).toHaveLength(40);
  save(session.localFile, hooked('./one-more'));
  expect(hooksOf(store.current())).toEqual([...old, 'PreToolUse ./one-more (local)']);
  save(session.localFile, {});
  expect(hooksOf(store.current())).toEqual(old);
});

test('each of several files that are moved over the old one is seen (paulmillr/chokidar#601)', () => {
  const session = testSession();
  save(session.userFile, {});
  const store = session.start();
  for (let version = 1; version <= 5; version++) {
    save(`${session.userFile}.tmp`, { permissions: { deny: [`Bash(v${version})`] } });
    renameSync(`${session.userFile}.tmp`, session.userFile);
    expect(rulesOf(store.current())).toEqual([`deny Bash(v${version})`]);
  }
});

test('a second save by backup and rename is seen like the first (paulmillr/chokidar#742)', () => {
  const session = testSession();
  save(session.userFile, {});
  const store = session.start();
  for (const version of ['first', 'second']) {
    renameSync(session.userFile, `${session.userFile}~`);
    save(session.userFile, { permissions: { deny: [`Bash(${version})`] } });
    expect(rulesOf(store.current())).toEqual([`deny Bash(${version})`]);
  }
});

test('few file descriptors keep no run from starting, nor its rules from biting (anthropics/claude-code#11136)', async () => {
  const workspace = makeWorkspace({
    settings: { permissions: { deny: ['Read(secret)'] } },
    files: { secret: 'x' },
  });
  const script = modelScript(workspace, [[toolUse('Read', { file_path: 'secret' })], [text('ok')]]);
  const command = `ulimit -n 64; exec '${process.execPath}' '${HOOKD}' run go --json --model-script '${script}'`;
  const child = spawn('bash', ['-c', command], { cwd: workspace.project, env: workspace.env });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
  });
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ permission_denials: [{ tool_name: 'Read' }] });
});

test('a project with a hook of its own takes none of the user’s away (woojubb/robota#2279)', () => {
  const session = testSession();
  save(session.userFile, hooked('./guard'));
  save(session.projectFile, { hooks: { PostToolUse: [hook('Bash', './after')], PreToolUse: [] } });
  save(session.localFile, hooked('./guard'));
  expect(hooksOf(session.start({ trustProject: true }).current())).toEqual([
    'PreToolUse ./guard (user)',
    'PreToolUse ./guard (local)',
    'PostToolUse ./after (project)',
  ]);
});

test('rules that were approved for good are loaded at the next start (even-realities/everything-evenhub#39)', async () => {
  const workspace = makeWorkspace();
  const remembered = rememberedFile(workspace.home, workspace.project);
  save(remembered, { permissions: { allow: ['Bash(touch made)'] } });
  const { results, records } = await play([bash('touch made'), bash('touch other'), [text('ok')]], {
    workspace,
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'denied']);
  const loaded = records.find(({ kind }) => kind === 'settings_loaded');
  expect(loaded?.['sources']).toEqual([expect.objectContaining({ path: remembered, scope: 'user' })]);
});
