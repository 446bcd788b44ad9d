import { expect, test } from 'vitest';
import { HookdError } from '../../src/core/errors.ts';
import type { ModelResponse } from '../../src/core/vocabulary.ts';
import { readMessageStream, type StreamEvent } from '../../src/model/message-stream.ts';
import { MOST_SHOWN_INPUT } from '../../src/model/model.ts';

type Event = { readonly type: string; readonly [field: string]: unknown };

const START = { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 2 } } };
const END = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } };
const STOP = { type: 'message_stop' };
const call = (fields: object = {}) => ({
  type: 'tool_use',
  id: 'toolu_1',
  name: 'Read',
  input: {},
  ...fields,
});
const block = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const json = (index: number, partial_json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
const stop = (index: number) => ({ type: 'content_block_stop', index });

async function read(
  events: readonly (Event | string)[],
): Promise<{ texts: string[]; inputs: [number, string, string][]; response: ModelResponse }> {
  const data = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  const source = data.values();
  const next = (): Promise<IteratorResult<StreamEvent, void>> => {
    const { value } = source.next();
    return Promise.resolve(
      value === undefined ? { done: true, value } : { done: false, value: { event: null, data: value } },
    );
  };
  const stream = readMessageStream(next, 'asked', (said) => new HookdError('MODEL_FAILED', said.message));
  const texts: string[] = [];
  const inputs: [number, string, string][] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true) return { texts, inputs, response: value };
    if (value.kind === 'text') texts.push(value.text);
    if (value.kind === 'tool_input') inputs.push([value.index, value.name, value.json]);
  }
}

const contentOf = async (events: readonly Event[]) =>
  (await read([START, ...events, END, STOP])).response.content;

test('an input that does not parse stays its text, which no tool accepts', async () => {
  const events = [block(0, call()), json(0, '{"file_path": "/a'), json(0, 'b'), stop(0)];
  expect(await contentOf(events)).toEqual([call({ input: '{"file_path": "/ab' })]);
});

test('an input that is whole but no object stays what it is', async () => {
  expect(await contentOf([block(0, call()), json(0, '[1,'), json(0, '2]'), stop(0)])).toEqual([
    call({ input: [1, 2] }),
  ]);
  expect(await contentOf([block(0, call()), json(0, 'null'), stop(0)])).toEqual([call({ input: null })]);
});

test('no input at all is an empty object', async () => {
  expect(await contentOf([block(0, call()), stop(0)])).toEqual([call()]);
  expect(await contentOf([block(0, call()), json(0, ''), stop(0)])).toEqual([call()]);
  const { input: _, ...bare } = call();
  expect(await contentOf([block(0, bare), stop(0)])).toEqual([call()]);
});

test('an input that came whole with the start of its block is kept', async () => {
  const whole = call({ input: { file_path: '/a' } });
  expect(await contentOf([block(0, whole), stop(0)])).toEqual([whole]);
});

test('inputs are shown as they form, each by its block, and no further than anybody reads', async () => {
  const other = call({ id: 'toolu_2', name: 'Write' });
  const long = 'x'.repeat(MOST_SHOWN_INPUT);
  const { inputs, response } = await read([
    ...[
      START,
      block(0, call()),
      block(1, other),
      json(0, ''),
      json(1, '{"b":"'),
      json(0, '{"a":'),
      json(0, '1}'),
    ],
    ...[json(1, long), json(1, 'y'), json(1, '"}'), stop(1), stop(0), END, STOP],
  ]);
  expect(inputs).toEqual([
    [1, 'Write', '{"b":"'],
    [0, 'Read', '{"a":'],
    [0, 'Read', '1}'],
    [1, 'Write', long.slice(6)],
  ]);
  expect(response.content).toMatchObject([{ input: { a: 1 } }, { input: { b: `${long}y` } }]);
});

test('blank text is left out, other text keeps its blanks', async () => {
  const text = (text: string) => ({ type: 'text', text });
  const events = [block(0, text('\n\n')), stop(0), block(1, text(' a ')), stop(1), block(2, call()), stop(2)];
  expect(await contentOf(events)).toEqual([text(' a '), call()]);
});

test('blocks that run side by side keep their order and their pieces', async () => {
  const other = call({ id: 'toolu_2' });
  const events = [
    ...[block(0, call()), block(1, other), json(1, '{"b":'), json(0, '{"a":1}'), json(1, '2}')],
    ...[stop(1), stop(0)],
  ];
  expect(await contentOf(events)).toEqual([
    call({ input: { a: 1 } }),
    call({ id: 'toolu_2', input: { b: 2 } }),
  ]);
});

test('blocks of types that are not kept leave nothing, with all their deltas', async () => {
  const thinking = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking: 'x' },
  };
  const events = [block(0, { type: 'thinking', thinking: '' }), thinking, json(0, '{}'), stop(0)];
  expect(await contentOf(events)).toEqual([]);
});

test('a response without its own model name has the requested one, and counts that are missing are 0', async () => {
  const { response } = await read([{ type: 'message_start', message: {} }, END, STOP]);
  expect(response).toEqual({
    id: '',
    model: 'asked',
    content: [],
    stopReason: 'tool_use',
    usage: { input_tokens: 0, output_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  });
});

test.each([
  ['an event that is not JSON', [START, '{"type":'], /expected an event, found string "{\\"type\\":"/],
  ['an event that is no object', [START, '7'], /expected an event, found string "7"/],
  ['no message_start', [END, STOP], /message_stop without message_start/],
  ['a block before message_start', [block(0, call())], /a content block before message_start/],
  ['a second message_start', [START, START], /a second message_start/],
  ['a delta for a block that never started', [START, json(3, '{}')], /a block that is not open: number 3/],
  ['a delta for a block that ended', [START, block(0, call()), stop(0), json(0, '{}')], /not open: number 0/],
  ['a block that ends twice', [START, block(0, call()), stop(0), stop(0)], /not open: number 0/],
  ['a block that does not end', [START, block(0, call()), json(0, '{}'), END, STOP], /block 0 did not end/],
  [
    'an index that is used twice',
    [START, block(0, call()), stop(0), block(0, call())],
    /a new index, found number 0/,
  ],
  ['a tool_use without an id', [START, block(0, call({ id: '' }))], /block 0: a tool_use without an id/],
  [
    'a tool_use without a name',
    [START, block(0, call({ name: undefined }))],
    /block 0: a tool_use without a name/,
  ],
  [
    'two tool_use blocks with one id',
    [START, block(0, call()), stop(0), block(1, call()), stop(1), END, STOP],
    /two tool_use blocks have the id "toolu_1"/,
  ],
  ['no stop reason', [START, STOP], /"stop_reason": expected a word, found nothing/],
  ['an early end', [START, block(0, call()), stop(0), END], /ended before it was complete/],
  ['an error event', [START, { type: 'error', error: { type: 'api_error', message: 'broken' } }], /^broken$/],
  [
    'an error event of another shape',
    [START, { type: 'error', error: 'broken' }],
    /an error, string "broken"/,
  ],
] as const)('%s is no response', async (_, events, message) => {
  await expect(read(events)).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    message: expect.stringMatching(message) as string,
  });
});

test('an input that nests ten thousand levels deep stays its text, which no tool accepts', async () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  expect(await contentOf([block(0, call()), json(0, deep), stop(0)])).toEqual([call({ input: deep })]);
});

test('an input that begins too deep is replaced by a text that says so', async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 201; level += 1) deep = [deep];
  expect(await contentOf([block(0, call({ input: deep })), stop(0)])).toEqual([
    call({ input: expect.stringContaining('deeper than 200 levels') }),
  ]);
});

test('an error that nests too deep is still an error of the model', async () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  await expect(read([`{"type":"error","error":${deep}}`])).rejects.toThrow('deeper than 200 levels');
});
