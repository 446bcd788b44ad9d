import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { event, messageOf, streamOf } from '../support/message-events.ts';
import { type MessagesApi, type ScriptedAnswer, startMessagesApi } from '../support/messages-api.ts';
import { answerOf, openRequests, type Requests } from './recorded-request.ts';

let requests: Requests;
let api: MessagesApi | undefined;

beforeEach(() => {
  requests = openRequests();
});
afterEach(async () => {
  await api?.close();
  api = undefined;
  await requests.remove();
});

async function start(turns: readonly ScriptedAnswer[], options: { stream?: boolean; idleMs?: number } = {}) {
  const started = await startMessagesApi(turns, { stream: options.stream ?? true });
  api = started;
  const limits = options.idleMs === undefined ? {} : { idleMs: options.idleMs };
  return { api: started, model: createAnthropicModel({ apiKey: 'sk-test', baseUrl: started.url, limits }) };
}

const CALL = [
  { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a', deep: { ü: ['€', '😀'] } } },
  { type: 'tool_use', id: 'toolu_2', name: 'Glob', input: {} },
] as const;

const CALL_RESPONSE = {
  id: 'msg_01',
  model: 'claude-test-1',
  content: [CALL[1], CALL[2], CALL[3]],
  stopReason: 'tool_use',
  usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
};

test('a streamed response gives its text as it forms, then the whole response without the thinking', async () => {
  const { model } = await start([CALL]);
  const { texts, response } = await answerOf(model, requests.record());
  expect(texts).toEqual(['Let me', ' look.']);
  expect(response).toEqual(CALL_RESPONSE);
});

test('an endpoint that answers plain JSON to a streamed request gives the same response', async () => {
  const { model } = await start([CALL], { stream: false });
  const { texts, response } = await answerOf(model, requests.record());
  expect(texts).toEqual(['Let me look.']);
  expect(response).toEqual(CALL_RESPONSE);
});

test('what is made ahead of time leaves with the response that is asked for, once, and not before', async () => {
  const { api, model } = await start([CALL, CALL]);
  const prepared = requests.record();
  model.prepare?.(prepared);
  model.prepare?.(prepared);
  await answerOf(model, requests.record());
  await answerOf(model, prepared);
  expect(api.requests).toHaveLength(2);
  expect(api.requests[0]?.body).toEqual(api.requests[1]?.body);
  const forged = { ...prepared } as unknown as typeof prepared;
  expect(() => model.prepare?.(forged)).toThrow(/not recorded/);
});

/** Up to here an endpoint may keep what it has read. */
const MARK = { cache_control: { type: 'ephemeral' } };

test('the body holds what was recorded, with the two marks, and nothing else', async () => {
  const { api, model } = await start([]);
  const messages = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'no', is_error: true }],
    },
  ] as const;
  const request = requests.record({ messages });
  await answerOf(model, request);
  const { model: name, maxTokens: max_tokens, system, tools } = request.value;
  expect(api.requests.map(({ body }) => body)).toEqual([
    {
      ...{ model: name, max_tokens, tools, stream: true },
      system: [{ type: 'text', text: system, ...MARK }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        messages[1],
        { role: 'user', content: [{ ...messages[2].content[0], ...MARK }] },
      ],
    },
  ]);
});

test('no tools and no system prompt are left out of the body', async () => {
  const { api, model } = await start([]);
  await answerOf(model, requests.record({ tools: [], system: '' }));
  expect(Object.keys(api.requests[0]?.body as object)).toEqual(['model', 'max_tokens', 'messages', 'stream']);
});

test('an input that was never an object is sent back as an empty one, which the API accepts', async () => {
  const { api, model } = await start([]);
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: '{"file_pa' }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'bad', is_error: true }],
    },
  ] as const;
  await answerOf(model, requests.record({ messages }));
  expect(api.requests[0]?.body).toMatchObject({ messages: [{}, { content: [{ input: {} }] }, {}] });
});

test('usage is the last that the stream said, cache counts included', async () => {
  const usage = {
    input_tokens: 7,
    output_tokens: 99,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 4,
  };
  const { model } = await start([{ content: [{ type: 'text', text: 'x' }], usage }]);
  const { response } = await answerOf(model, requests.record());
  expect(response.usage).toEqual(usage);
});

test('characters and escapes that packets cut in two arrive whole', async () => {
  const stream = streamOf(messageOf(CALL, 'claude-test-1')).join('').replaceAll('😀', '\\uD83D\\uDE00');
  const bytes = Buffer.from(stream, 'utf8');
  const euro = bytes.indexOf('€') + 1;
  const half = bytes.indexOf('\\uDE00') + 3;
  const chunks = [bytes.subarray(0, euro), bytes.subarray(euro, half), bytes.subarray(half)];
  const { model } = await start([{ chunks }]);
  const { response } = await answerOf(model, requests.record());
  expect(response).toEqual(CALL_RESPONSE);
});

test('requests of one session share connections', async () => {
  // The end of each answer comes in a packet after its last event.
  const chunks = streamOf(messageOf(CALL, 'claude-test-1'));
  const { api, model } = await start(Array.from({ length: 6 }, () => ({ chunks })));
  for (let sent = 0; sent < 6; sent += 1) await answerOf(model, requests.record());
  expect(api.requests).toHaveLength(6);
  // On a busy machine the end of an answer may come too late to be waited for.
  expect(api.connections()).toBeLessThanOrEqual(2);
});

test('a response is complete at message_stop, whatever the connection does then', async () => {
  const chunks = streamOf(messageOf(CALL, 'claude-test-1'));
  for (const end of ['hang', 'reset'] as const) {
    const { api, model } = await start([{ chunks, end }]);
    const { response } = await answerOf(model, requests.record());
    expect(response).toEqual(CALL_RESPONSE);
    await api.close();
  }
  api = undefined;
});

test('an abort ends the request with the reason of the signal and closes the connection', async () => {
  const [begin = '', block = ''] = streamOf(messageOf(CALL, 'claude-test-1'));
  const { api, model } = await start([{ chunks: [begin, block], end: 'hang' }]);
  const controller = new AbortController();
  const answer = answerOf(model, requests.record(), controller.signal);
  await api.nextRequest();
  const reason = new Error('interrupted by the user');
  controller.abort(reason);
  await expect(answer).rejects.toBe(reason);
  await api.clientLeft;
});

test('an abort in the middle of the text ends the request with the reason of the signal', async () => {
  const chunks = streamOf(messageOf(CALL, 'claude-test-1')).slice(0, -1);
  const { api, model } = await start([{ chunks, end: 'hang' }]);
  const controller = new AbortController();
  const reason = new Error('interrupted by the user');
  const reading = (async () => {
    for await (const _ of model.respond(requests.record(), controller.signal)) controller.abort(reason);
  })();
  await expect(reading).rejects.toBe(reason);
  await api.clientLeft;
});

test('a signal that is aborted already sends nothing', async () => {
  const { api, model } = await start([]);
  const reason = new Error('too late');
  await expect(answerOf(model, requests.record(), AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(api.requests).toEqual([]);
});

test('a reader that leaves closes the connection', async () => {
  const chunks = streamOf(messageOf(CALL, 'claude-test-1')).slice(0, -1);
  const { api, model } = await start([{ chunks, end: 'hang' }]);
  for await (const _ of model.respond(requests.record(), new AbortController().signal)) break;
  await api.clientLeft;
});

test('a stream that falls silent fails', async () => {
  const [begin = ''] = streamOf(messageOf(CALL, 'claude-test-1'));
  const { api, model } = await start([{ chunks: [begin], end: 'hang' }], { idleMs: 50 });
  await expect(answerOf(model, requests.record())).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    message: `${api.url}/v1/messages sent nothing for 0.05 s ("streamIdleTimeoutSeconds") in the middle of a response.`,
  });
  await api.clientLeft;
});

test('pings, comments and unknown events add nothing', async () => {
  const [begin = '', ...rest] = streamOf(messageOf(CALL, 'claude-test-1'));
  const { model } = await start([
    { chunks: [begin, event('ping', {}), event('something_new', {}), ': note\n\n', ...rest] },
  ]);
  const { response } = await answerOf(model, requests.record());
  expect(response).toEqual(CALL_RESPONSE);
});

test('a request that was not recorded does not leave, even through a cast', async () => {
  const { api, model } = await start([]);
  const forged = { ...requests.record() } as ReturnType<Requests['record']>;
  await expect(answerOf(model, forged)).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(api.requests).toEqual([]);
});
