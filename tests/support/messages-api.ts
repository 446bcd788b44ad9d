/**
 * A scripted Messages API on loopback: it answers streamed and plain, refuses what the API refuses, and fails in the
 * ways in which endpoints and networks fail. A refused request takes no turn of the script.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type MessageTurn, messageOf, streamOf } from './message-events.ts';
import { requestFault } from './messages-api-rules.ts';

export type ApiTurn =
  | MessageTurn
  /** The API's own error answer. */
  | { readonly error: { readonly status: number; readonly type: string; readonly message: string } }
  /** Any answer, each chunk in a packet of its own. `end`: `close` (the default) ends it well, `reset` breaks the connection, `hang` leaves it open until `close()` of the server. */
  | {
      readonly chunks: readonly (string | Uint8Array)[];
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly end?: 'close' | 'reset' | 'hang';
    };

/** A function may look at the request, or wait before it answers. */
export type ScriptedAnswer = ApiTurn | ((request: RecordedRequest) => ApiTurn | Promise<ApiTurn>);

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; the text itself where it does not parse. */
  readonly body: unknown;
}

export interface MessagesApi {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** How many connections have been opened. */
  readonly connections: () => number;
  /** The first request that this has not returned yet, as soon as it is there. */
  readonly nextRequest: () => Promise<RecordedRequest>;
  /** Resolves once a client has left before its answer was complete. */
  readonly clientLeft: Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startMessagesApi(
  turns: readonly ScriptedAnswer[],
  { stream = true }: { readonly stream?: boolean } = {},
): Promise<MessagesApi> {
  const requests: RecordedRequest[] = [];
  const waiting: ((request: RecordedRequest) => void)[] = [];
  let returned = 0;
  let played = 0;
  let connections = 0;
  let left = (): void => undefined;
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });

  const server = createServer({ noDelay: true }, (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) left();
    });
    // A client that leaves breaks the answer; that is part of many tests.
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    requests.push(request);
    const waiter = waiting.shift();
    if (waiter !== undefined) {
      returned += 1;
      waiter(request);
    }
    const refusal = refusalOf(request);
    if (refusal !== undefined) return sendError(response, refusal);
    const turn = turns[played] ?? [{ type: 'text', text: 'done' }];
    played += 1;
    await send(response, typeof turn === 'function' ? await turn(request) : turn, request, stream, played);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    nextRequest: () => {
      const request = requests[returned];
      if (request === undefined) return new Promise((resolve) => waiting.push(resolve));
      returned += 1;
      return Promise.resolve(request);
    },
    clientLeft,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

function refusalOf({ method, path, headers, body }: RecordedRequest): ApiError | undefined {
  if (method !== 'POST' || path !== '/v1/messages') {
    return { status: 404, type: 'not_found_error', message: 'Not found' };
  }
  if (headers['x-api-key'] === undefined && headers['authorization'] === undefined) {
    return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
  }
  const fault =
    headers['anthropic-version'] === undefined ? 'anthropic-version: header is required' : requestFault(body);
  return fault === undefined ? undefined : { status: 400, type: 'invalid_request_error', message: fault };
}

function sendError(response: ServerResponse, { status, type, message }: ApiError): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_test' }));
}

async function send(
  response: ServerResponse,
  turn: ApiTurn,
  { body }: RecordedRequest,
  stream: boolean,
  number: number,
): Promise<void> {
  if ('error' in turn) return sendError(response, turn.error);
  if ('chunks' in turn) {
    response.writeHead(turn.status ?? 200, turn.headers ?? { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    await writeChunks(response, turn.chunks);
    if (turn.end === 'hang') return;
    if (turn.end === 'reset') response.socket?.resetAndDestroy();
    else response.end();
    return;
  }
  const { model, stream: wanted } = body as { model: string; stream?: boolean };
  const message = messageOf(turn, model, number);
  if (stream && wanted === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_test' });
    response.end(streamOf(message).join(''));
  } else {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_test' });
    response.end(JSON.stringify(message));
  }
}

/** Without a pause between them the kernel would join small writes. */
async function writeChunks(
  response: ServerResponse,
  chunks: readonly (string | Uint8Array)[],
): Promise<void> {
  for (const chunk of chunks) {
    await new Promise((resolve) => response.write(chunk, resolve));
    await nextTick();
  }
}
