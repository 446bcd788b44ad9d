/**
 * ModelRequest → the body that is sent, with nothing that was not in the recorded request but two marks: up to them the
 * endpoint may keep what it has read (prompt caching). The first stands behind what is the same in every request of a
 * session, the second at the end, which is the beginning of the next request. Pure.
 */
import type { Message, ModelRequest } from '../core/vocabulary.ts';
import { isObject } from './message.ts';

const MARK = { cache_control: { type: 'ephemeral' } } as const;

export function requestBody({ model, maxTokens, system, tools, messages }: ModelRequest) {
  return {
    model,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools.length === 0 ? {} : { tools }),
    messages: messages.map((message, index) => {
      const { role, content } = sendable(message);
      return { role, content: index === messages.length - 1 ? marked(content) : content };
    }),
    stream: true,
  };
}

/**
 * The same bytes in every request that holds the message: always a list of blocks. The API takes only objects as inputs;
 * a tool_use whose input was none never ran, and its result says why.
 */
function sendable({ role, content }: Message): {
  readonly role: string;
  readonly content: readonly object[];
} {
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  return {
    role,
    content: content.map((block) =>
      block.type === 'tool_use' && !isObject(block.input) ? { ...block, input: {} } : block,
    ),
  };
}

function marked(blocks: readonly object[]): readonly object[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...MARK } : block));
}
