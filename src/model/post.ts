/**
 * POST to one address, over connections that are kept, through node:http. The global fetch takes twice the
 * processor time for a request and its stream, and when it is first used 35 ms and 8 MB.
 *
 * Invariants: one call is at most one request on the network, also where a kept connection turns out to be closed; no
 * redirect is followed; no variable of the environment is read (a proxy); an abort at any moment ends the connection; a
 * body that was cut off fails, and never looks like one that ended.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { chunksOf } from './answer-body.ts';

export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** To be read once; decoded where a proxy has compressed it. */
  readonly chunks: AsyncGenerator<Uint8Array, void>;
}

/** Resolves when an answer begins. Whoever does not read it to its end aborts. */
export type Post = (body: Uint8Array, signal: AbortSignal) => Promise<Answer>;

/** Servers and what stands between end idle connections, and a request that meets such an end is lost. */
const KEPT_MS = 4000;

/** @param connectMs until a connection stands, with TLS */
export async function openPost(
  url: string,
  headers: Readonly<Record<string, string>>,
  connectMs: number,
): Promise<Post> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const { Agent, request } = await (isSecure ? import('node:https') : import('node:http'));
  const agent = new Agent({ keepAlive: true, timeout: KEPT_MS });
  return async (body, signal) => {
    signal.throwIfAborted();
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.byteLength } };
    const sent = request(target, options);
    sent.once('socket', (socket: Socket) => {
      if (socket.connecting) limitConnecting(sent, socket, isSecure ? 'secureConnect' : 'connect', connectMs);
    });
    const answer = answerTo(sent, signal);
    sent.end(body);
    return await answer;
  };
}

function limitConnecting(sent: ClientRequest, socket: Socket, connected: string, connectMs: number): void {
  const timer = setTimeout(() => {
    const late = new Error(`no connection within ${connectMs / 1000} s`);
    sent.destroy(Object.assign(late, { code: 'ETIMEDOUT' }));
  }, connectMs);
  const stop = () => clearTimeout(timer);
  socket.once(connected, stop);
  sent.once('close', stop);
}

function answerTo(sent: ClientRequest, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let incoming: IncomingMessage | undefined;
    const abort = () => {
      const reason = new Error('aborted');
      incoming?.destroy(reason);
      // Also where the answer has come, but not all of the request has left; a connection that was handed back is safe.
      sent.destroy(reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    sent.once('response', (begun) => {
      incoming = begun;
      resolve({ status: begun.statusCode ?? 0, headers: headersOf(begun), chunks: chunksOf(begun) });
    });
    // Also once an answer has begun: then it says nothing that reading the body does not say.
    sent.on('error', reject);
    sent.once('close', () => {
      signal.removeEventListener('abort', abort);
      // An answer that nobody asked for (101) ends without an error.
      if (incoming === undefined) reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
  });
}

function headersOf({ headers }: IncomingMessage): Answer['headers'] {
  return {
    get: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
  };
}
