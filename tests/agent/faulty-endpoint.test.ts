/**
 * An endpoint that fails in the middle of things: every session ends well or with a clear error, soon, and no call of the
 * model runs twice. The faults of one session are drawn from a seed, which the name of a failing test tells.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';
import { messageOf, streamOf } from '../support/message-events.ts';
import { type ScriptedAnswer, startMessagesApi } from '../support/messages-api.ts';
import { requestFault } from '../support/messages-api-rules.ts';
import { Random } from '../support/random.ts';

const CALLS = 4;

/** One line is written for each call that runs. */
const call = (number: number) => [toolUse('Bash', { command: `echo ${number} >> ran` }, `u${number}`)];
const eventsOf = (number: number) => streamOf(messageOf(call(number), 'm', number));

const error = (status: number, type = 'api_error'): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'retry-after-ms': '0' },
  chunks: [JSON.stringify({ type: 'error', error: { type, message: 'busy' } })],
});

/** What stands in the place of the answer that holds call `number`; `at` is from 0 to 1. */
const FAULTS: Readonly<Record<string, (number: number, at: number) => ScriptedAnswer>> = {
  'is overloaded': () => error(529, 'overloaded_error'),
  'has a fault': () => error(500),
  'is behind a proxy that fails': () => ({
    status: 502,
    headers: { 'content-type': 'text/html', 'retry-after-ms': '0' },
    chunks: ['<html>Bad gateway</html>'],
  }),
  'answers with a page': () => ({ headers: { 'content-type': 'text/html' }, chunks: ['<html></html>'] }),
  'answers with half of a JSON': () => ({
    headers: { 'content-type': 'application/json' },
    chunks: ['{"type": "message", "content": ['],
  }),
  'breaks off between events': (number, at) => ({ chunks: cutAt(eventsOf(number), at), end: 'reset' }),
  'ends between events': (number, at) => ({ chunks: cutAt(eventsOf(number), at) }),
  'breaks off in an event': (number, at) => {
    const whole = eventsOf(number).join('');
    return { chunks: [whole.slice(0, Math.floor(whole.length * at))], end: 'reset' };
  },
  'says an error in the stream': (number, at) => ({
    chunks: [
      ...cutAt(eventsOf(number), at),
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
    ],
  }),
  'sends an event twice': (number, at) => {
    const events = eventsOf(number);
    const index = Math.floor(events.length * at);
    return { chunks: [...events.slice(0, index + 1), ...events.slice(index)] };
  },
  'leaves an event out': (number, at) => {
    const events = eventsOf(number);
    return { chunks: events.toSpliced(Math.floor(events.length * at), 1) };
  },
  'sends half JSON in a delta': (number) => ({
    chunks: eventsOf(number).map((event) => event.replace(/"partial_json":"[^"]*/, '"partial_json":"{')),
  }),
  'says that a stream is a text': (number) => ({
    headers: { 'content-type': 'text/plain' },
    chunks: eventsOf(number),
  }),
  'says that a page is a stream': () => ({ chunks: ['<html>\n\n<p>data: none</p>\n\n</html>\n\n'] }),
  'takes its time': (number) => async () => {
    await delay(30);
    return { chunks: eventsOf(number) };
  },
  'falls silent in the middle': (number, at) => ({ chunks: cutAt(eventsOf(number), at), end: 'hang' }),
  'hangs up without a word': () => ({ chunks: [], end: 'reset' }),
};

function cutAt(events: readonly string[], at: number): readonly string[] {
  return events.slice(0, Math.floor(events.length * at));
}

async function playAgainst(answers: readonly ScriptedAnswer[]) {
  const api = await startMessagesApi(answers);
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] }, maxRetries: 2 } });
  const limits = { answerMs: 10_000, idleMs: 300 };
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: api.url, limits });
  try {
    const played = await play([], { workspace, model: { model, name: 'm' }, limits: { firstRetryMs: 1 } });
    const ran = join(workspace.project, 'ran');
    return { ...played, api, ran: existsSync(ran) ? readFileSync(ran, 'utf8').split('\n').slice(0, -1) : [] };
  } finally {
    await api.close();
  }
}

/** In any case: an end, calls that ran once and in order, and requests that the API takes. */
function expectSound({ end, ran, results, api }: Awaited<ReturnType<typeof playAgainst>>): void {
  expect(['completed', 'error']).toContain(end.reason);
  if (end.reason === 'error') expect(end.detail).toMatch(/\S/);
  expect(ran).toEqual([...new Set(ran)].sort((one, other) => Number(one) - Number(other)));
  expect(ran).toHaveLength(results.filter(({ outcome }) => outcome === 'ok').length);
  for (const { body } of api.requests) expect(requestFault(body)).toBeUndefined();
}

it.each(Object.keys(FAULTS))('an endpoint that %s once, wherever, ends no session badly', async (name) => {
  for (const at of [0, 0.3, 0.6, 0.95]) {
    const fault = FAULTS[name]?.(1, at) ?? [];
    expectSound(await playAgainst([fault, call(2), [text('done')]]));
  }
});

it('an endpoint that is overloaded for a while is asked until it answers, at most so often as settings say', async () => {
  const busy = Array.from({ length: 2 }, () => error(529, 'overloaded_error'));
  const patient = await playAgainst([...busy, call(1), ...busy, [text('done')]]);
  expectSound(patient);
  expect(patient.end).toMatchObject({ reason: 'completed', summary: { retries: 4, requests: 2 } });
  const impatient = await playAgainst([...busy, ...busy, call(1)]);
  expectSound(impatient);
  expect(impatient.end).toMatchObject({ reason: 'error', detail: expect.stringContaining('overloaded') });
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])('a session of faults drawn from seed %s', async (seed) => {
  const random = new Random(seed);
  const names = Object.keys(FAULTS);
  // A fault may leave the answer whole: no two answers hold the same call.
  const answers: ScriptedAnswer[] = [];
  for (let calls = 0; calls < CALLS; calls += 1) {
    while (random.chance(0.5)) {
      const name = names[random.below(names.length)] ?? '';
      answers.push(FAULTS[name]?.(answers.length, random.next()) ?? []);
    }
    answers.push(call(answers.length));
  }
  expectSound(await playAgainst([...answers, [text('done')]]));
});
