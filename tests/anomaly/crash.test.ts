/** kill -9 between intent and outcome: the log stays sound, and the next start says what nobody can know. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verifyAll } from '../../src/audit/verify.ts';
import { liveMembers } from '../../src/lib/process-group.ts';
import {
  auditRecords,
  hookd,
  kindsOf,
  makeWorkspace,
  modelScript,
  startHookd,
  until,
} from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

it('a call that was running when hookd was killed is closed as unknown by the next start, once', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] } } });
  const slow = modelScript(
    workspace,
    [[toolUse('Bash', { command: 'echo a' }), toolUse('Bash', { command: 'sleep 300' })]],
    'slow.json',
  );
  const { child, finished } = startHookd(workspace, ['-p', 'go', '--model-script', slow]);
  const started = () =>
    (existsSync(join(workspace.home, 'audit')) ? auditRecords(workspace) : []).filter(
      ({ kind }) => kind === 'process_started',
    );
  await until(() => started().length === 2, 'the second command');
  child.kill('SIGKILL');
  await finished;
  const left = started().at(-1)?.['process'] as { processGroup: number };
  expect(liveMembers(left.processGroup)).toBe(1);

  const [killed] = verifyAll(join(workspace.home, 'audit'));
  expect(killed).toMatchObject({ problem: undefined, notes: [] });

  const quick = modelScript(workspace, [[text('ok')]], 'quick.json');
  await hookd(workspace, ['-p', 'again', '--model-script', quick]);
  // What the killed one left running is ended, and on record before and after.
  expect(liveMembers(left.processGroup)).toBe(0);
  const leftovers = auditRecords(workspace).filter(({ kind }) => kind === 'leftover_process');
  expect(leftovers.map(({ state, process, of_writer }) => ({ state, process, of_writer }))).toEqual(
    ['found', 'ended'].map((state) => ({ state, process: left, of_writer: killed?.writer })),
  );
  await hookd(workspace, ['-p', 'and again', '--model-script', quick]);
  const records = auditRecords(workspace);
  const intents = records.filter(({ kind }) => kind === 'permission');
  expect(records.filter(({ kind }) => kind === 'outcome_unknown')).toEqual([
    expect.objectContaining({
      tool: 'Bash',
      of_writer: killed?.writer,
      of_session: intents[1]?.session,
      tool_use_id: intents[1]?.tool_use_id,
      intent: intents[1]?.hash,
    }),
  ]);
  expect(verifyAll(join(workspace.home, 'audit')).map(({ problem }) => problem)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('a hookd that is still running is not taken for a dead one', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] } } });
  const slow = modelScript(workspace, [[toolUse('Bash', { command: 'sleep 300' })]], 'slow.json');
  const { child, finished } = startHookd(workspace, ['-p', 'go', '--model-script', slow]);
  const records = () => (existsSync(join(workspace.home, 'audit')) ? auditRecords(workspace) : []);
  await until(() => kindsOf(records()).includes('process_started'), 'the command');
  await hookd(workspace, [
    '-p',
    'beside',
    '--model-script',
    modelScript(workspace, [[text('ok')]], 'quick.json'),
  ]);
  expect(kindsOf(records())).not.toContain('outcome_unknown');
  child.kill('SIGINT');
  expect((await finished).code).toBe(130);
});
