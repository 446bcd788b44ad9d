/**
 * Server-sent events: written as fast as their reader takes them, never faster; a reader that takes nothing for a
 * minute is let go.
 */
import type { ServerResponse } from 'node:http';

export interface Frame {
  readonly event: string;
  readonly id?: number | undefined;
  /** One line: JSON has no raw line breaks. */
  readonly data: string;
}

export interface StreamOptions {
  readonly outgoing: ServerResponse | undefined;
  /** The daemon stops. */
  readonly closing: AbortSignal;
  readonly keepAliveMs: number;
  readonly stuckMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `source` ends when its signal aborts. */
export function eventStream<T>(
  source: (signal: AbortSignal) => AsyncIterable<T>,
  frameOf: (item: T) => Frame,
  { outgoing, closing, keepAliveMs, stuckMs, headers: more = {} }: StreamOptions,
): Response {
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, closing]);
  let items: AsyncIterator<T> | undefined;
  let next: Promise<IteratorResult<T, unknown>> | undefined;
  let stuck: NodeJS.Timeout | undefined;
  const encoder = new TextEncoder();
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    controller.enqueue(encoder.encode(text));
    stuck = setTimeout(() => outgoing?.destroy(), stuckMs);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stuck);
        if (items === undefined) {
          items = source(signal)[Symbol.asyncIterator]();
          next = items.next();
          // It may fail before anybody waits for it: the next pull finds that.
          next.catch(() => undefined);
          // Whoever waits for a first sign has it, and nothing that happens from here on is missed.
          send(controller, ': here it begins\n\n');
          return;
        }
        next ??= items.next();
        const result = await within(next, keepAliveMs);
        if (leave.signal.aborted) return;
        if (result === 'quiet') {
          send(controller, ': keep-alive\n\n');
          return;
        }
        next = undefined;
        if (result.done === true) controller.close();
        else send(controller, textOf(frameOf(result.value)));
      },
      async cancel() {
        clearTimeout(stuck);
        leave.abort();
        // It may wait for its next item: its end is its own business.
        void items?.return?.().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', ...more };
  return new Response(body, { headers });
}

function textOf({ event, id, data }: Frame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | 'quiet'> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<'quiet'>((resolve) => {
    timer = setTimeout(() => resolve('quiet'), limitMs);
  });
  try {
    return await Promise.race([promise, quiet]);
  } finally {
    clearTimeout(timer);
  }
}
