/** A daemon in this process, on a real socket, and clients of it. */
import { request } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { type Connection, connect } from '../../src/cli/connection.ts';
import type { Delivery, SessionClient } from '../../src/core/protocol.ts';
import { type Served, type ServeOptions, serveDaemon } from '../../src/daemon/serve.ts';
import { makeWorkspace, modelScript, type Workspace, type WorkspaceOptions } from './hookd.ts';

export interface TestDaemon {
  readonly workspace: Workspace;
  readonly served: Served;
  readonly connection: Connection;
  /** Another client. */
  readonly connect: (client: string) => Promise<Connection>;
  readonly session: (turns: readonly unknown[]) => Promise<SessionClient>;
  readonly stop: (reason?: string, graceMs?: number) => Promise<void>;
}

export interface TestDaemonOptions extends WorkspaceOptions, Partial<Omit<ServeOptions, 'env'>> {
  readonly workspace?: Workspace;
}

export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { workspace = makeWorkspace(options), graceMs = 0, ...rest } = options;
  const { settings: _, projectSettings: __, files: ___, env: ____, ...serve } = rest;
  const { env } = workspace;
  const served = await serveDaemon({ ...serve, env, graceMs });
  const connection = await connect(env, 'test');
  let scripts = 0;
  return {
    workspace,
    served,
    connection,
    connect: (client) => connect(env, client),
    session: (turns) => {
      scripts += 1;
      return connection.createSession({
        cwd: workspace.project,
        env: { ...env },
        modelScript: modelScript(workspace, turns, `script-${scripts}.json`),
      });
    },
    stop: async (reason = 'test', grace) => {
      served.stop(reason, grace);
      await served.stopped;
    },
  };
}

/** Follows a session in the background; `seen` grows. */
export interface Follower {
  readonly seen: readonly Delivery[];
  readonly kinds: () => readonly string[];
  readonly leave: () => void;
  /** Resolves when the stream has ended, with the error that ended it. */
  readonly done: Promise<unknown>;
}

export function follow(session: SessionClient, after?: number): Follower {
  const leaving = new AbortController();
  const seen: Delivery[] = [];
  const done = (async () => {
    try {
      for await (const delivery of session.events(after, leaving.signal)) seen.push(delivery);
      return undefined;
    } catch (error) {
      return error;
    }
  })();
  return {
    seen,
    kinds: () =>
      seen.flatMap((delivery) =>
        delivery.kind !== 'event' ? [delivery.kind] : delivery.id === undefined ? [] : [delivery.event.kind],
      ),
    leave: () => leaving.abort(),
    done,
  };
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: {
    readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
  };
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One request as any program could send it. */
export function ask(
  socketPath: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath,
      method,
      path,
      agent: false,
      headers: { host: 'localhost', ...headers },
    });
    let answered = false;
    sent.on('error', (error) => {
      // A refusal may arrive before the body has left.
      if (!answered) reject(error);
    });
    sent.on('response', (response) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, json: parsed(text) }));
      response.on('error', reject);
    });
    sent.end(body);
  });
}

function parsed(text: string): Answer['json'] {
  try {
    return JSON.parse(text) as Answer['json'];
  } catch {
    return {};
  }
}

/** Bytes as they are; resolves with all that comes back when the other side ends the connection. */
export function sendBytes(socketPath: string, bytes: string | Buffer, ends = false): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connectSocket(socketPath);
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.on('connect', () => {
      socket.write(bytes);
      if (ends) socket.end();
    });
  });
}

export const JSON_BODY = { 'content-type': 'application/json' } as const;
