/** A session of the daemon, for this process: the same to its users as one that runs here. */
import { HookdError, messageOf } from '../core/errors.ts';
import type {
  ApprovalReply,
  Delivery,
  PendingApproval,
  SessionClient,
  SessionEvent,
  SessionInfo,
} from '../core/protocol.ts';
import type { PermissionMode } from '../core/vocabulary.ts';
import type { DaemonSocket } from './client.ts';
import type { ServerEvent } from './sse.ts';

/** How long a broken stream is tried again: a daemon that restarts is back by then. */
const PATIENCE_MS = 5_000;
const RETRY_MS = { first: 50, longest: 1_000 };

export class RemoteSession implements SessionClient {
  readonly #socket: DaemonSocket;
  #info: SessionInfo;

  constructor(socket: DaemonSocket, info: SessionInfo) {
    this.#socket = socket;
    this.#info = info;
  }

  /** As it was last heard of. */
  get info(): SessionInfo {
    return this.#info;
  }

  async *events(after: number | undefined, signal: AbortSignal): AsyncGenerator<Delivery, void> {
    let last = after;
    let brokenSince: number | undefined;
    let retryMs = RETRY_MS.first;
    while (!signal.aborted) {
      try {
        const headers = last === undefined ? {} : { 'Last-Event-ID': String(last) };
        const stream = await this.#socket.stream({ path: this.#path('/events'), headers, signal });
        // Where the stream begins: what follows is not missed even if it breaks before its first event.
        last ??= numberIn(stream.headers['hookd-event-id']);
        for await (const received of stream.events) {
          brokenSince = undefined;
          retryMs = RETRY_MS.first;
          const delivery = deliveryOf(received);
          if (delivery.kind === 'event') last = delivery.id ?? last;
          if (delivery.kind === 'reset') {
            this.#info = delivery.info;
            last = delivery.info.lastEventId;
          }
          yield delivery;
          if (delivery.kind === 'dropped' || isEnd(delivery)) return;
        }
      } catch (error) {
        if (signal.aborted) return;
        const isGone = error instanceof HookdError && error.code !== 'DAEMON_UNREACHABLE';
        if (isGone) throw error;
        if (Date.now() - (brokenSince ?? Date.now()) > PATIENCE_MS) throw this.#lost(error);
      }
      brokenSince ??= Date.now();
      await pause(retryMs, signal);
      retryMs = Math.min(RETRY_MS.longest, retryMs * 2);
    }
  }

  async prompt(text: string): Promise<void> {
    await this.#post('/prompts', { text });
  }

  async interrupt(): Promise<void> {
    await this.#post('/interrupt', {});
  }

  async answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    await this.#socket.call({ method: 'POST', path: approvalPath(approvalId), body: reply });
  }

  async compact(instructions?: string): Promise<void> {
    await this.#post('/compact', instructions === undefined ? {} : { instructions });
  }

  async setMode(mode: PermissionMode): Promise<void> {
    await this.#post('/mode', { mode });
  }

  async refresh(): Promise<SessionInfo> {
    this.#info = (await this.#socket.call({ method: 'GET', path: this.#path('') })) as SessionInfo;
    return this.#info;
  }

  async end(_reason: string): Promise<void> {
    await this.#socket.call({ method: 'DELETE', path: this.#path('') });
  }

  #lost(cause: unknown): HookdError {
    const { id } = this.#info;
    const message = `The daemon went away while session ${id} was in it (${messageOf(cause)}) What is on record of it is kept; go on with it: hookd --resume ${id}`;
    return new HookdError('DAEMON_UNREACHABLE', message, { cause });
  }

  #path(rest: string): string {
    return `/v1/sessions/${encodeURIComponent(this.#info.id)}${rest}`;
  }

  async #post(rest: string, body: unknown): Promise<void> {
    await this.#socket.call({ method: 'POST', path: this.#path(rest), body });
  }
}

export function approvalPath(id: string): string {
  return `/v1/approvals/${encodeURIComponent(id)}`;
}

function isEnd(delivery: Delivery): boolean {
  return delivery.kind === 'event' && delivery.event.kind === 'session_ended';
}

function deliveryOf({ event, id, data }: ServerEvent): Delivery {
  const value: unknown = JSON.parse(data);
  if (event === 'reset') {
    const { info, approvals } = value as { info: SessionInfo; approvals: readonly PendingApproval[] };
    return { kind: 'reset', info, approvals };
  }
  if (event === 'dropped') return { kind: 'dropped', why: (value as { why: string }).why };
  return { kind: 'event', id, event: value as SessionEvent };
}

function numberIn(header: string | readonly string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
