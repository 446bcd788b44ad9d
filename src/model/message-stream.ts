/**
 * The events of one streamed message → text and inputs as they form, then the response. Strict about the order of events: a tool
 * input that lost a piece on the way must not become a call.
 */
import { isObject } from '../core/json.ts';
import type { ModelResponse, TextBlock, ToolUseBlock, Usage } from '../core/vocabulary.ts';
import { tooDeepAt } from './depth.ts';
import { lost, type Refusal } from './failure.ts';
import {
  addUsage,
  beginBlock,
  completed,
  describe,
  type Fields,
  malformed,
  NO_USAGE,
  readError,
} from './message.ts';
import { MOST_SHOWN_INPUT, type ModelEvent } from './model.ts';

export interface StreamEvent {
  readonly event: string | null;
  readonly data: string;
}

/**
 * Yields what can be shown and returns the response, at message_stop; what follows is left unread.
 * @param next the next event of the stream
 * @param refusal makes the error for an `error` event
 */
export async function* readMessageStream(
  next: () => Promise<IteratorResult<StreamEvent, void>>,
  requestedModel: string,
  refusal: (said: Refusal) => Error,
): AsyncGenerator<ModelEvent, ModelResponse> {
  const draft = new Draft();
  while (!draft.stopped) {
    const { done, value } = await next();
    if (done === true) {
      throw lost('The response ended before it was complete (no message_stop was received).');
    }
    if (value.data === '') continue;
    const event = parseEvent(value.data);
    const type = event['type'] ?? value.event;
    if (type === 'error') throw refusal(readError(event['error']));
    const shown = draft.take(type, event);
    if (shown !== undefined) yield shown;
  }
  return draft.finish(requestedModel);
}

function parseEvent(data: string): Fields {
  try {
    const fields: unknown = JSON.parse(data);
    if (isObject(fields)) return fields;
  } catch {
    // said below, with the text
  }
  throw malformed(`expected an event, found ${describe(data.slice(0, 150))}`);
}

type Shown = Exclude<ModelEvent, { kind: 'response' }>;

interface Block {
  /** Undefined for a block that is not kept. */
  begun: TextBlock | ToolUseBlock | undefined;
  /** What its deltas have added: text, or the JSON text of an input. */
  added: string;
  open: boolean;
}

/** A message in the making. Invariant: only a message whose blocks all ended is ever finished. */
class Draft {
  stopped = false;
  #begun: Fields | undefined;
  readonly #blocks = new Map<number, Block>();
  #stopReason: unknown;
  #usage: Usage = NO_USAGE;

  /** Returns what the event added, to be shown. Types that are not known are ignored, as the API asks of its clients. */
  take(type: unknown, event: Fields): Shown | undefined {
    switch (type) {
      case 'message_start':
        this.#start(event['message']);
        return undefined;
      case 'content_block_start':
        return this.#startBlock(event['index'], event['content_block']);
      case 'content_block_delta':
        return this.#extend(event['index'], event['delta']);
      case 'content_block_stop':
        this.#endBlock(event['index']);
        return undefined;
      case 'message_delta':
        this.#end(event);
        return undefined;
      case 'message_stop':
        this.stopped = true;
        return undefined;
      default:
        return undefined;
    }
  }

  finish(requestedModel: string): ModelResponse {
    if (this.#begun === undefined) throw malformed('message_stop without message_start');
    const blocks: (TextBlock | ToolUseBlock)[] = [];
    for (const [index, { begun, open }] of this.#blocks) {
      if (open) throw malformed(`content block ${index} did not end`);
      if (begun !== undefined) blocks.push(begun);
    }
    const { id, model } = this.#begun;
    return completed({ id, model, blocks, stopReason: this.#stopReason, usage: this.#usage }, requestedModel);
  }

  #start(message: unknown): void {
    if (this.#begun !== undefined) throw malformed('a second message_start');
    if (!isObject(message)) throw malformed(`message_start: expected a message, found ${describe(message)}`);
    this.#begun = message;
    this.#usage = addUsage(this.#usage, message['usage']);
  }

  #startBlock(index: unknown, content: unknown): Shown | undefined {
    if (this.#begun === undefined) throw malformed('a content block before message_start');
    if (typeof index !== 'number' || this.#blocks.has(index)) {
      throw malformed(`content_block_start: expected a new index, found ${describe(index)}`);
    }
    const begun = beginBlock(content, index);
    this.#blocks.set(index, { begun, added: '', open: true });
    return begun?.type === 'text' && begun.text !== '' ? { kind: 'text', text: begun.text } : undefined;
  }

  #extend(index: unknown, delta: unknown): Shown | undefined {
    const block = this.#openBlock('content_block_delta', index);
    if (!isObject(delta)) throw malformed(`content_block_delta: expected a delta, found ${describe(delta)}`);
    const { begun, added } = block;
    const part = begun?.type === 'text' ? delta['text'] : delta['partial_json'];
    // Deltas of other types (thinking, signature, citations) add nothing to what is kept.
    if (begun === undefined || typeof part !== 'string' || part === '') return undefined;
    block.added += part;
    if (begun.type === 'text') return { kind: 'text', text: part };
    const json = part.slice(0, Math.max(0, MOST_SHOWN_INPUT - added.length));
    return json === '' ? undefined : { kind: 'tool_input', index: Number(index), name: begun.name, json };
  }

  #endBlock(index: unknown): void {
    const block = this.#openBlock('content_block_stop', index);
    block.open = false;
    if (block.begun?.type === 'text') block.begun = { type: 'text', text: block.begun.text + block.added };
    if (block.begun?.type === 'tool_use' && block.added.trim() !== '') {
      block.begun = { ...block.begun, input: parseInput(block.added) };
    }
  }

  #end(event: Fields): void {
    const { delta } = event;
    if (isObject(delta) && typeof delta['stop_reason'] === 'string') this.#stopReason = delta['stop_reason'];
    this.#usage = addUsage(this.#usage, event['usage']);
  }

  #openBlock(type: string, index: unknown): Block {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (block?.open !== true) throw malformed(`${type} for a block that is not open: ${describe(index)}`);
    return block;
  }
}

/** Input that does not parse (cut off, wrongly written, too deep) stays the text it is: no tool's schema takes a text. */
function parseInput(json: string): unknown {
  if (tooDeepAt(json) !== undefined) return json;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
