/** ModelRequest → the body that is sent, with nothing that was not in the recorded request. Pure. */
import type { Message, ModelRequest } from '../core/vocabulary.ts';
import { isObject } from './message.ts';

export function requestBody({ model, maxTokens, system, tools, messages }: ModelRequest) {
  return {
    model,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    messages: messages.map(sendable),
    stream: true,
  };
}

/** The API takes only objects as inputs; a tool_use whose input was none never ran, and its result says why. */
function sendable(message: Message): Message {
  if (message.role === 'user') return message;
  return {
    role: 'assistant',
    content: message.content.map((block) =>
      block.type === 'tool_use' && !isObject(block.input) ? { ...block, input: {} } : block,
    ),
  };
}
