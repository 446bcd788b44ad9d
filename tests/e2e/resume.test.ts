/** kill -9 of the built hookd, and what the next one makes of the session it left. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/audit/chain.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { auditRecords, hookd, makeWorkspace, startHookd, until, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { type MessagesApi, type ScriptedAnswer, startMessagesApi } from '../support/messages-api.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

let api: MessagesApi | undefined;
let workspace: Workspace | undefined;

afterEach(async () => {
  await api?.close();
  if (workspace !== undefined) rmSync(workspace.root, { recursive: true, force: true });
});

async function serve(turns: readonly ScriptedAnswer[], permissions: object): Promise<Workspace> {
  api = await startMessagesApi(turns);
  workspace = makeWorkspace({
    settings: { permissions },
    env: { ANTHROPIC_API_KEY: 'sk-test-not-a-key', ANTHROPIC_BASE_URL: api.url, MODEL_ID: 'test-model' },
  });
  return workspace;
}

function records(kind: string): readonly StoredRecord[] {
  if (workspace === undefined || !existsSync(join(workspace.home, 'audit'))) return [];
  return auditRecords(workspace).filter((record) => record.kind === kind);
}

function lastMessages(): readonly unknown[] {
  const body = api?.requests.at(-1)?.body as { messages: readonly unknown[] } | undefined;
  return body?.messages ?? [];
}

it('killed while a command runs: the resumed session tells the model that its outcome is unknown, and repeats nothing', async () => {
  const { home, project, env, root } = await serve(
    [[toolUse('Bash', { command: 'touch began; exec sleep 300' }, 'u1')], [text('I check first')]],
    { allow: ['Bash'] },
  );
  const { child, finished } = startHookd({ home, project, env, root }, ['-p', 'go']);
  const isAtWork = () => existsSync(join(project, 'began')) && records('process_started').length === 1;
  await until(isAtWork, 'the command');
  child.kill('SIGKILL');
  await finished;
  rmSync(join(project, 'began'));

  const { code, stdout, stderr } = await hookd({ home, project, env, root }, [
    '-p',
    '--continue',
    'and now?',
  ]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'I check first\n', stderr: '' });
  expect(lastMessages()).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'u1' }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'u1',
          is_error: true,
          content: expect.stringMatching(/^Outcome unknown: hookd was ended while this call ran/),
        },
      ],
    },
    { role: 'user', content: expect.anything() },
  ]);
  expect(JSON.stringify(lastMessages().at(-1))).toContain('and now?');
  expect(existsSync(join(project, 'began'))).toBe(false);
  const [started, again] = records('session_started');
  expect(again?.session).toBe(started?.session);
  expect(records('outcome_unknown')).toMatchObject([{ tool_use_id: 'u1', of_session: started?.session }]);
  expect(records('leftover_process')).toMatchObject(
    ['found', 'ended'].map((state) => ({ state, tool_use_id: 'u1', of_session: started?.session })),
  );
  const story = await hookd({ home, project, env, root }, ['audit', 'show', 'u1']);
  expect(story.stdout).toMatch(/UNKNOWN .*left over .*: found.*left over .*: ended.*result +unknown/s);
  expect(verifyAll(join(home, 'audit')).map(({ problem }) => problem)).toEqual([undefined, undefined]);
  expect(readdirSync(join(home, 'sessions'))).toEqual([started?.session]);
});

it.skipIf(!hasTerminal)(
  'killed while a question waits: it is put again, under its id, and nothing has run',
  async () => {
    const place = await serve(
      [[toolUse('Bash', { command: 'touch ran' }, 'u1')], [text('as you like')], [text('bye')]],
      { ask: ['Bash'] },
    );
    const terminal = openTerminal(place, ['go']);
    await until(() => records('approval_requested').length === 1, 'the question');
    const of = records('daemon_started')[0]?.['process'] as { pid: number } | undefined;
    process.kill(of?.pid ?? Number.NaN, 'SIGKILL');
    await terminal.exitCode;

    const [asked] = records('approval_requested');
    // Nobody can be asked here: the question is a denial, and the turn goes on; then comes the prompt.
    const { code } = await hookd(place, ['-p', '--resume', String(asked?.session).slice(0, 8), 'and now?']);
    expect(code).toBe(0);
    expect(records('approval_requested').map(({ approval, tool_use_id }) => [approval, tool_use_id])).toEqual(
      [
        [asked?.['approval'], 'u1'],
        [asked?.['approval'], 'u1'],
      ],
    );
    expect(existsSync(join(place.project, 'ran'))).toBe(false);
    expect(lastMessages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      {
        role: 'user',
        content: [
          {
            tool_use_id: 'u1',
            is_error: true,
            content: expect.stringMatching(/needs the approval of a person/),
          },
        ],
      },
      { role: 'assistant' },
      { role: 'user' },
    ]);
  },
);
