/** The loopback server is what other tests lean on: that it refuses what the API refuses is tested here. */
import { expect, test } from 'vitest';
import { startMessagesApi } from '../support/messages-api.ts';
import { requestFault } from '../support/messages-api-rules.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'Read', input });
const result = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: 'x' });
const body = (messages: unknown, fields: object = {}) => ({ model: 'm', max_tokens: 1, messages, ...fields });

test.each([
  ['a prompt', [user('go')]],
  ['an answered call', [user('go'), assistant([use('a'), use('b')]), user([result('b'), result('a')])]],
  [
    'results in two user messages',
    [user('go'), assistant([use('a'), use('b')]), user([result('a')]), user([result('b')])],
  ],
  [
    'text after the results',
    [user('go'), assistant([use('a')]), user([result('a'), { type: 'text', text: 'and' }])],
  ],
])('%s is accepted', (_, messages) => {
  expect(requestFault(body(messages))).toBeUndefined();
});

test.each([
  ['no JSON', 'text', /not valid JSON/],
  ['an unknown field', body([user('go')], { extra: 1 }), /^extra: Extra inputs/],
  ['no model', { max_tokens: 1, messages: [user('go')] }, /^model: Field required/],
  ['no max_tokens', { model: 'm', messages: [user('go')] }, /^max_tokens: Field required/],
  ['max_tokens of 0', body([user('go')], { max_tokens: 0 }), /^max_tokens: /],
  ['no messages', body([]), /at least one message/],
  ['an assistant first', body([assistant('hi')]), /first message must use the "user" role/],
  ['a system role', body([{ role: 'system', content: 'x' }]), /role: Input should be/],
  ['an empty message', body([user('')]), /non-empty content/],
  ['blank text', body([user([{ type: 'text', text: ' \n' }])]), /non-whitespace text/],
  [
    'an unanswered call',
    body([user('go'), assistant([use('a')])]),
    /without `tool_result` blocks immediately after: a\./,
  ],
  [
    'a half answered call',
    body([user('go'), assistant([use('a'), use('b')]), user([result('a')])]),
    /after: b\./,
  ],
  [
    'text before the result',
    body([user('go'), assistant([use('a')]), user([{ type: 'text', text: 'x' }, result('a')])]),
    /after: a\./,
  ],
  [
    'a late result',
    body([user('go'), assistant([use('a')]), user('x'), assistant('y'), user([result('a')])]),
    /after: a\./,
  ],
  [
    'two results',
    body([user('go'), assistant([use('a')]), user([result('a'), result('a')])]),
    /Found multiple/,
  ],
  [
    'a stray result',
    body([user('go'), assistant('x'), user([result('z')])]),
    /unexpected `tool_use_id` found .* z\./,
  ],
  [
    'an id used again',
    body([
      user('go'),
      assistant([use('a')]),
      user([result('a')]),
      assistant([use('a')]),
      user([result('a')]),
    ]),
    /must be unique/,
  ],
  [
    'an input that is a text',
    body([user('go'), assistant([use('a', 'x')]), user([result('a')])]),
    /input: Input should be a valid dictionary/,
  ],
  [
    'a tool without a schema',
    body([user('go')], { tools: [{ name: 'Read' }] }),
    /input_schema: Field required/,
  ],
  [
    'two tools of one name',
    body([user('go')], {
      tools: [
        { name: 'R', input_schema: { type: 'object' } },
        { name: 'R', input_schema: { type: 'object' } },
      ],
    }),
    /must be unique/,
  ],
])('%s is refused', (_, request, message) => {
  expect(requestFault(request)).toMatch(message);
});

test('a refused request is kept, is answered in the shape of the API, and takes no turn', async () => {
  const api = await startMessagesApi([[{ type: 'text', text: 'first' }]]);
  const post = async (request: unknown, headers: Record<string, string>) => {
    const answer = await fetch(`${api.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(request),
      headers,
    });
    return [answer.status, await answer.json()];
  };
  const headers = { 'x-api-key': 'k', 'anthropic-version': 'v' };
  expect(await post(body([]), {})).toMatchObject([
    401,
    { type: 'error', error: { type: 'authentication_error' } },
  ]);
  expect(await post(body([]), headers)).toMatchObject([
    400,
    { type: 'error', error: { type: 'invalid_request_error' } },
  ]);
  expect(await post(body([user('go')]), headers)).toMatchObject([200, { content: [{ text: 'first' }] }]);
  expect(await post(body([user('go')]), headers)).toMatchObject([200, { content: [{ text: 'done' }] }]);
  expect(api.requests).toHaveLength(4);
  expect((await api.nextRequest()).headers).not.toHaveProperty('x-api-key');
  expect(await api.nextRequest()).toMatchObject({ method: 'POST', path: '/v1/messages', body: body([]) });
  await api.close();
});

test('a request can be waited for before it is there', async () => {
  const api = await startMessagesApi([]);
  const coming = api.nextRequest();
  await fetch(`${api.url}/elsewhere`).then((answer) => answer.text());
  expect(await coming).toMatchObject({ method: 'GET', path: '/elsewhere' });
  await api.close();
});
