/** Turns that would go round in circles end, and say why. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const ALLOW = { settings: { permissions: { allow: ['Bash(touch *)', 'Bash(false)'] } } };
const touch = toolUse('Bash', { command: 'touch ran' });
const cut = (stop_reason: string): ScriptedTurn => ({ content: [touch], stop_reason });
const failing = [toolUse('Bash', { command: 'false' })];

async function playWithWarnings(turns: readonly ScriptedTurn[], settings: object = {}) {
  const warnings: string[] = [];
  const onEvent = (event: SessionEvent) => {
    if (event.kind === 'warning') warnings.push(event.text);
  };
  const played = await play(turns, { settings: { ...ALLOW.settings, ...settings }, onEvent });
  return { ...played, warnings };
}

describe('a response whose calls cannot run', () => {
  it.each(['max_tokens', 'model_context_window_exceeded', 'end_turn', 'something_new'])(
    'is told to the model, which has the word again (%s)',
    async (stopReason) => {
      const { end, results, messages, workspace } = await play([cut(stopReason), [text('ok')]], ALLOW);
      expect(end).toMatchObject({ reason: 'completed', requests: 2 });
      expect(results).toMatchObject([{ outcome: 'not_run', text: expect.stringMatching(/^Not run: /) }]);
      expect(existsSync(join(workspace.project, 'ran'))).toBe(false);
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    },
  );

  it('ends the turn the third time in a row', async () => {
    const turns = Array.from({ length: 9 }, () => cut('max_tokens'));
    const { end, results } = await play(turns, ALLOW);
    expect(end).toMatchObject({
      reason: 'error',
      requests: 3,
      detail: expect.stringContaining('cut at its token limit'),
    });
    expect(results).toHaveLength(3);
  });

  it('counts anew once a call ran', async () => {
    const two = [cut('max_tokens'), cut('max_tokens')];
    const { end } = await play([...two, [touch], ...two, [text('ok')]], ALLOW);
    expect(end).toMatchObject({ reason: 'completed', requests: 6 });
  });
});

describe('stop reasons', () => {
  it('tool_use without a call ends the turn', async () => {
    const { end } = await play([{ content: [text('hm')], stop_reason: 'tool_use' }, [text('never')]]);
    expect(end).toMatchObject({ reason: 'completed', requests: 1 });
  });

  it('pause_turn gives the model the word again, with what it said', async () => {
    const { end, messages } = await play([
      { content: [text('one')], stop_reason: 'pause_turn' },
      [text('two')],
    ]);
    expect(end).toMatchObject({ reason: 'completed', requests: 2 });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });

  it('refusal ends the turn as failed, and no call of it runs', async () => {
    const { end, results } = await play([cut('refusal'), [text('never')]], ALLOW);
    expect(end).toMatchObject({ reason: 'error', requests: 1, detail: expect.stringContaining('declined') });
    expect(results.map(({ outcome }) => outcome)).toEqual(['not_run']);
  });

  it.each([
    ['max_tokens', ['cut at 77 tokens']],
    ['model_context_window_exceeded', ['fills the context window']],
  ])('a text that ended with %s is shown with a warning', async (stop_reason, said) => {
    const turn = { content: [text('half a')], stop_reason };
    const { end, warnings } = await playWithWarnings([turn], { maxTokens: 77 });
    expect(end.reason).toBe('completed');
    expect(warnings).toEqual(said.map((words) => expect.stringContaining(words)));
  });

  it('an empty answer is said to the user', async () => {
    const { end, warnings } = await playWithWarnings([[]]);
    expect(end.reason).toBe('completed');
    expect(warnings).toEqual(['The model answered with nothing.']);
  });
});

describe('a call that fails again and again', () => {
  it('is named to the model half-way, and ends the turn at the limit', async () => {
    const turns = Array.from({ length: 9 }, () => failing);
    const { end, records } = await play(turns, { settings: { ...ALLOW.settings, maxRepeatedFailures: 4 } });
    expect(end).toMatchObject({
      reason: 'error',
      requests: 4,
      detail: expect.stringContaining('failed 4 times'),
    });
    const nudges = records.filter(({ kind }) => kind === 'context_added');
    expect(nudges.map((record) => record['text'])).toEqual([expect.stringContaining('failed 2 times')]);
  });

  it('may go on as long as something works in between', async () => {
    const turns = Array.from({ length: 9 }, () => [...failing, touch]);
    const { end } = await play(turns, { settings: { ...ALLOW.settings, maxRepeatedFailures: 2 } });
    expect(end.reason).toBe('completed');
  });

  it('is found among others that fail too', async () => {
    const other = [toolUse('Bash', { command: 'false;' })];
    const turns = Array.from({ length: 9 }, () => [failing, other]).flat();
    const { end } = await play(turns, { settings: { ...ALLOW.settings, maxRepeatedFailures: 3 } });
    expect(end).toMatchObject({ reason: 'error', requests: 5 });
  });
});
