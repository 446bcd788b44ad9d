/** Faults that the loops of other agents have had, by the public thread that reported each, and what happens here. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/protocol.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { auditRecords, makeWorkspace, until } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';
import { requestFault } from '../support/messages-api-rules.ts';

const ALLOWED = { settings: { permissions: { allow: ['Bash', 'Write'] } } };
const bash = (command: string, id: string) => toolUse('Bash', { command }, id);

const faultOf = (messages: readonly unknown[]) => requestFault({ model: 'm', max_tokens: 1, messages });

/** Interrupts the first prompt once its second call runs, then sends another. */
async function interruptAndGoOn(turns: readonly ScriptedTurn[]) {
  const workspace = makeWorkspace(ALLOWED);
  const daemon = await Daemon.open({ env: workspace.env });
  const results: { id: string; outcome: string }[] = [];
  const session = await daemon.startSession({
    startDirectory: workspace.project,
    flags: {},
    approvals: nobody,
    model: { model: createScriptedModel(turns), name: 'scripted' },
    onEvent: (event: SessionEvent) => {
      if (event.kind === 'tool_result') results.push({ id: event.use.id, outcome: event.result.outcome });
    },
  });
  const turn = new AbortController();
  const first = session.prompt('three at once', turn.signal);
  await until(() => existsSync(join(workspace.project, 'begun')), 'the second command');
  turn.abort();
  const interrupted = await first;
  const completed = await session.prompt('go on', new AbortController().signal);
  const messages = session.transcript.messages();
  await daemon.close('test');
  return { workspace, interrupted, completed, messages, results, records: auditRecords(workspace) };
}

const THREE = [
  bash('true', 'toolu_1'),
  bash('touch begun; sleep 60; touch late', 'toolu_2'),
  bash('touch third', 'toolu_3'),
];

describe('an interrupt while the second of three calls runs', () => {
  it('leaves a result for each, and the next request is valid (anthropics/claude-code#1956)', async () => {
    const { interrupted, completed, messages, results } = await interruptAndGoOn([THREE, [text('ok')]]);
    expect([interrupted.reason, completed.reason]).toEqual(['interrupted', 'completed']);
    expect(results).toEqual([
      { id: 'toolu_1', outcome: 'ok' },
      { id: 'toolu_2', outcome: 'interrupted' },
      { id: 'toolu_3', outcome: 'not_run' },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user', 'assistant']);
    expect(faultOf(messages.slice(0, -1))).toBeUndefined();
  });

  it('has no late result afterwards: each id is answered once (anthropics/claude-code#6340)', async () => {
    const { messages, records, workspace } = await interruptAndGoOn([
      THREE,
      [bash('true', 'toolu_4')],
      [text('ok')],
    ]);
    const answered = records
      .filter(({ kind }) => kind === 'tool_result')
      .map((record) => record['tool_use_id']);
    expect(answered).toEqual(['toolu_1', 'toolu_2', 'toolu_3', 'toolu_4']);
    expect(faultOf(messages.slice(0, -1))).toBeUndefined();
    expect(existsSync(join(workspace.project, 'late'))).toBe(false);
  });
});

it('three calls have three results, also when the mode changes in the middle, fifty times (anthropics/claude-code#45286)', async () => {
  const workspace = makeWorkspace(ALLOWED);
  const file = join(workspace.home, 'settings.json');
  let saved = 0;
  const rounds = Array.from({ length: 50 }, (_, n) =>
    [1, 2, 3].map((m) => toolUse('Glob', { pattern: '*' }, `u${n}_${m}`)),
  );
  const { messages, end, records } = await play([...rounds, [text('ok')]], {
    workspace,
    limits: { maxTurns: 60 },
    onEvent: (event) => {
      if (event.kind !== 'tool_result' || !event.use.id.endsWith('_2')) return;
      const defaultMode = saved % 2 === 0 ? 'plan' : 'acceptEdits';
      writeFileSync(file, JSON.stringify({ permissions: { defaultMode } }));
      saved += 1;
    },
  });
  expect([end.reason, saved]).toEqual(['completed', 50]);
  expect(records.filter(({ kind }) => kind === 'settings_changed').length).toBeGreaterThan(40);
  const answers = messages.filter(({ role, content }) => role === 'user' && Array.isArray(content));
  expect(answers.map(({ content }) => content.length)).toEqual(Array(50).fill(3));
  expect(faultOf(messages.slice(0, -1))).toBeUndefined();
});

describe('a call that was cut at the token limit', () => {
  it('does not run, fires no hook, and its input may look whole (Ultimate-Multisite/superdav-ai-agent#1388)', async () => {
    const workspace = makeWorkspace({
      settings: {
        permissions: { allow: ['Write', 'Bash'] },
        hooks: {
          PreToolUse: [{ hooks: [{ type: 'command', command: 'touch "$HOOKD_PROJECT_DIR/hooked"' }] }],
        },
      },
    });
    const whole = toolUse('Write', { file_path: 'half.txt', content: 'the first ha' }, 'toolu_1');
    const half = { ...toolUse('Write', {}, 'toolu_2'), input: '{"file_path":"x","content":"the fi' as never };
    const { results, messages, end } = await play(
      [{ content: [whole, half], stop_reason: 'max_tokens' }, [text('smaller then')]],
      { workspace },
    );
    expect(end.reason).toBe('completed');
    expect(results).toEqual(
      Array(2).fill({
        outcome: 'not_run',
        text: expect.stringMatching(/cut at its token limit.*Send smaller/),
      }),
    );
    expect(['half.txt', 'hooked'].map((name) => existsSync(join(workspace.project, name)))).toEqual([
      false,
      false,
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('ends the turn when the model sends it for the third time (mattmezza/humux#77)', async () => {
    const again = {
      content: [toolUse('Write', { file_path: 'f', content: 'x' })],
      stop_reason: 'max_tokens',
    };
    const { end, results } = await play(Array(10).fill(again), ALLOWED);
    expect(end).toMatchObject({
      reason: 'error',
      requests: 3,
      detail: expect.stringContaining('token limit'),
    });
    expect(results).toHaveLength(3);
  });
});
