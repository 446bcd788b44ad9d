import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { event, messageOf, streamOf } from '../support/message-events.ts';
import { type MessagesApi, type ScriptedAnswer, startMessagesApi } from '../support/messages-api.ts';
import { gone, startRawServer } from '../support/raw-server.ts';
import { answerOf, openRequests, type Requests } from './recorded-request.ts';

const KEY = 'sk-very-secret';
const STREAM = streamOf(messageOf([{ type: 'text', text: 'Hello there.' }], 'claude-test-1'));

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

/** What MODEL_FAILED says when the endpoint answers with `turn`, its address written as URL. */
async function failureOf(
  turn: ScriptedAnswer,
  limits: { answerMs?: number; idleMs?: number } = {},
): Promise<string> {
  api = await startMessagesApi([turn]);
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: api.url, limits });
  const failure = await answerOf(model, requests.record()).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ name: 'HookdError', code: 'MODEL_FAILED' });
  expect(api.requests).toHaveLength(1);
  return (failure as Error).message.replaceAll(`${api.url}/v1/messages`, 'URL');
}

const apiError = (status: number, type: string, message: string) => ({ error: { status, type, message } });

test.each([
  [
    apiError(401, 'authentication_error', 'invalid x-api-key'),
    'The key was refused by URL (401 authentication_error: invalid x-api-key).',
  ],
  [
    apiError(401, 'authentication_error', `no such key: ${KEY}`),
    'The key was refused by URL (401 authentication_error: no such key: ***).',
  ],
  [
    apiError(403, 'permission_error', 'not yours'),
    'The key has no permission for this at URL (403 permission_error: not yours).',
  ],
  [
    apiError(404, 'not_found_error', 'model: claude-test-1'),
    'The model "claude-test-1" is unknown at URL (404 not_found_error: model: claude-test-1).',
  ],
  [
    apiError(404, 'not_found_error', 'Not found'),
    'No Messages API answers at URL (404 not_found_error: Not found): check the base URL.',
  ],
  [
    apiError(429, 'rate_limit_error', 'slow down'),
    'The limit of requests or tokens is reached at URL (429 rate_limit_error: slow down).',
  ],
  [apiError(529, 'overloaded_error', 'Overloaded'), 'URL is overloaded (529 overloaded_error: Overloaded).'],
  [apiError(500, 'api_error', 'Internal'), 'URL answered 500 api_error: Internal.'],
])('an error answer is named in one sentence, once asked and not again: %j', async (turn, message) => {
  expect(await failureOf(turn)).toBe(message);
});

test.each([
  ['line', 'x'.repeat(1_000_000)],
  ['list of lines', `${'x'.repeat(1000)}\ndata: `.repeat(1000)],
])('a %s of an event without an end is left in time', async (_name, part) => {
  const turn = {
    headers: { 'content-type': 'text/event-stream' },
    chunks: ['event: message_start\ndata: ', ...Array(18).fill(part)],
  };
  expect(await failureOf(turn)).toBe(
    'URL gave no answer: one event of its answer is longer than 16777216 bytes.',
  );
});

test("a proxy's HTML is shown on one line, without control characters", async () => {
  const chunks = ['<html>\r\n<title>502 Bad Gateway</title>\u001b[31m</html>\n'];
  const turn = { status: 502, headers: { 'content-type': 'text/html' }, chunks };
  expect(await failureOf(turn)).toBe('URL answered 502: <html> <title>502 Bad Gateway</title> [31m</html>.');
});

test('an error answer without a word is its status', async () => {
  expect(await failureOf({ status: 502, chunks: [] })).toBe('URL answered 502.');
});

test('an error answer that breaks off or falls silent is its status', async () => {
  const turn = { status: 500, headers: { 'content-type': 'application/json' }, chunks: ['{"type":"er'] };
  expect(await failureOf({ ...turn, end: 'reset' })).toBe('URL answered 500.');
  await api?.close();
  expect(await failureOf({ ...turn, end: 'hang' }, { idleMs: 50 })).toBe('URL answered 500.');
  await api?.clientLeft;
});

test('an error answer without an end is read as far as anybody needs it', async () => {
  let left: Promise<void> | undefined;
  const server = await startRawServer((socket) => {
    left = gone(socket);
    socket.write('HTTP/1.1 500 Broken\r\n\r\n');
    const go = () => socket.destroyed || socket.write('no '.repeat(10_000), go);
    go();
  });
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: server.url });
  await expect(answerOf(model, requests.record())).rejects.toMatchObject({
    message: `${server.url}/v1/messages answered 500: ${'no '.repeat(100)}….`,
  });
  await left;
  await server.close();
});

test('a compressed answer that nobody asked for is read', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const error = { type: 'error', error: { type: 'permission_error', message: 'not yours' } };
  const chunks = [gzipSync(JSON.stringify(error))];
  expect(await failureOf({ status: 403, headers, chunks })).toBe(
    'The key has no permission for this at URL (403 permission_error: not yours).',
  );
});

test("an error of another shape than the API's is shown as it is", async () => {
  const turn = {
    status: 400,
    headers: { 'content-type': 'application/json' },
    chunks: ['{"detail":"no such route"}'],
  };
  expect(await failureOf(turn)).toBe('URL answered 400: {"detail":"no such route"}.');
});

test('a page with status 200 is no response', async () => {
  const turn = { headers: { 'content-type': 'text/html' }, chunks: ['<h1>Log in to the network</h1>'] };
  expect(await failureOf(turn)).toBe(
    'URL answered with text/html instead of a message: <h1>Log in to the network</h1>',
  );
});

test('JSON with status 200 that is no message is no response', async () => {
  const headers = { 'content-type': 'application/json' };
  expect(await failureOf({ headers, chunks: ['{"ok":true}'] })).toBe(
    'The model\'s response is malformed: "content": expected a list of blocks, found nothing.',
  );
  await api?.close();
  expect(await failureOf({ headers, chunks: ['{"content":'] })).toBe(
    'URL answered with JSON that does not parse: {"content":',
  );
  await api?.close();
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  expect(await failureOf({ headers, chunks: [JSON.stringify(error)] })).toBe(
    'URL answered overloaded_error: Overloaded.',
  );
});

test('a redirect is not followed: the key stays with the base URL', async () => {
  const elsewhere = await startMessagesApi([]);
  const location = `${elsewhere.url}/v1/messages`;
  expect(await failureOf({ status: 307, headers: { location }, chunks: [] })).toBe(
    `URL answered 307: a redirect to ${location}, which is not followed: it would take the key elsewhere.`,
  );
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

test('an error in the middle of a stream is the failure', async () => {
  const error = event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
  const turn = { chunks: [...STREAM.slice(0, 4), error] };
  expect(await failureOf(turn)).toBe('URL answered overloaded_error: Overloaded.');
});

test('a stream that ends early is no response', async () => {
  const chunks = STREAM.slice(0, -1);
  expect(await failureOf({ chunks })).toBe(
    'The response ended before it was complete (no message_stop was received).',
  );
});

test('a connection that breaks in the middle of a stream is named', async () => {
  const chunks = STREAM.slice(0, 4);
  expect(await failureOf({ chunks, end: 'reset' })).toMatch(
    /^The connection to URL was closed before the answer was complete \(ECONNRESET\)\.$/,
  );
});

test('a connection that breaks in the middle of a plain answer is named', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '1000' };
  expect(await failureOf({ headers, chunks: ['{"content":'], end: 'reset' })).toMatch(
    /^The connection to URL was closed before the answer was complete \(ECONNRESET\)\.$/,
  );
});

test('an endpoint that never begins to answer fails in the end', async () => {
  const never = () => new Promise<never>(() => undefined);
  expect(await failureOf(never, { answerMs: 1000 })).toBe(
    'URL did not begin to answer within 1 s ("requestTimeoutSeconds").',
  );
});

test('an endpoint that falls silent in the middle of a stream fails in the end', async () => {
  expect(await failureOf({ chunks: STREAM.slice(0, 4), end: 'hang' }, { idleMs: 300 })).toBe(
    'URL sent nothing for 0.3 s ("streamIdleTimeoutSeconds") in the middle of a response.',
  );
});

test.each([
  ['prompt is too long: 213042 tokens > 200000 maximum', { tokens: 213_042, most: 200_000 }],
  ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', {}],
  ["This model's maximum context length is 8192 tokens.", {}],
  ['max_tokens: Input should be greater than or equal to 1', undefined],
])('%s: whether the conversation is too long is told apart', async (message, overflow) => {
  api = await startMessagesApi([{ error: { status: 400, type: 'invalid_request_error', message } }]);
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: api.url });
  await expect(answerOf(model, requests.record())).rejects.toMatchObject({ overflow, isTransient: false });
});

test('a port where nothing listens is named', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: `http://127.0.0.1:${port}` });
  await expect(answerOf(model, requests.record())).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    message: `Nothing listens at http://127.0.0.1:${port}/v1/messages (connection refused).`,
  });
});

test('a request that the API refuses is told in its words', async () => {
  api = await startMessagesApi([]);
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: api.url });
  await expect(answerOf(model, requests.record({ messages: [] }))).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    message: `${api.url}/v1/messages answered 400 invalid_request_error: messages: at least one message is required.`,
  });
});
