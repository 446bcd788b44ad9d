/** What every part of the API is given. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { StreamOptions } from './api-stream.ts';
import type { Daemon } from './daemon.ts';

export interface ApiTimes {
  /** A comment on a quiet stream, so that a dead connection is noticed. */
  readonly keepAliveMs: number;
  /** How long a stream may take nothing. */
  readonly stuckMs: number;
}

export const API_TIMES: ApiTimes = { keepAliveMs: 15_000, stuckMs: 60_000 };

export interface ApiSurroundings {
  readonly daemon: Daemon;
  readonly times: ApiTimes;
  /** Streams end when it aborts. */
  readonly closing: AbortSignal;
  readonly startedAt: Date;
  /** Stops the daemon; returns at once. */
  readonly stop: (reason: string, graceMs: number | undefined) => void;
  /** Connections that are open. */
  readonly clients: () => number;
  /** True once it stops: nothing new begins. */
  readonly isStopping: () => boolean;
}

export type ApiContext = Context<{ Bindings: Partial<HttpBindings> }>;

export function streamOptions({ times, closing }: ApiSurroundings, context: ApiContext): StreamOptions {
  const outgoing = context.env?.outgoing;
  return {
    ...times,
    closing,
    outgoing:
      outgoing !== undefined && 'req' in outgoing ? (outgoing as StreamOptions['outgoing']) : undefined,
  };
}
