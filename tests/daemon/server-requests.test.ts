/** Whatever is sent to the socket: a clear answer, or none; the daemon lives, and nothing of it is carried out. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDaemon } from '../../src/daemon/serve.ts';
import {
  type Answer,
  ask,
  JSON_BODY,
  type RawRequest,
  sendBytes,
  startTestDaemon,
  type TestDaemon,
} from '../support/daemon.ts';
import { auditRecords, kindsOf, makeWorkspace } from '../support/hookd.ts';
import { text } from '../support/in-process.ts';
import { Random } from '../support/random.ts';

let daemon: TestDaemon;
let socket: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  socket = daemon.served.socket;
});
afterAll(() => daemon.stop());

/** One that waits for nobody. On a slow machine that may even be a request in order: it is sent again. */
async function startImpatient(): Promise<{
  socket: string;
  isAlive: () => Promise<void>;
  stop: () => Promise<void>;
}> {
  const { env } = makeWorkspace();
  const limits = { connections: 40, headersMs: 300, requestMs: 400, checkMs: 50 };
  const served = await serveDaemon({ env, graceMs: 0, limits });
  return {
    socket: served.socket,
    async isAlive() {
      for (let tries = 0; ; tries++) {
        const health = await ask(served.socket, { path: '/v1/health' }).catch(() => undefined);
        if (health?.status === 200) return;
        if (tries > 50) throw new Error(`no health: ${health?.text}`);
      }
    },
    async stop() {
      served.stop('test');
      await served.stopped;
    },
  };
}

const isAlive = async (): Promise<void> => {
  const health = await ask(socket, { path: '/v1/health' });
  expect(health.status).toBe(200);
  expect(health.json).toMatchObject({ ok: true, protocol: '1', pid: process.pid });
};

/** On a slow machine the connection may be cut while the body still leaves: then the refusal is lost, and comes again. */
async function refused(request: RawRequest): Promise<Answer> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await ask(socket, request).catch(() => undefined);
    if (answer !== undefined) return answer;
  }
  throw new Error('no refusal came');
}

describe('the daemon', () => {
  it.each([
    ['nothing', { path: '/v1/nothing' }, 404, 'NOT_FOUND', /docs\/api\.md/],
    [
      'another version',
      { path: '/v1/health', headers: { 'hookd-protocol': '2' } },
      400,
      'PROTOCOL_MISMATCH',
      /restart/,
    ],
    [
      'a web page',
      { path: '/v1/health', headers: { origin: 'http://evil.example' } },
      403,
      'BROWSER_REFUSED',
      /socket/,
    ],
    [
      'the name of a site',
      { path: '/v1/health', headers: { host: 'evil.example' } },
      403,
      'BROWSER_REFUSED',
      /port/,
    ],
    ['a port', { path: '/v1/health', headers: { host: 'localhost:8080' } }, 403, 'BROWSER_REFUSED', /port/],
    [
      'no JSON',
      { method: 'POST', path: '/v1/sessions', headers: JSON_BODY, body: '{' },
      400,
      'REQUEST_INVALID',
      /api/,
    ],
    [
      'a form',
      { method: 'POST', path: '/v1/sessions', body: 'cwd=/' },
      415,
      'REQUEST_INVALID',
      /Content-Type/,
    ],
    [
      'a list',
      { method: 'POST', path: '/v1/sessions', headers: JSON_BODY, body: '[]' },
      400,
      'REQUEST_INVALID',
      /api/,
    ],
    [
      'bytes',
      { method: 'POST', path: '/v1/sessions', headers: JSON_BODY, body: Buffer.from([0xff, 0xfe]) },
      400,
      'REQUEST_INVALID',
      /api/,
    ],
    ['no body', { method: 'POST', path: '/v1/sessions' }, 400, 'REQUEST_INVALID', /api/],
    [
      'an unknown session',
      { method: 'POST', path: '/v1/sessions/x/prompts', headers: JSON_BODY, body: '{"text":"a"}' },
      404,
      'SESSION_UNKNOWN',
      /list/,
    ],
    [
      'an unknown question',
      {
        method: 'POST',
        path: '/v1/approvals/x',
        headers: JSON_BODY,
        body: `{"answer":"allow","inputDigest":"${'0'.repeat(64)}"}`,
      },
      410,
      'APPROVAL_GONE',
      /list/,
    ],
  ] as const)('says of %s what is wrong and what to do', async (_, request, status, code, hint) => {
    const answer = await ask(socket, request);
    expect({ status: answer.status, code: answer.json.error?.code }).toEqual({ status, code });
    expect(answer.json.error?.hint).toMatch(hint);
  });

  it('names the field that it does not know', async () => {
    const body = JSON.stringify({ cwd: '/', flags: { permisionMode: 'plan' } });
    const answer = await ask(socket, { method: 'POST', path: '/v1/sessions', headers: JSON_BODY, body });
    expect(answer.json.error?.message).toBe('Wrong body: flags has the unknown field "permisionMode".');
  });

  it('does not read a body of 2 MB, whatever its header claims', async () => {
    const body = JSON.stringify({ cwd: '/', modelScript: `/${'x'.repeat(2 * 1024 * 1024)}` });
    const claimed = await refused({ method: 'POST', path: '/v1/sessions', headers: JSON_BODY, body });
    expect([claimed.status, claimed.json.error?.code]).toEqual([413, 'REQUEST_TOO_LARGE']);
    const chunked = { ...JSON_BODY, 'transfer-encoding': 'chunked' };
    const silent = await refused({ method: 'POST', path: '/v1/sessions', headers: chunked, body });
    expect([silent.status, silent.json.error?.code]).toEqual([413, 'REQUEST_TOO_LARGE']);
    await isAlive();
  });

  it('lets go of a client that sends half a body, or a header byte by byte', async () => {
    const { socket, isAlive, stop } = await startImpatient();
    const half =
      'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"cwd":';
    expect(await sendBytes(socket, half)).toMatch(/ 408 .*REQUEST_TIMEOUT/s);
    expect(await sendBytes(socket, 'GET /v1/health HTTP/1.1\r\nX-Slow: ')).toMatch(/ 408 .*REQUEST_TIMEOUT/s);
    // One that leaves in the middle gets no answer, and is no fault.
    await sendBytes(socket, half, true);
    await isAlive();
    await stop();
  });

  it('answers what is no HTTP, and headers without end', async () => {
    expect(await sendBytes(socket, 'hello\r\n\r\n')).toMatch(/ 400 .*This is no HTTP request/s);
    expect(await sendBytes(socket, `GET / HTTP/1.1\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`)).toMatch(/ 431 /);
    const odd = 'GET http://[::1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendBytes(socket, odd)).toMatch(/ 40[03] .*"error"/s);
    await isAlive();
  });

  it('takes no more connections than it is told to', async () => {
    const { socket, isAlive, stop } = await startImpatient();
    const open = Array.from({ length: 80 }, () => connect(socket));
    const closed = open.map(
      (one) =>
        new Promise<void>((resolve) => {
          one.on('error', () => undefined);
          one.on('close', () => resolve());
          one.resume();
        }),
    );
    // Those over the limit are closed at once, the others when they have sent no header in time.
    await Promise.all(closed);
    await isAlive();
    await stop();
  });

  it('lives on through 400 requests of garbage', async () => {
    const random = new Random(7);
    const pick = <T>(values: readonly [T, ...T[]]): T => random.pick(values);
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)));
    const json = (depth: number): unknown =>
      depth === 0
        ? pick<unknown>([null, true, -1, 1e308, '', '\u0000', '__proto__', 'x'.repeat(50)])
        : pick<() => unknown>([
            () => [json(depth - 1), json(depth - 1)],
            () => ({ [pick(FIELDS)]: json(depth - 1), [pick(FIELDS)]: json(depth - 1) }),
          ])();
    const id = (await daemon.session([[text('x')]])).info.id;
    const paths: readonly [string, ...string[]] = [
      '/v1/sessions',
      `/v1/sessions/${id}/prompts`,
      `/v1/sessions/${id}/mode`,
      '/v1/approvals/x',
      '/v1/%00',
      '/v1/sessions/%2e%2e',
      '//',
      '*',
    ];
    const statuses = new Set<number>();
    for (let round = 0; round < 400; round++) {
      if (round % 4 === 0) {
        await sendBytes(socket, Buffer.concat([bytes(1 + random.below(200)), Buffer.from('\r\n\r\n')]), true);
        continue;
      }
      const body = round % 4 === 1 ? bytes(50) : JSON.stringify(json(1 + random.below(4)));
      const answer = await ask(socket, {
        method: pick(['POST', 'PUT', 'PATCH', 'DELETE']),
        path: pick(paths),
        headers: JSON_BODY,
        body,
      }).catch(() => undefined);
      if (answer === undefined) continue;
      statuses.add(answer.status);
      if (answer.status >= 400)
        expect(answer.json.error).toEqual({
          code: expect.any(String),
          message: expect.any(String),
          hint: expect.any(String),
        });
    }
    await isAlive();
    expect([...statuses].filter((status) => status >= 500 || status < 300)).toEqual([]);
    expect(kindsOf(auditRecords(daemon.workspace))).not.toContain('prompt');
  });
});

const FIELDS: readonly [string, ...string[]] = [
  'cwd',
  'env',
  'flags',
  'text',
  'mode',
  'answer',
  'inputDigest',
  '__proto__',
  'constructor',
  'toString',
  '',
];
