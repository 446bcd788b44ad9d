/**
 * The daemon from outside: requests and event streams over its socket, and nothing else. What starts quickly depends on
 * this module's imports being few.
 */
import { lstatSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { errorNamed, HookdError, messageOf, systemCode } from '../core/errors.ts';
import { CLIENT_HEADER, PROTOCOL, PROTOCOL_HEADER } from '../core/protocol.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { type InstancePlace, instancePlace } from '../daemon/socket-path.ts';
import { readEvents, type ServerEvent } from './sse.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Without any sign of life for so long, the daemon counts as unreachable. */
  readonly timeoutMs?: number;
}

export interface EventStream {
  readonly headers: IncomingMessage['headers'];
  readonly events: AsyncIterable<ServerEvent>;
}

/** The socket of one daemon, for a client of this name. */
export class DaemonSocket {
  readonly place: InstancePlace;
  readonly hookdHome: string;
  readonly #client: string;

  constructor(env: Environment, client: string) {
    this.hookdHome = hookdHomeOf(env);
    this.place = instancePlace(this.hookdHome);
    this.#client = client;
  }

  /** The JSON of an answer; undefined where there is none. Throws DAEMON_UNREACHABLE, or what the daemon says. */
  async call(call: Call): Promise<unknown> {
    const response = await this.#send(call);
    const text = await wholeText(response, this.place.socket);
    return text === '' ? undefined : JSON.parse(text);
  }

  async stream(call: Omit<Call, 'method' | 'body'>): Promise<EventStream> {
    const response = await this.#send({ ...call, method: 'GET' });
    response.setEncoding('utf8');
    return { headers: response.headers, events: readEvents(this.#chunks(response, call.signal)) };
  }

  /** A stream that breaks is a daemon that went away, unless we let go of it. */
  async *#chunks(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
    try {
      yield* response as AsyncIterable<string>;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const message = `The daemon on ${this.place.socket} went away.`;
      throw new HookdError('DAEMON_UNREACHABLE', message, { cause: error });
    }
  }

  async #send(call: Call): Promise<IncomingMessage> {
    assertOurs(this.place);
    const response = await this.#request(call);
    if ((response.statusCode ?? 500) < 400) return response;
    throw refusal(response.statusCode, await wholeText(response, this.place.socket));
  }

  #request({ method, path, body, headers = {}, signal, timeoutMs }: Call): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { socket } = this.place;
    return new Promise((resolve, reject) => {
      const sent = request({
        socketPath: socket,
        method,
        path,
        // A connection of its own: one that is kept may end just as it is used again.
        agent: false,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          Host: 'hookd',
          [PROTOCOL_HEADER]: PROTOCOL,
          [CLIENT_HEADER]: this.#client,
          ...(text === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      if (timeoutMs !== undefined)
        sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      sent.once('error', (error) => reject(signal?.aborted === true ? error : unreachable(socket, error)));
      sent.once('response', resolve);
      sent.end(text);
    });
  }
}

/** A directory that somebody else has put where ours should be must not get our prompts, nor answer our questions. */
function assertOurs({ socket, socketDirectory }: InstancePlace): void {
  for (const path of [socketDirectory, socket]) {
    const stats = statsOf(path, socket);
    if (stats === undefined) throw unreachable(socket, undefined);
    const own = process.geteuid?.() ?? stats.uid;
    if (stats.uid !== own)
      throw new HookdError(
        'DAEMON_UNREACHABLE',
        `${path} belongs to user ${stats.uid}, and this is user ${own}: it is no daemon of yours.`,
      );
  }
}

/** Where a file stands in place of a directory, or none may be entered, no daemon is to be reached either. */
function statsOf(path: string, socket: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreachable(socket, error);
  }
}

async function wholeText(response: IncomingMessage, socket: string): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of response) text += chunk;
  } catch (error) {
    throw unreachable(socket, error);
  }
  return text;
}

export function unreachable(socket: string, error: unknown): HookdError {
  const code = systemCode(error);
  const isAbsent = error === undefined || code === 'ENOENT' || code === 'ECONNREFUSED';
  const message = isAbsent
    ? `No daemon runs: nothing listens on ${socket}.`
    : `The daemon on ${socket} does not answer: ${messageOf(error)}.`;
  return new HookdError('DAEMON_UNREACHABLE', message, { cause: error });
}

function refusal(status: number | undefined, text: string): HookdError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return errorNamed(error.code, error.message);
  } catch {
    return new HookdError('INTERNAL', `The daemon answered with status ${status}: ${text.slice(0, 200)}`);
  }
}
