/** Which records each way through the data path leaves: the whole list of kinds, so that nothing goes missing unseen. */
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../src/tools/tool.ts';
import { kindsOf } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const BEFORE = [
  'daemon_started',
  'settings_loaded',
  'session_started',
  'prompt',
  'model_request',
  'model_response',
];
const AFTER = ['model_request', 'model_response', 'turn_ended', 'session_ended', 'daemon_stopped'];

const exploding = defineTool({
  name: 'Explode',
  description: 'Throws.',
  inputSchema: Type.Object({}),
  readOnly: true,
  specifiers: () => ({ kind: 'none' }),
  run: async () => {
    throw new Error('boom');
  },
});

describe('the records of a call', () => {
  it('that a rule allows', async () => {
    const { records, results } = await play([[toolUse('Read', { file_path: 'a.txt' })], [text('ok')]], {
      files: { 'a.txt': 'hi\n' },
    });
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'permission',
      'tool_started',
      'tool_result',
      ...AFTER,
    ]);
    expect(results).toEqual([{ outcome: 'ok', text: expect.stringContaining('hi') }]);
  });

  it('that starts a child process', async () => {
    const { records } = await play([[toolUse('Bash', { command: 'ls' })], [text('ok')]]);
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'permission',
      'tool_started',
      'process_started',
      'tool_result',
      ...AFTER,
    ]);
  });

  it('that a rule denies', async () => {
    const { records, results, workspace } = await play(
      [[toolUse('Bash', { command: 'touch x' })], [text('ok')]],
      {
        settings: { permissions: { deny: ['Bash(touch:*)'] } },
      },
    );
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'permission',
      'tool_result',
      ...AFTER,
    ]);
    expect(results[0]?.outcome).toBe('denied');
    const permission = records.find(({ kind }) => kind === 'permission');
    expect(permission).toMatchObject({
      decision: 'deny',
      cause: {
        kind: 'rule',
        rule: { text: 'Bash(touch:*)', list: 'deny', file: `${workspace.home}/settings.json`, line: 4 },
      },
    });
  });

  it('that asks where nobody is there', async () => {
    const { records, results } = await play([[toolUse('Bash', { command: 'touch x' })], [text('ok')]]);
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'approval_requested',
      'approval_resolved',
      'permission',
      'tool_result',
      ...AFTER,
    ]);
    expect(results[0]?.outcome).toBe('denied');
    expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
      decision: 'deny',
      cause: { kind: 'unanswered' },
    });
  });

  it('that a person refuses, with their reason', async () => {
    const { records, results } = await play([[toolUse('Bash', { command: 'touch x' })], [text('ok')]], {
      approvals: { ask: async () => ({ answer: 'deny', client: 'test', reason: 'not today' }) },
    });
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'approval_requested',
      'approval_resolved',
      'permission',
      'tool_result',
      ...AFTER,
    ]);
    expect(results[0]).toMatchObject({ outcome: 'denied', text: expect.stringContaining('not today') });
    expect(records.find(({ kind }) => kind === 'approval_resolved')).toMatchObject({
      answer: 'deny',
      client: 'test',
    });
  });

  it('that a person allows', async () => {
    const { records, results } = await play([[toolUse('Bash', { command: 'touch x' })], [text('ok')]], {
      approvals: { ask: async () => ({ answer: 'allow', client: 'test' }) },
    });
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'approval_requested',
      'approval_resolved',
      'permission',
      'tool_started',
      'process_started',
      'tool_result',
      ...AFTER,
    ]);
    expect(results[0]?.outcome).toBe('ok');
    expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
      decision: 'allow',
      cause: { kind: 'human', client: 'test' },
    });
  });

  it('whose tool throws', async () => {
    const { records, results } = await play([[toolUse('Explode', {})], [text('ok')]], {
      moreTools: [exploding],
    });
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_call',
      'hooked_call',
      'permission',
      'tool_started',
      'tool_result',
      ...AFTER,
    ]);
    expect(results).toEqual([{ outcome: 'failed', text: 'Explode failed unexpectedly: boom' }]);
  });

  it('for a tool that does not exist, and for an input that does not fit', async () => {
    const { records, results } = await play([
      [toolUse('Teleport', {}), toolUse('Read', { file: 1 })],
      [text('ok')],
    ]);
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_use',
      'tool_result',
      'tool_result',
      ...AFTER,
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['unknown_tool', 'invalid_input']);
    expect(results[0]?.text).toContain('Bash, Read, Write, Edit, Glob');
    expect(results[1]?.text).toContain('file_path');
  });

  it('that an interrupt reaches while it runs: later calls of the response never run, each use has its result', async () => {
    const interrupt = new AbortController();
    const slow = defineTool({
      name: 'Slow',
      description: 'Runs until it is interrupted.',
      inputSchema: Type.Object({}),
      readOnly: true,
      specifiers: () => ({ kind: 'none' }),
      run: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ ok: false, text: 'stopped' }));
          interrupt.abort(new Error('test'));
        }),
    });
    const { records, results, end, messages } = await play(
      [[toolUse('Slow', {}), toolUse('Bash', { command: 'touch late' })], [text('never asked')]],
      { moreTools: [slow], signal: interrupt.signal },
    );
    expect(kindsOf(records)).toEqual([
      ...BEFORE,
      'tool_use',
      'tool_use',
      'tool_call',
      'hooked_call',
      'permission',
      'tool_started',
      'tool_result',
      'tool_result',
      'turn_ended',
      'session_ended',
      'daemon_stopped',
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['interrupted', 'not_run']);
    expect(end.reason).toBe('interrupted');
    expect(messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result' }, { type: 'tool_result' }],
    });
  });
});

it('a record names the settings in force by their digest', async () => {
  const { records } = await play([[toolUse('Read', { file_path: 'a.txt' })], [text('ok')]]);
  const index = records.findIndex(({ kind }) => kind === 'settings_loaded');
  const [loaded] = records.slice(index);
  const after = records.slice(index);
  const ofSession = after.filter(({ session }) => session !== undefined);
  expect(ofSession.length).toBeGreaterThan(8);
  expect(new Set(ofSession.map(({ policy }) => policy))).toEqual(new Set([loaded?.['digest']]));
});
