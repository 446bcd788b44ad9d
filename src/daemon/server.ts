/**
 * HTTP on a Unix socket that only its user can open: bounded connections, header and body in time, and a clear answer
 * to whatever else arrives.
 */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { messageOf, systemCode } from '../core/errors.ts';
import type { Api } from './api.ts';
import { ApiProblem, problemResponse } from './api-problem.ts';

export interface ServerLimits {
  readonly connections: number;
  readonly headersMs: number;
  /** For a whole request, its body too. */
  readonly requestMs: number;
  /** How often the two are looked at. */
  readonly checkMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  connections: 512,
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
};

const MAX_HEADER_BYTES = 16 * 1024;

export interface RunningServer {
  /** Takes no new connections; resolves when the last one has ended. Those that still are there after `limitMs` are cut. */
  close(limitMs: number): Promise<void>;
  /** Connections that are open now. */
  readonly connections: number;
}

export async function serveOn(
  socket: string,
  api: Api,
  limits: ServerLimits = SERVER_LIMITS,
): Promise<RunningServer> {
  const open = new Set<Socket>();
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    getRequestListener((request, bindings) => api.fetch(request, bindings), {
      overrideGlobalObjects: false,
      errorHandler: (error) => problemResponse(invalid(`The request cannot be read: ${messageOf(error)}.`)),
    }),
  );
  server.maxConnections = limits.connections;
  server.on('connection', (connection) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  });
  server.on('clientError', answerBrokenRequest);
  await listen(server, socket);
  return {
    close: (limitMs) => close(server, limitMs),
    get connections() {
      return open.size;
    },
  };
}

/** The socket is made 0600: there is no moment in which others could open it. */
function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    const before = process.umask(0o177);
    try {
      server.listen(socket);
    } finally {
      process.umask(before);
    }
  });
}

function close(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), limitMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function answerBrokenRequest(error: Error, socket: Socket): void {
  if (systemCode(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(systemCode(error));
  const { status, code, message, hint } = problem;
  const body = `${JSON.stringify({ error: { code, message, hint } })}\n`;
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body);
  // Whoever does not read the answer does not keep the connection either.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

function problemOf(code: string | undefined): ApiProblem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiProblem(
      408,
      'REQUEST_TIMEOUT',
      'The request did not arrive in time.',
      'Send it whole, at once.',
    );
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiProblem(
      431,
      'REQUEST_TOO_LARGE',
      `The headers are larger than ${MAX_HEADER_BYTES} bytes.`,
      SEE,
    );
  return invalid('This is no HTTP request.');
}

const SEE = 'docs/api.md shows how to speak to the daemon.';

function invalid(message: string): ApiProblem {
  return new ApiProblem(400, 'REQUEST_INVALID', message, SEE);
}
