/** One message of the Messages API → ModelResponse. Strict: a response that is not whole or not clear is none. */
import { isObject } from '../core/json.ts';
import type { ModelResponse, TextBlock, ToolUseBlock, Usage } from '../core/vocabulary.ts';
import { isTooDeep, jsonText, TOO_DEEP } from './depth.ts';
import { modelFailed, oneLine, type Refusal } from './failure.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A message whose blocks have their final text and input. */
export interface Message {
  readonly id: unknown;
  readonly model: unknown;
  readonly blocks: readonly (TextBlock | ToolUseBlock)[];
  readonly stopReason: unknown;
  readonly usage: Usage;
}

/** Reads the body of an answer that was not streamed. Throws MODEL_FAILED. */
export function readMessage(body: unknown, requestedModel: string): ModelResponse {
  if (!isObject(body)) throw malformed(`expected an object, found ${describe(body)}`);
  const { content } = body;
  if (!Array.isArray(content))
    throw malformed(`"content": expected a list of blocks, found ${describe(content)}`);
  const blocks = content.flatMap((block: unknown, index) => {
    const begun = beginBlock(block, index);
    return begun === undefined ? [] : [begun];
  });
  const message: Message = {
    id: body['id'],
    model: body['model'],
    blocks,
    stopReason: body['stop_reason'],
    usage: addUsage(NO_USAGE, body['usage']),
  };
  return completed(message, requestedModel);
}

/** The `error` of an error answer or of an `error` event. */
export function readError(error: unknown): Refusal {
  if (!isObject(error)) return { message: `an error, ${describe(error)}` };
  const { type, message } = error;
  return {
    type: typeof type === 'string' ? type : undefined,
    message: typeof message === 'string' ? message : jsonText(error),
  };
}

/**
 * A block as it stands in a message, or as it starts in a stream. Undefined for what we do not keep: thinking is the
 * model's own and is valid only with its signature, and blocks of server-side tools belong to features that are never
 * asked for. The API takes a conversation without either.
 */
export function beginBlock(block: unknown, index: number): TextBlock | ToolUseBlock | undefined {
  const where = `content block ${index}`;
  if (!isObject(block)) throw malformed(`${where}: expected an object, found ${describe(block)}`);
  if (block['type'] === 'text') {
    const { text } = block;
    if (typeof text !== 'string') throw malformed(`${where}: expected a text, found ${describe(text)}`);
    return { type: 'text', text };
  }
  if (block['type'] !== 'tool_use') return undefined;
  const { id, name, input } = block;
  if (typeof id !== 'string' || id === '') throw malformed(`${where}: a tool_use without an id`);
  if (typeof name !== 'string' || name === '') throw malformed(`${where}: a tool_use without a name`);
  return { type: 'tool_use', id, name, input: isTooDeep(input) ? TOO_DEEP : (input ?? {}) };
}

/** The last checks, the same for both ways of answering. Throws MODEL_FAILED. */
export function completed(message: Message, requestedModel: string): ModelResponse {
  const { id, model, stopReason } = message;
  if (typeof stopReason !== 'string' || stopReason === '') {
    throw malformed(`"stop_reason": expected a word, found ${describe(stopReason)}`);
  }
  // Blank text says nothing, and the API refuses it when the conversation comes back.
  const content = message.blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const ids = new Set<string>();
  for (const block of content) {
    if (block.type !== 'tool_use') continue;
    if (ids.has(block.id)) throw malformed(`two tool_use blocks have the id "${block.id}"`);
    ids.add(block.id);
  }
  return {
    id: typeof id === 'string' ? id : '',
    model: typeof model === 'string' ? model : requestedModel,
    content,
    stopReason,
    usage: message.usage,
  };
}

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Of one request and its answer. */
export function allTokens(usage: Usage): number {
  return (
    usage.input_tokens +
    usage.output_tokens +
    usage.cache_creation_input_tokens +
    usage.cache_read_input_tokens
  );
}

/** Of several requests. */
export function sumOf(one: Usage, other: Usage): Usage {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_creation_input_tokens: one.cache_creation_input_tokens + other.cache_creation_input_tokens,
    cache_read_input_tokens: one.cache_read_input_tokens + other.cache_read_input_tokens,
  };
}

/** `counts` replace what was known: the API's later counts include the earlier ones. */
export function addUsage(known: Usage, counts: unknown): Usage {
  if (!isObject(counts)) return known;
  const count = (name: keyof Usage): number => {
    const value = counts[name];
    return typeof value === 'number' ? value : known[name];
  };
  return {
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    cache_creation_input_tokens: count('cache_creation_input_tokens'),
    cache_read_input_tokens: count('cache_read_input_tokens'),
  };
}

export function malformed(what: string): Error {
  return modelFailed(`The model's response is malformed: ${oneLine(what)}.`);
}

/** A value for an error text: what kind it is, and the value itself when it is short. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? '';
  return text.length > 200 ? `a ${typeof value} of ${text.length} characters` : `${typeof value} ${text}`;
}
