/** A message of the Messages API, whole and as the sequence of events that the API streams it in. */

export type ApiBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

/** A list of blocks stops with `tool_use` when it holds one, else with `end_turn`. */
export type MessageTurn =
  | readonly ApiBlock[]
  | {
      readonly content: readonly ApiBlock[];
      readonly stop_reason?: string;
      readonly usage?: Readonly<Record<string, number>>;
    };

export interface ApiMessage {
  readonly content: readonly ApiBlock[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}

/** The message that an answer without a stream consists of. */
export function messageOf(turn: MessageTurn, model: string, number = 1): ApiMessage {
  const { content, stop_reason, usage } = 'content' in turn ? turn : { content: turn };
  const calls = content.some((block) => block.type === 'tool_use');
  return {
    id: `msg_${String(number).padStart(2, '0')}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stop_reason ?? (calls ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...usage,
    },
  };
}

/** The same message as the API streams it, one string for each event. */
export function streamOf(message: ApiMessage): string[] {
  const { content, stop_reason, usage } = message;
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  return [
    event('message_start', { message: begun }),
    ...content.flatMap((block, index) => {
      const deltas = deltasOf(block).map((delta) => event('content_block_delta', { index, delta }));
      const ping = index === 0 ? [event('ping', {})] : [];
      return [
        event('content_block_start', { index, content_block: emptied(block) }),
        ...ping,
        ...deltas,
        event('content_block_stop', { index }),
      ];
    }),
    event('message_delta', {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage['output_tokens'] },
    }),
    event('message_stop', {}),
  ];
}

export function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function emptied(block: ApiBlock): ApiBlock {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { ...block, input: {} };
}

function deltasOf(block: ApiBlock): object[] {
  if (block.type === 'text') return halves(block.text).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    const { thinking, signature } = block;
    return [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
  }
  const json = JSON.stringify(block.input);
  // The API sends no more than the empty first piece for an empty input.
  return ['', ...(json === '{}' ? [] : halves(json))].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
}

function halves(text: string): string[] {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)]
    .map((part) => part.join(''))
    .filter((part) => part !== '');
}
