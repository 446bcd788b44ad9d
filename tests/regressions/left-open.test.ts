/** Descriptors, processes and files that other daemons left open or behind, by the public thread that reported each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDescriptors, ownZombies, runningInGroup } from '../lib/children.ts';
import { save, testSession } from '../settings/session.ts';
import { auditRecords, makeWorkspace, modelScript, startHookd, until } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

it('three hundred saved settings leave no descriptor open (anthropics/claude-code#21701)', () => {
  const session = testSession();
  save(session.userFile, {});
  const store = session.start();
  const before = openDescriptors();
  for (let n = 0; n < 300; n++) {
    save(session.userFile, { permissions: { deny: [`Bash(rm ${n})`] } });
    store.current();
  }
  expect(session.events.filter(({ kind }) => kind === 'changed')).toHaveLength(300);
  expect(openDescriptors() - before).toBeLessThanOrEqual(2);
});

it('sessions and their hooks leave no descriptor and no dead child (openai/codex#26984)', async () => {
  const quiet = [{ hooks: [1, 2].map((n) => ({ type: 'command', command: `true ${n}` })) }];
  const workspace = makeWorkspace({
    settings: {
      permissions: { allow: ['Bash(true)'] },
      hooks: { SessionStart: quiet, PreToolUse: quiet, PostToolUse: quiet, Stop: quiet, SessionEnd: quiet },
    },
  });
  const once = () => play([[toolUse('Bash', { command: 'true' })], [text('ok')]], { workspace });
  // FIFOs are made in batches and kept ready: the first session is no measure.
  await once();
  const before = openDescriptors();
  for (let n = 0; n < 8; n++) await once();
  const runs = auditRecords(workspace).filter(({ kind }) => kind === 'hook_run');
  expect(runs).toHaveLength(9 * 10);
  // Two FIFOs, of two ends each, were taken from the batch for every hook, one for every command; a new batch may be there.
  expect(openDescriptors() - before).toBeLessThanOrEqual(2 * 64);
  expect(ownZombies()).toEqual([]);
});

it('hookd ends no sooner than a child that ignores the request to end (memrynote/memry#1186)', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] } } });
  const command = `trap '' TERM; echo $$ > pid; while :; do sleep 100; done`;
  const script = modelScript(workspace, [[toolUse('Bash', { command })], [text('never')]]);
  const { child, finished } = startHookd(workspace, ['run', 'x', '--model-script', script]);
  const pid = () => {
    try {
      return Number(readFileSync(join(workspace.project, 'pid'), 'utf8'));
    } catch {
      return 0;
    }
  };
  await until(() => pid() > 0, 'the command');
  child.kill('SIGTERM');
  const { code } = await finished;
  expect(runningInGroup(pid())).toEqual([]);
  expect(code).toBe(130);
  const kinds = auditRecords(workspace).map(({ kind }) => kind);
  expect(kinds.slice(-3)).toEqual(['turn_ended', 'session_ended', 'daemon_stopped']);
});

it('a helper that a hook leaves running is on record (aaif-goose/goose#2205)', async () => {
  const workspace = makeWorkspace();
  const pidFile = join(workspace.root, 'pid');
  const command = `sleep 100 & echo $! > ${pidFile}`;
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] };
  writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ hooks }));
  const { records } = await play([[text('ok')]], { workspace });
  process.kill(Number(readFileSync(pidFile, 'utf8')));
  expect(records.find(({ kind }) => kind === 'hook_run')).toMatchObject({ survivors: 1 });
});
