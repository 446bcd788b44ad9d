/** What the network does to a turn: each try on record, no tool twice, an end in any case. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/protocol.ts';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';
import { messageOf, streamOf } from '../support/message-events.ts';
import { type ScriptedAnswer, startMessagesApi } from '../support/messages-api.ts';

const AT_ONCE = { 'retry-after-ms': '0' };
const ALLOW = { settings: { permissions: { allow: ['Bash'] } } };

function failing(status: number, headers: Record<string, string> = AT_ONCE): ScriptedAnswer {
  const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'busy' } });
  return { status, headers: { 'content-type': 'application/json', ...headers }, chunks: [body] };
}

/** A stream that ends in the middle of a tool use. */
function broken(end: 'close' | 'reset'): ScriptedAnswer {
  const events = streamOf(messageOf([toolUse('Bash', { command: 'echo x >> ran' }, 'u0')], 'm'));
  return { chunks: events.slice(0, Math.ceil(events.length / 2)), end };
}

async function playAgainst(answers: readonly ScriptedAnswer[], settings: object = {}) {
  const api = await startMessagesApi(answers);
  const events: SessionEvent[] = [];
  const workspace = makeWorkspace({ settings: { ...ALLOW.settings, ...settings } });
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: api.url });
  try {
    const played = await play([], {
      workspace,
      model: { model, name: 'm' },
      limits: { firstRetryMs: 1 },
      onEvent: (event) => events.push(event),
    });
    const failures = played.records.filter(({ kind }) => kind === 'model_failed');
    const ran = join(workspace.project, 'ran');
    return {
      ...played,
      events,
      failures,
      requests: api.requests.length,
      ran: existsSync(ran) ? readFileSync(ran, 'utf8') : '',
    };
  } finally {
    await api.close();
  }
}

it('goes on after failures that pass, with every request and every failure on record', async () => {
  const call = [toolUse('Bash', { command: 'echo x >> ran' }, 'u1')];
  const played = await playAgainst([failing(529), failing(503), call, failing(429), [text('done')]]);
  expect(played.end).toMatchObject({ reason: 'completed', requests: 2 });
  expect(played.failures.map((record) => record['retry_in_ms'])).toEqual([0, 0, 0]);
  expect(played.records.filter(({ kind }) => kind === 'model_request')).toHaveLength(5);
  expect(played.requests).toBe(5);
  expect(played.ran).toBe('x\n');
  const told = played.events.filter((event) => event.kind === 'retry');
  expect(told.map(({ tries, of }) => [tries, of])).toEqual([
    [1, 4],
    [2, 4],
    [1, 4],
  ]);
});

it('gives up after maxRetries with the words of the last failure', async () => {
  const played = await playAgainst([failing(529), failing(529), failing(503), [text('never')]], {
    maxRetries: 2,
  });
  expect(played.end).toMatchObject({ reason: 'error', detail: expect.stringContaining('503') });
  expect(played.failures.map((record) => record['retry_in_ms'])).toEqual([0, 0, undefined]);
  expect(played.requests).toBe(3);
});

it.each([
  ['maxRetries 0', failing(529), { maxRetries: 0 }],
  ['a bad key', failing(401), {}],
  ['an endpoint that asks for an hour', failing(429, { 'retry-after': '3600' }), {}],
])('asks once with %s', async (_name, answer, settings) => {
  const played = await playAgainst([answer, [text('never')]], settings);
  expect(played.end.reason).toBe('error');
  expect(played.requests).toBe(1);
});

it.each(['close', 'reset'] as const)(
  'runs nothing of a stream that breaks off in a tool use (%s), and asks again',
  async (end) => {
    const played = await playAgainst([
      broken(end),
      [toolUse('Bash', { command: 'echo x >> ran' }, 'u1')],
      [text('done')],
    ]);
    expect(played.end.reason).toBe('completed');
    expect(played.results.map(({ outcome }) => outcome)).toEqual(['ok']);
    expect(played.ran).toBe('x\n');
    expect(played.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  },
);

it('maxSessionTokens ends a turn before the next request leaves', async () => {
  const call = (id: string) => [toolUse('Bash', { command: 'echo x >> ran' }, id)];
  const played = await playAgainst([call('u1'), call('u2'), call('u3')], { maxSessionTokens: 30 });
  expect(played.end).toMatchObject({
    reason: 'error',
    detail: expect.stringContaining('30 tokens of its 30'),
  });
  expect(played.requests).toBe(2);
  expect(played.ran).toBe('x\nx\n');
});

it('an interrupt ends the pause before the next try', async () => {
  const interrupt = new AbortController();
  const api = await startMessagesApi([failing(529, { 'retry-after': '100' })]);
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: api.url });
  try {
    const { end } = await play([], {
      model: { model, name: 'm' },
      signal: interrupt.signal,
      onEvent: (event) => {
        if (event.kind === 'retry') interrupt.abort();
      },
    });
    expect(end.reason).toBe('interrupted');
    expect(api.requests).toHaveLength(1);
  } finally {
    await api.close();
  }
});
