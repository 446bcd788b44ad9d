/** A session that tells what the test says and remembers what it was told: for what stands between a session and a person. */
import type {
  ApprovalReply,
  Delivery,
  PendingApproval,
  SessionClient,
  SessionEvent,
  SessionInfo,
} from '../../src/core/protocol.ts';
import type { PermissionMode, SessionId, TurnEnd } from '../../src/core/vocabulary.ts';

export class FakeSession implements SessionClient {
  info: SessionInfo;
  readonly prompts: string[] = [];
  readonly answers: [string, ApprovalReply][] = [];
  readonly modes: PermissionMode[] = [];
  readonly ends: string[] = [];
  interrupts = 0;
  /** What `answer` rejects with. */
  refusal: Error | undefined;
  readonly #log: Delivery[] = [];
  #lastId = 0;
  #wake: () => void = () => undefined;

  constructor(info: Partial<SessionInfo> = {}) {
    this.info = {
      id: '0f1e2d3c-0000-4000-8000-000000000000' as SessionId,
      state: 'idle',
      cwd: '/p',
      project: '/p',
      model: 'scripted',
      permissionMode: 'default',
      tools: ['Bash'],
      startedAt: '2026-01-01T00:00:00.000Z',
      lastActiveAt: '2026-01-01T00:00:00.000Z',
      turns: 0,
      tokens: 0,
      approvals: 0,
      lastEventId: 0,
      auditFile: '/audit/000001.jsonl',
      ...info,
    };
  }

  tell(...events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.#lastId += 1;
      this.#log.push({ kind: 'event', id: this.#lastId, event });
    }
    this.info = { ...this.info, lastEventId: this.#lastId };
    this.#wake();
  }

  /** Something else than an event. */
  deliver(delivery: Delivery): void {
    this.#log.push(delivery);
    this.#wake();
  }

  endTurn(end: Partial<TurnEnd> = {}): void {
    const whole = { reason: 'completed', stopReason: 'end_turn', requests: 1, ...end } as const;
    this.tell({ kind: 'turn_ended', end: whole, audit: { file: '', head: '', records: 0 } });
  }

  async *events(after: number | undefined, signal: AbortSignal): AsyncGenerator<Delivery, void> {
    let at = this.#log.findIndex((one) => one.kind === 'event' && (one.id ?? 0) > (after ?? this.#lastId));
    if (at < 0) at = this.#log.length;
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    while (!signal.aborted) {
      const delivery = this.#log[at];
      if (delivery !== undefined) {
        at += 1;
        yield delivery;
        if (delivery.kind === 'dropped') return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async prompt(text: string): Promise<void> {
    this.prompts.push(text);
  }

  async interrupt(): Promise<void> {
    this.interrupts += 1;
  }

  async answer(id: string, reply: ApprovalReply): Promise<void> {
    this.answers.push([id, reply]);
    if (this.refusal !== undefined) throw this.refusal;
  }

  async compact(): Promise<void> {}

  async setMode(mode: PermissionMode): Promise<void> {
    this.modes.push(mode);
  }

  async refresh(): Promise<SessionInfo> {
    return this.info;
  }

  async end(reason: string): Promise<void> {
    this.ends.push(reason);
  }
}

export function pending(fields: Partial<PendingApproval> = {}): PendingApproval {
  return {
    id: 'a1',
    subject: 'Bash',
    input: { command: 'git push' },
    decision: { behavior: 'ask', reason: 'No rule allows it.', cause: { kind: 'mode', mode: 'default' } },
    inputDigest: 'd1',
    session: '0f1e2d3c-0000-4000-8000-000000000000' as SessionId,
    requestedAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}
