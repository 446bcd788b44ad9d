/**
 * ModelRequest → the bytes that are sent, with nothing that was not in the recorded request but two marks: up to them the
 * endpoint may keep what it has read (prompt caching). The first stands behind what is the same in every request of a
 * session, the second at the end, which is the beginning of the next request. A message's bytes are made once: a long
 * session would spend most of its time on making them again for every request. Pure.
 */
import { isObject } from '../core/json.ts';
import type { Message, ModelRequest } from '../core/vocabulary.ts';

const END = Buffer.from('],"stream":true}');
const MARK = { cache_control: { type: 'ephemeral' } } as const;

/** Messages are frozen when they are recorded, before any request holds them. */
const known = new WeakMap<Message, Uint8Array>();

export function requestBody({ model, maxTokens, system, tools, messages }: ModelRequest): Uint8Array {
  const head = jsonOf({
    model,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools.length === 0 ? {} : { tools }),
  });
  const parts: Uint8Array[] = [Buffer.from(`${head.slice(0, -1)},"messages":[`)];
  for (const message of messages.slice(0, -1)) parts.push(bytesOf(message));
  for (const message of messages.slice(-1)) parts.push(Buffer.from(markedText(message)));
  parts.push(END);
  return Buffer.concat(parts);
}

/** With the comma behind it: the last message, which has none, is marked. Half as many parts take half the time. */
function bytesOf(message: Message): Uint8Array {
  const made = known.get(message);
  if (made !== undefined) return made;
  const text = jsonOf({ role: message.role, content: blocksOf(message) });
  const bytes = Buffer.from(`${text},`);
  if (Object.isFrozen(message)) known.set(message, bytes);
  return bytes;
}

function markedText(message: Message): string {
  const blocks = blocksOf(message);
  const content = [...blocks.slice(0, -1), ...blocks.slice(-1).map((block) => ({ ...block, ...MARK }))];
  return jsonOf({ role: message.role, content });
}

/**
 * The API refuses a request with half of a surrogate pair in it, and so every later one of the conversation: such a half,
 * of a hook or of the model itself, leaves as the character that stands for what is none.
 */
function jsonOf(value: object): string {
  const json = JSON.stringify(value);
  // JSON escapes nothing but halves this way.
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:u[0-9a-f]{4}|.)/g, (one) => (one.startsWith('\\ud') ? '\\ufffd' : one));
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
