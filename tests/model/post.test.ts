/** Requests over real sockets, against servers that keep to the protocol and such that do not. */
import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, openPost, type Post } from '../../src/model/post.ts';
import { gone, type RawServer, startRawServer } from '../support/raw-server.ts';

let server: RawServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(
  answer: (socket: Socket, number: number) => void,
): Promise<{ server: RawServer; post: Post }> {
  const started = await startRawServer(answer);
  server = started;
  return { server: started, post: await openPost(started.url, {}, 10_000) };
}

const BODY = Buffer.from('{}');
const HELLO = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
const untilEnded = () => new AbortController().signal;

async function bodyOf({ chunks }: Answer): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read).toString();
}

/** The status and the body of the answer, or how it failed. */
async function outcome(post: Post): Promise<string> {
  try {
    const answer = await post(BODY, untilEnded());
    return `${answer.status} ${await bodyOf(answer)}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const MANY = 'x-many: 0123456789\r\n'.repeat(2000);

describe('an answer is what the server sent, or a failure', () => {
  it.each([
    ['with its length', HELLO, '200 hello'],
    ['in chunks', `${CHUNKED}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`, '200 hello'],
    ['until the connection ends', 'HTTP/1.1 200 OK\r\n\r\nhello', '200 hello'],
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', '204 '],
    [
      'after others that are not final',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n${HELLO}`,
      '200 hello',
    ],
    [
      'of another protocol',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'ECONNRESET',
    ],
    ['shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello', 'ECONNRESET'],
    ['in chunks without the last', `${CHUNKED}5\r\nhello\r\n`, 'ECONNRESET'],
    ['cut in a chunk', `${CHUNKED}9\r\nhello`, 'ECONNRESET'],
    ['in chunks without a length', `${CHUNKED}5\r\nhello\r\nnone\r\n`, 'ECONNRESET'],
    ['cut in its headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'ECONNRESET'],
    ['that is none', '', 'ECONNRESET'],
    ['that is not HTTP', 'SSH-2.0-OpenSSH\r\n', 'HPE_INVALID_CONSTANT'],
    ['with too many headers', `HTTP/1.1 200 OK\r\n${MANY}\r\n`, 'HPE_HEADER_OVERFLOW'],
    ['with a header that has no end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`, 'HPE_HEADER_OVERFLOW'],
    [
      'with two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
      'HPE_UNEXPECTED_CONTENT_LENGTH',
    ],
  ])('%s', async (_, answer, expected) => {
    const { server, post } = await serve((socket) => socket.end(answer));
    expect(await outcome(post)).toBe(expected);
    expect(server.requests).toHaveLength(1);
  });
});

it('a redirect is an answer like others', async () => {
  const { server, post } = await serve((socket) =>
    socket.end('HTTP/1.1 307 Elsewhere\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'),
  );
  const { status, headers } = await post(BODY, untilEnded());
  expect([status, headers.get('location'), headers.get('other')]).toEqual([307, '/elsewhere', null]);
  expect(server.requests).toHaveLength(1);
});

it('a connection serves the next request once its answer was read', async () => {
  const { server, post } = await serve((socket) => socket.write(HELLO));
  for (let sent = 0; sent < 3; sent += 1) expect(await outcome(post)).toBe('200 hello');
  expect([server.requests.length, server.connections()]).toEqual([3, 1]);
});

it('an abort after the end of an answer leaves its connection alone', async () => {
  const { server, post } = await serve((socket) => socket.write(HELLO));
  for (let sent = 0; sent < 3; sent += 1) {
    const controller = new AbortController();
    expect(await bodyOf(await post(BODY, controller.signal))).toBe('hello');
    controller.abort();
  }
  expect(server.connections()).toBe(1);
});

it('a request that meets the end of a kept connection fails and is not sent again', async () => {
  const { server, post } = await serve((socket, number) => {
    if (number === 1) socket.write(HELLO);
    else socket.destroy();
  });
  expect(await outcome(post)).toBe('200 hello');
  expect(await outcome(post)).toBe('ECONNRESET');
  expect([server.requests.length, server.connections()]).toEqual([2, 1]);
});

it('a connection that the server says it will end serves no second request', async () => {
  const { server, post } = await serve((socket) =>
    socket.write(HELLO.replace('\r\n', '\r\nconnection: close\r\n')),
  );
  for (let sent = 0; sent < 2; sent += 1) expect(await outcome(post)).toBe('200 hello');
  expect([server.requests.length, server.connections()]).toEqual([2, 2]);
});

it('an answer counts that comes before the request was read, and an abort ends what is left of that', async () => {
  const deaf = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\n\r\nmuch');
  }).listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const post = await openPost(`http://127.0.0.1:${(deaf.address() as AddressInfo).port}`, {}, 10_000);
  const controller = new AbortController();
  const accepted = once(deaf, 'connection');
  const answer = await post(Buffer.alloc(16 * 1024 * 1024), controller.signal);
  expect([answer.status, await bodyOf(answer)]).toEqual([413, 'much']);
  const [socket] = (await accepted) as [Socket];
  const left = gone(socket);
  controller.abort();
  socket.resume();
  await left;
  deaf.close();
  await once(deaf, 'close');
});

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    const { server, post } = await serve((socket) => socket.write(HELLO));
    await expect(post(BODY, AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
    expect(server.connections()).toBe(0);
  });

  it('while it connects, and while nothing has come, ends it', async () => {
    const { server, post } = await serve(() => undefined);
    const atOnce = new AbortController();
    const first = post(BODY, atOnce.signal);
    atOnce.abort();
    await expect(first).rejects.toThrow('aborted');
    const waiting = new AbortController();
    const second = post(BODY, waiting.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    waiting.abort();
    await expect(second).rejects.toThrow('aborted');
  });

  it.each(['before the body is read', 'while more of the body is awaited'])('%s ends it', async (when) => {
    let left: Promise<void> | undefined;
    const { post } = await serve((socket) => {
      left = gone(socket);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello');
    });
    const controller = new AbortController();
    const { chunks } = await post(BODY, controller.signal);
    if (when.startsWith('while')) await chunks.next();
    const more = when.startsWith('while') ? chunks.next() : undefined;
    controller.abort();
    await expect(more ?? chunks.next()).rejects.toThrow('aborted');
    await left;
  });

  it('leaves no listener on the signal, nor does the end of an answer', async () => {
    const { post } = await serve((socket) => socket.write(HELLO));
    const { signal } = new AbortController();
    for (let sent = 0; sent < 5; sent += 1) await bodyOf(await post(BODY, signal));
    await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('a connection that does not come about ends soon', async () => {
  // A server that never answers the handshake: a name or an address that leads nowhere looks the same.
  const { server } = await serve(() => undefined);
  const post = await openPost(`https://127.0.0.1:${server.port}`, {}, 50);
  const failure = post(BODY, untilEnded());
  await expect(failure).rejects.toMatchObject({ code: 'ETIMEDOUT', message: 'no connection within 0.05 s' });
});

it('an IPv6 address in a URL is one', async () => {
  const there = await startRawServer((socket) => socket.end(HELLO), '::1').catch(() => undefined);
  const post = await openPost(there?.url ?? 'http://[::1]:9', {}, 10_000);
  const said = await outcome(post);
  await there?.close();
  // Where a system has no IPv6, it is the system that says so.
  if (there === undefined) expect(said).toMatch(/^(EADDRNOTAVAIL|ECONNREFUSED|EAFNOSUPPORT|ENETUNREACH)$/);
  else
    expect([said, there.requests[0]]).toEqual(['200 hello', expect.stringContaining(`[::1]:${there.port}`)]);
});
