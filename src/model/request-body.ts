/**
 * ModelRequest → the text that is sent, with nothing that was not in the recorded request but two marks: up to them the
 * endpoint may keep what it has read (prompt caching). The first stands behind what is the same in every request of a
 * session, the second at the end, which is the beginning of the next request. A message's text is made once: a long
 * session would spend most of its time on making it again for every request. Pure.
 */
import { isObject } from '../core/json.ts';
import type { Message, ModelRequest } from '../core/vocabulary.ts';

const MARK = { cache_control: { type: 'ephemeral' } } as const;

/** Messages are frozen when they are recorded, before any request holds them. */
const texts = new WeakMap<Message, string>();

export function requestText({ model, maxTokens, system, tools, messages }: ModelRequest): string {
  const head = JSON.stringify({
    model,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools.length === 0 ? {} : { tools }),
  });
  const last = messages.length - 1;
  const all = messages.map((message, index) => (index === last ? markedText(message) : textOf(message)));
  return `${head.slice(0, -1)},"messages":[${all.join(',')}],"stream":true}`;
}

function textOf(message: Message): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const text = JSON.stringify({ role: message.role, content: blocksOf(message) });
  if (Object.isFrozen(message)) texts.set(message, text);
  return text;
}

function markedText(message: Message): string {
  const blocks = blocksOf(message);
  const content = [...blocks.slice(0, -1), ...blocks.slice(-1).map((block) => ({ ...block, ...MARK }))];
  return JSON.stringify({ role: message.role, content });
}

/**
 * The same bytes in every request that holds the message: always a list of blocks. The API takes only objects as inputs;
 * a tool_use whose input was none never ran, and its result says why.
 */
function blocksOf({ content }: Message): readonly object[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((block) =>
    block.type === 'tool_use' && !isObject(block.input) ? { ...block, input: {} } : block,
  );
}
