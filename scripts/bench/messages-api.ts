/**
 * A Messages API on loopback that plays scripts, and notes when its last byte left and when the next request was whole:
 * the gap between the two is the agent's own work, without any model.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type Turn = readonly Block[];

/** One agent at work: its own path on the server, its own script. */
export interface Playing {
  readonly url: string;
  /** By request, in ms of `performance.now()`. */
  readonly requestedAt: readonly number[];
  readonly answeredAt: readonly number[];
}

export interface Script {
  readonly turns: readonly Turn[];
  readonly streams: boolean;
  /** Before the answer to request `index` leaves; `messages` is what the agent sent. */
  readonly onRequest?: (index: number, messages: readonly unknown[]) => void;
}

interface Stage extends Script {
  readonly requestedAt: number[];
  readonly answeredAt: number[];
}

const LAST: Turn = [{ type: 'text', text: 'done' }];
const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export class MessagesApi {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #stages = new Map<string, Stage>();
  #origin = '';

  static async start(): Promise<MessagesApi> {
    const api = new MessagesApi();
    api.#server.keepAliveTimeout = 120_000;
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    api.#origin = `http://127.0.0.1:${(api.#server.address() as AddressInfo).port}`;
    return api;
  }

  play(script: Script): Playing {
    const name = `play-${this.#stages.size + 1}`;
    const stage: Stage = { ...script, requestedAt: [], answeredAt: [] };
    this.#stages.set(name, stage);
    return { url: `${this.#origin}/${name}`, ...stage };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const now = performance.now();
    const stage = this.#stages.get(request.url?.split('/')[1] ?? '');
    const isMessage = request.method === 'POST' && /\/v1\/messages(\?|$)/.test(request.url ?? '');
    if (stage === undefined || !isMessage) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
      return;
    }
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as {
      readonly tools?: readonly unknown[];
      readonly messages: readonly unknown[];
      readonly stream?: boolean;
    };
    // Some agents ask for a title and the like, besides: those requests have no tools.
    if ((body.tools ?? []).length === 0) return send(response, LAST, stage.streams && body.stream === true);
    const index = stage.requestedAt.push(now) - 1;
    stage.onRequest?.(index, body.messages);
    const turn = stage.turns[index] ?? LAST;
    const text = prepared(turn, stage.streams && body.stream === true);
    stage.answeredAt.push(performance.now());
    response.writeHead(200, { 'content-type': text.type }).end(text.body);
  }
}

function send(response: ServerResponse, turn: Turn, streams: boolean): void {
  const { type, body } = prepared(turn, streams);
  response.writeHead(200, { 'content-type': type }).end(body);
}

function prepared(turn: Turn, streams: boolean): { readonly type: string; readonly body: string } {
  const stop = turn.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', usage: USAGE };
  if (!streams) {
    const whole = { ...message, content: turn, stop_reason: stop, stop_sequence: null };
    return { type: 'application/json', body: JSON.stringify(whole) };
  }
  const start = { ...message, content: [], stop_reason: null, stop_sequence: null };
  const end = { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } };
  const events = [
    event('message_start', { message: start }),
    ...turn.flatMap(blockEvents),
    event('message_delta', end),
    event('message_stop', {}),
  ];
  return { type: 'text/event-stream', body: events.join('') };
}

function blockEvents(block: Block, index: number): readonly string[] {
  const isText = block.type === 'text';
  const delta = isText
    ? { type: 'text_delta', text: block['text'] }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
  const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} };
  return [
    event('content_block_start', { index, content_block: empty }),
    event('content_block_delta', { index, delta }),
    event('content_block_stop', { index }),
  ];
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
