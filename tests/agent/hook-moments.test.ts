/** When hooks are told, on the ways that a turn rarely takes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { HookdError } from '../../src/core/errors.ts';
import { type Conversation, converse } from '../support/conversation.ts';
import { auditRecords, kindsOf, makeWorkspace, until, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const command = (script: string, more: object = {}) => ({ type: 'command', command: script, ...more });

function withHooks(hooks: Record<string, readonly object[]>, settings: object = {}): Workspace {
  const groups = Object.entries(hooks).map(([event, entries]) => [event, [{ hooks: entries }]]);
  return makeWorkspace({ settings: { ...settings, hooks: Object.fromEntries(groups) } });
}

const CUT = { content: [toolUse('Bash', { command: 'true' })], stop_reason: 'max_tokens' };

let open: Conversation | undefined;
afterEach(async () => {
  await open?.end();
  open = undefined;
});

describe('what hooks say to the model', () => {
  it('at the start of a session comes with the first prompt that is not refused', async () => {
    const workspace = withHooks({
      SessionStart: [command('echo from the start')],
      UserPromptSubmit: [command('if grep -q bad; then echo no >&2; exit 2; fi; echo from the prompt')],
    });
    open = await converse(() => ({ content: [text('ok')] }), { workspace });
    expect(await open.prompt('bad')).toMatchObject({ reason: 'prompt_refused' });
    expect(await open.prompt('good')).toMatchObject({ reason: 'completed' });
    const [first] = open.requests;
    expect(JSON.stringify(first?.messages)).toMatch(/good.*from the start.*from the prompt/s);
    await open.prompt('good again');
    expect(JSON.stringify(open.requests[1]?.messages).match(/from the start/g)).toHaveLength(1);
  });

  it('from an async hook comes with the next request that is not held back', async () => {
    const workspace = withHooks({
      SessionStart: [command(`echo '{"systemMessage":"from behind"}'`, { async: true })],
      PreModelRequest: [command('if [ ! -e ../once ]; then touch ../once; exit 2; fi')],
    });
    open = await converse(() => ({ content: [text('ok')] }), { workspace });
    const { prompt, requests } = open;
    await until(() => kindsOf(auditRecords(workspace)).includes('hook_run'), 'the async hook');
    expect(await prompt('first')).toMatchObject({ reason: 'hook_stopped' });
    expect(await prompt('second')).toMatchObject({ reason: 'completed' });
    expect(JSON.stringify(requests[0]?.messages)).toContain('from behind');
  });
});

describe('StopFailure', () => {
  it.each([
    ['the model declines to answer', [{ content: [text('no')], stop_reason: 'refusal' }], {}],
    ['its calls can never run', Array.from({ length: 3 }, () => CUT), {}],
    [
      'the same call fails again and again',
      Array.from({ length: 3 }, () => [toolUse('Bash', { command: 'false' })]),
      { maxRepeatedFailures: 2 },
    ],
  ])('is told where %s, and Stop is not', async (_, turns, settings) => {
    const workspace = withHooks(
      { StopFailure: [command('cat > told')], Stop: [command('touch stopped')] },
      { permissions: { allow: ['Bash'] }, ...settings },
    );
    const { end } = await play(turns as Parameters<typeof play>[0], { workspace });
    expect(end.reason).toBe('error');
    expect(readdirSync(workspace.project)).toEqual(['told']);
    expect(JSON.parse(readFileSync(join(workspace.project, 'told'), 'utf8'))).toMatchObject({
      hook_event_name: 'StopFailure',
      error: 'unknown',
      last_assistant_message: end.detail,
    });
  });
});

describe('a hook that wants a person to decide', () => {
  it.each(['UserPromptSubmit', 'PreModelRequest'])(
    'on %s: Notification hooks are told, as for a call',
    async (event) => {
      const workspace = withHooks({
        [event]: [command('kill -9 $$')],
        Notification: [command('cat > ../notified')],
      });
      const approvals = { ask: async () => ({ answer: 'allow' as const, client: 'test' }) };
      const { end } = await play([[text('ok')]], { workspace, approvals });
      expect(end.reason).toBe('completed');
      const told = JSON.parse(readFileSync(join(workspace.root, 'notified'), 'utf8'));
      expect(told).toMatchObject({ notification_type: 'permission_prompt' });
    },
  );

  it.each(['UserPromptSubmit', 'PreModelRequest'])(
    'on %s in mode dontAsk: it is held back, and nobody is asked',
    async (event) => {
      const workspace = withHooks({ [event]: [command('kill -9 $$')] });
      let asked = 0;
      const ask = async () => {
        asked += 1;
        return { answer: 'allow' as const, client: 'test' };
      };
      const flags = { permissionMode: 'dontAsk' } as const;
      const { end } = await play([[text('ok')]], { workspace, approvals: { ask }, flags });
      expect(end).toMatchObject({ requests: 0, detail: expect.stringContaining('dontAsk') });
      expect(asked).toBe(0);
    },
  );
});

it('a turn that is interrupted while a person is asked about its prompt ends as interrupted, not as refused', async () => {
  const workspace = withHooks({ UserPromptSubmit: [command('kill -9 $$')] });
  const turn = new AbortController();
  const ask = async () => {
    turn.abort(new Error('interrupted by test'));
    return { answer: 'unanswered' as const, why: 'the turn was interrupted' };
  };
  const { end, records } = await play([[text('ok')]], {
    ...{ workspace, approvals: { ask } },
    signal: turn.signal,
  });
  expect(end).toMatchObject({ reason: 'interrupted', detail: 'interrupted by test' });
  expect(kindsOf(records)).not.toContain('prompt_refused');
});

describe('a session that ends', () => {
  it('waits for hooks that are asked about its settings no longer than for those in the background', async () => {
    const hooks = { ConfigChange: [{ hooks: [command('sleep 62')] }] };
    const workspace = makeWorkspace({ settings: { hooks } });
    const later = JSON.stringify({ hooks, permissions: { allow: ['Read'] } });
    const turn = new AbortController();
    const { end, records } = await play([[text('ok')]], {
      workspace,
      signal: turn.signal,
      onEvent: ({ kind }) => {
        if (kind === 'response') writeFileSync(join(workspace.home, 'settings.json'), later);
        if (kind === 'hook_started') turn.abort();
      },
    });
    expect(end.reason).toBe('interrupted');
    expect(records.filter(({ kind }) => kind === 'hook_run')).toMatchObject([
      { hook: { event: 'ConfigChange' }, end: { kind: 'interrupted' } },
    ]);
  });

  it('ends its async hooks also where its end cannot be recorded', async () => {
    const workspace = withHooks({
      UserPromptSubmit: [command('sleep 63', { async: true })],
      SessionEnd: [command('true')],
    });
    const { record } = Trail.prototype;
    let isFull = false;
    const fault = vi.spyOn(Trail.prototype, 'record').mockImplementation(function (this: Trail, kind, value) {
      if (isFull && kind === 'hook_started') throw new HookdError('AUDIT_UNAVAILABLE', 'full');
      return record.call(this, kind, value) as never;
    });
    try {
      const played = play([[text('ok')]], {
        workspace,
        onEvent: ({ kind }) => {
          if (kind === 'response') isFull = true;
        },
      });
      await expect(played).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    } finally {
      fault.mockRestore();
    }
    expect(auditRecords(workspace).filter(({ kind }) => kind === 'hook_run')).toMatchObject([
      { hook: { event: 'UserPromptSubmit' }, end: { kind: 'interrupted' } },
    ]);
  });
});
