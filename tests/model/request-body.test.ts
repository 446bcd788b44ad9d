import { expect, it } from 'vitest';
import type { Message, ModelRequest } from '../../src/core/vocabulary.ts';
import { requestBody } from '../../src/model/request-body.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const request = (messages: readonly Message[]): ModelRequest => ({
  ...{ model: 'm', maxTokens: 5, system: 'Be "kind".', messages },
  tools: [{ name: 'T', description: '', input_schema: {} }],
});
const textOf = (messages: readonly Message[]) => Buffer.from(requestBody(request(messages))).toString();

it('the text of a request is the JSON of what was recorded, marked at both places', () => {
  const messages: readonly Message[] = [
    { role: 'user', content: 'go\u2028 "on"' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 't1', name: 'T', input: 'none' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
  ];
  const expected = {
    model: 'm',
    max_tokens: 5,
    system: [{ type: 'text', text: 'Be "kind".', ...mark }],
    tools: [{ name: 'T', description: '', input_schema: {} }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'go\u2028 "on"' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't1', name: 'T', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x', ...mark }] },
    ],
    stream: true,
  };
  expect(textOf(messages)).toBe(JSON.stringify(expected));
});

it('a message that is frozen is written out once, whatever number of requests holds it', () => {
  let asked = 0;
  const input = { toJSON: () => ({ times: ++asked }) };
  const use = { type: 'tool_use', id: 't1', name: 'T', input } as unknown as { type: 'text'; text: string };
  const first: Message = Object.freeze({ role: 'assistant', content: [use] });
  const last: Message = { role: 'user', content: 'go on' };
  const texts = [1, 2, 3].map(() => textOf([first, last]));
  expect(new Set(texts).size).toBe(1);
  expect(asked).toBe(1);
});

it.each([
  ['a half', 'x\ud83d', 'x\ufffd'],
  ['the other half', '\ude00x', '\ufffdx'],
  ['halves in the wrong order', '\ude00\ud83d', '\ufffd\ufffd'],
  ['a whole character', '\u{1f600}', '\u{1f600}'],
  ['the escape as a text', '\\ud83d', '\\ud83d'],
  ['a half behind a backslash', '\\\ud83d', '\\\ufffd'],
  ['other escapes beside it', '"\n\u0001\\" \ud83d', '"\n\u0001\\" \ufffd'],
])(
  'no half of a character leaves, wherever it stands, and nothing else is touched: %s',
  (_, text, expected) => {
    const asked = JSON.parse(
      Buffer.from(
        requestBody({
          ...{ model: 'm', maxTokens: 5, system: text, tools: [] },
          messages: [
            { role: 'user', content: text },
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: 't1', name: 'T', input: { [text]: text } }],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: text }] },
          ],
        }),
      ).toString(),
    );
    expect(asked).toMatchObject({
      system: [{ text: expected }],
      messages: [
        { content: [{ text: expected }] },
        { content: [{ input: { [expected]: expected } }] },
        { content: [{ content: expected }] },
      ],
    });
  },
);
