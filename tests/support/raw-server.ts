/** A server of bytes: it reads requests, and answers them with what no HTTP library would send. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RawServer {
  readonly port: number;
  readonly url: string;
  /** The text of each request that came whole. */
  readonly requests: readonly string[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** @param answer called with each whole request; `number` counts them from 1 */
export async function startRawServer(
  answer: (socket: Socket, number: number) => void,
  host = '127.0.0.1',
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = endOfRequest(received); end !== undefined; end = endOfRequest(received)) {
        requests.push(received.slice(0, end));
        received = received.slice(end);
        answer(socket, requests.length);
      }
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    connections: () => connections,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Resolves once the connection has ended, in whatever way. */
export function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length >= end ? end : undefined;
}
