/** Event streams of the daemon: a reader that is slow, one that takes nothing, a connection that breaks. */
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DaemonSocket } from '../../src/cli/client.ts';
import { RemoteSession } from '../../src/cli/remote-session.ts';
import type { SessionInfo } from '../../src/core/protocol.ts';
import { instancePlace } from '../../src/daemon/socket-path.ts';
import { follow, startTestDaemon } from '../support/daemon.ts';
import { auditRecords, makeWorkspace, until } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

/** A client that asks for a stream, sees it begin, and reads nothing more. */
async function asleep(socketPath: string, path: string): Promise<Socket> {
  const socket = connect(socketPath);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: hookd\r\n\r\n`);
  await new Promise<void>((resolve) =>
    socket.once('data', () => {
      socket.pause();
      resolve();
    }),
  );
  return socket;
}

describe('a reader that is too slow', () => {
  it('is dropped and told so, and holds nobody up', async () => {
    const daemon = await startTestDaemon();
    const turns = Array.from({ length: 14 }, () => [text('x'.repeat(400_000))]);
    const session = await daemon.session(turns);
    const slow = await asleep(daemon.served.socket, `/v1/sessions/${session.info.id}/events?after=0`);
    const quick = follow(session, 0);
    for (const _ of turns) await session.prompt('more');
    const ends = () => quick.kinds().filter((kind) => kind === 'turn_ended').length;
    await until(() => ends() === turns.length, 'all turns');
    expect(quick.kinds()).not.toContain('dropped');
    let said = '';
    slow.on('data', (chunk) => {
      said += String(chunk);
    });
    slow.resume();
    await until(() => said.includes('event: dropped'), 'the news');
    expect(said.slice(said.indexOf('event: dropped'))).toMatch(
      /^event: dropped\ndata: \{"why":"You read too slowly/,
    );
    expect(said.length).toBeLessThan(14 * 400_000);
    slow.destroy();
    quick.leave();
    await daemon.stop();
  });

  it('is let go when it takes nothing at all', async () => {
    const daemon = await startTestDaemon({ times: { keepAliveMs: 10, stuckMs: 300 } });
    const session = await daemon.session([[text('x'.repeat(900_000))]]);
    await session.prompt('more');
    const slow = await asleep(daemon.served.socket, `/v1/sessions/${session.info.id}/events?after=0`);
    let clients = 0;
    const look = async () => {
      clients = (await daemon.connection.status()).clients;
      return clients;
    };
    const deadline = Date.now() + 45_000;
    while ((await look()) > 1 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(clients).toBe(1);
    slow.destroy();
    await daemon.stop();
  });
});

describe('the audit, followed', () => {
  it('is shown record by record, as it is in the file', async () => {
    const daemon = await startTestDaemon();
    const session = await daemon.session([[toolUse('Bash', { command: 'true' })], [text('done')]]);
    const watcher = follow(session, 0);
    const { events } = await new DaemonSocket(daemon.workspace.env, 'test').stream({
      path: `/v1/audit/events?kind=permission&kind=turn_ended&session=${session.info.id}`,
    });
    await session.prompt('do it');
    const seen: { event: string; data: string }[] = [];
    for await (const { event, data } of events) {
      seen.push({ event, data });
      if (event === 'turn_ended') break;
    }
    expect(seen.map(({ event }) => event)).toEqual(['permission', 'turn_ended']);
    const stored = auditRecords(daemon.workspace).filter(({ kind }) => kind === 'permission');
    expect(JSON.parse(seen[0]?.data ?? '')).toEqual(stored[0]);
    watcher.leave();
    await daemon.stop();
  });
});

describe('a client whose connection breaks', () => {
  it('goes on after the last number that it has, and ends with the session', async () => {
    const { env, home } = makeWorkspace();
    const place = instancePlace(home);
    mkdirSync(dirname(place.socket), { mode: 0o700 });
    const asked: (string | undefined)[] = [];
    const frame = (id: number, kind: string) => `id: ${id}\nevent: ${kind}\ndata: {"kind":"${kind}"}\n\n`;
    const answers = [
      // Broken in the middle of an event, then before any, then in order.
      (response: ServerResponse) => {
        response.write(`${frame(8, 'prompt')}event: text\ndata: {"kind":"text","text":"a"}\n\n`);
        response.write(frame(9, 'request').slice(0, 12), () => response.destroy());
      },
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => response.end(frame(9, 'request') + frame(10, 'session_ended')),
    ];
    const server = createServer((request: IncomingMessage, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'hookd-event-id': '7' });
      response.flushHeaders();
      answers[asked.length - 1]?.(response);
    });
    await new Promise<void>((resolve) => server.listen(place.socket, resolve));
    chmodSync(place.socket, 0o600);
    const session = new RemoteSession(new DaemonSocket(env, 'test'), {
      id: 's',
      lastEventId: 0,
    } as SessionInfo);
    const follower = follow(session);
    expect(await follower.done).toBeUndefined();
    expect(follower.seen.map((one) => (one.kind === 'event' ? [one.id, one.event.kind] : one.kind))).toEqual([
      [8, 'prompt'],
      [undefined, 'text'],
      [9, 'request'],
      [10, 'session_ended'],
    ]);
    expect(asked).toEqual([undefined, '8', '8']);
    await new Promise((resolve) => server.close(resolve));
  });
});
