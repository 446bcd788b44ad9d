/** http hooks, against a server of our own on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Hook } from '../../src/hooks/hook.ts';
import { runHttpHook } from '../../src/hooks/http.ts';
import { openDescriptors } from '../lib/children.ts';
import { braces, hook } from './hooks.ts';

interface Request {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let base: string;
let requests: Request[];
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  requests = [];
  answer = (response) => response.end('{"decision":"block","reason":"R"}');
});

interface Changes {
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly allowedEnvVars?: string[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly reach?: 'listed' | 'refused';
  readonly payload?: string;
}

const HOST = {
  environmentOf: () => ({ TOKEN: 'abc', OTHER: 'secret', ANTHROPIC_API_KEY: 'key', BROKEN: 'a\r\nb' }),
};

function post(changes: Changes = {}) {
  const { url = `${base}/hook`, headers = {}, allowedEnvVars = [], reach } = changes;
  const said = reach === undefined ? {} : { reach };
  const of: Hook = hook(
    { type: 'http', url, headers, allowedEnvVars, ...said },
    { timeoutMs: changes.timeoutMs },
  );
  return runHttpHook(
    of,
    changes.payload ?? '{"a":"é"}\n',
    HOST,
    changes.signal ?? new AbortController().signal,
  );
}
const notStarted = (why: string) => ({ kind: 'notStarted', message: expect.stringContaining(why) });

test('the payload is posted as JSON, and the body of the answer read', async () => {
  expect(await post()).toMatchObject({
    end: { kind: 'exited', code: 0 },
    stdout: '{"decision":"block","reason":"R"}',
    stderr: '',
    truncated: false,
  });
  expect(requests).toEqual([
    {
      method: 'POST',
      url: '/hook',
      headers: expect.objectContaining({ 'content-type': 'application/json', 'content-length': '11' }),
      body: '{"a":"é"}\n',
    },
  ]);
});

test('a payload of 2 MB arrives whole', async () => {
  await post({ payload: 'x'.repeat(2_000_000) });
  expect(requests[0]?.body.length).toBe(2_000_000);
});

test('an empty answer is one', async () => {
  answer = (response) => response.writeHead(204).end();
  expect(await post()).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: '' });
});

test.each([300, 304, 400, 403, 404, 500, 503])(
  'status %i is no answer, but its body can be looked at',
  async (status) => {
    answer = (response) => response.writeHead(status).end(status === 304 ? undefined : 'no');
    expect(await post()).toMatchObject({
      end: notStarted(`status ${status}`),
      stdout: status === 304 ? '' : 'no',
    });
  },
);

test('a redirect is not followed', async () => {
  answer = (response) => response.writeHead(307, { location: `${base}/elsewhere` }).end();
  expect((await post()).end).toEqual(notStarted('a redirect, which is not followed'));
  expect(requests.map(({ url }) => url)).toEqual(['/hook']);
});

describe('headers', () => {
  test('are filled with the variables that are allowed; others are empty', async () => {
    await post({
      headers: {
        Authorization: 'Bearer $TOKEN',
        'X-Two': `${braces('TOKEN')}-$OTHER-${braces('OTHER')}-$MISSING`,
        'Content-Type': 'text/plain',
      },
      allowedEnvVars: ['TOKEN', 'MISSING'],
    });
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-two': 'abc---',
      'content-type': 'application/json',
    });
  });

  test('never get the model’s credentials', async () => {
    await post({ headers: { 'X-Key': 'k$ANTHROPIC_API_KEY' }, allowedEnvVars: ['ANTHROPIC_API_KEY'] });
    expect(requests[0]?.headers['x-key']).toBe('k');
  });

  test('that are none fail the request', async () => {
    const { end } = await post({ headers: { 'X-Broken': '$BROKEN' }, allowedEnvVars: ['BROKEN'] });
    expect(end).toEqual(notStarted('the request failed'));
    expect(requests).toEqual([]);
  });
});

describe('a URL', () => {
  test.each([
    ['http://example.invalid/hook', 'neither https nor on this machine'],
    ['http://127.0.0.1.example.invalid/', 'neither https nor on this machine'],
    ['http://localhost.example.invalid/', 'neither https nor on this machine'],
    ['http://0.0.0.0/', 'neither https nor on this machine'],
    ['ftp://127.0.0.1/', 'ftp: is not supported'],
    ['file:///etc/passwd', 'file: is not supported'],
    ['/hook', 'cannot be read'],
  ])('%s is not asked', async (url, why) => {
    expect((await post({ url })).end).toEqual(notStarted(why));
  });

  test.each([
    ['of this machine, however it is written', () => base.replace('127.0.0.1', '127.1')],
    ['of this machine by name', () => base.replace('127.0.0.1', 'localhost')],
  ])('%s is asked', async (_name, url) => {
    expect((await post({ url: url() })).end).toEqual({ kind: 'exited', code: 0 });
  });

  test('of anywhere is asked where the user’s settings allow it', async () => {
    const url = 'http://hooks.invalid./';
    expect((await post({ url, reach: 'listed' })).end).toEqual(notStarted('the request failed'));
  });

  test('that those who may restrict http hooks do not name is not asked, wherever it is', async () => {
    expect((await post({ reach: 'refused' })).end).toEqual(notStarted('not among allowedHttpHookUrls'));
  });
});

describe('a server that does not answer', () => {
  test('refuses', async () => {
    expect((await post({ url: 'http://127.0.0.1:1/hook' })).end).toEqual(notStarted('ECONNREFUSED'));
  });

  test('hangs up', async () => {
    answer = (response) => response.destroy();
    expect((await post()).end).toEqual(notStarted('the request failed'));
  });

  test('hangs up in the middle of its answer', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half"', () => response.destroy());
    };
    expect((await post()).end).toEqual(notStarted('the request failed'));
  });

  test('says nothing until the time is up', async () => {
    answer = () => {};
    expect((await post({ timeoutMs: 100 })).end).toEqual({ kind: 'timedOut' });
  });

  test('begins to speak and does not end', async () => {
    answer = (response) => response.write('{');
    expect((await post({ timeoutMs: 100 })).end).toEqual({ kind: 'timedOut' });
  });

  test('is left when the turn is interrupted', async () => {
    const turn = new AbortController();
    answer = () => turn.abort();
    expect((await post({ signal: turn.signal })).end).toEqual({ kind: 'interrupted' });
    expect((await post({ signal: AbortSignal.abort() })).end).toEqual({ kind: 'interrupted' });
  });

  test('never ends its answer', async () => {
    answer = (response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 'x')));
        response.once('drain', more);
      };
      more();
    };
    const run = await post();
    expect(run).toMatchObject({ end: { kind: 'exited', code: 0 }, truncated: true });
    expect(run.stdout.length).toBeLessThanOrEqual(8 * 1024 * 1024);
  });
});

test('a hundred requests leave no connection open', async () => {
  await post();
  const before = openDescriptors();
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 10 }, () => post()));
  await new Promise((resolve) => setImmediate(resolve));
  expect(openDescriptors() - before).toBeLessThan(30);
});
