/**
 * The questions of all sessions that wait for a person. The first answer counts, and only for the very input that was
 * shown; what is no clear yes is no yes. Whoever is asked too late, or of a turn that has ended, is told so.
 */
import type { Approvals, Question } from '../agent/ask-human.ts';
import { HookdError, messageOf } from '../core/errors.ts';
import type { ApprovalReply, PendingApproval, SessionEvent } from '../core/protocol.ts';
import type { ApprovalAnswer, ApprovalRequest, SessionId } from '../core/vocabulary.ts';
import { startTimer } from '../lib/timer.ts';
import { type Denial, type Recording, recording } from './approval-recording.ts';
import { answerIn } from './approval-reply.ts';
import { NOBODY_ANSWERED } from './approvals.ts';
import { isHeld, readAllStored, readApprovals, readLeftApprovals, writeApprovals } from './session-files.ts';

export interface ApprovalDeskOptions {
  readonly hookdHome: string;
  readonly now?: () => Date;
}

/** A question comes up, or has its answer. */
export type ApprovalNotice =
  | { readonly kind: 'approval_requested'; readonly approval: PendingApproval }
  | {
      readonly kind: 'approval_resolved';
      readonly id: string;
      readonly session: SessionId;
      readonly answer: ApprovalAnswer;
    };

export interface SessionAtDesk {
  readonly id: SessionId;
  readonly tell: (event: SessionEvent) => void;
  /** undefined: a question waits as long as its turn. */
  readonly timeoutMs: () => number | undefined;
}

interface Open extends Recording {
  readonly approval: PendingApproval;
  readonly settle: (answer: ApprovalAnswer) => void;
  /** Nothing ends it from here on but this process. */
  readonly keep: () => void;
  /** Somebody's answer is being carried out. */
  isTaken: boolean;
}

/** The last moment that has a date. */
const LATEST_MS = 8.64e15;

export class ApprovalDesk {
  readonly #options: ApprovalDeskOptions;
  /** By id, in the order in which they were asked. */
  readonly #open = new Map<string, Open>();
  /** What waited in sessions that nobody runs, read from the disk once. */
  #left: Map<SessionId, readonly PendingApproval[]> | undefined;
  /** What waited in sessions that run here when an earlier process of theirs ended: until it is asked again. */
  readonly #askedBefore = new Map<SessionId, readonly PendingApproval[]>();
  readonly #watchers = new Set<(notice: ApprovalNotice) => void>();
  /** Told once that the file of a session cannot be written. */
  readonly #warned = new Set<SessionId>();

  constructor(options: ApprovalDeskOptions) {
    this.#options = options;
  }

  /** All that wait, also those of sessions that nobody runs: they are asked again once their session is resumed. */
  list(): readonly PendingApproval[] {
    return [...[...this.#open.values()].map(({ approval }) => approval), ...this.#leftBehind()];
  }

  /** `tell` must not throw. Returns what ends it. */
  watch(tell: (notice: ApprovalNotice) => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  of(session: SessionId): readonly PendingApproval[] {
    return [...this.#open.values()].flatMap(({ approval }) =>
      approval.session === session ? [approval] : [],
    );
  }

  /** The side of one session. What an earlier process left unanswered keeps its id when it is asked again. */
  forSession(session: SessionAtDesk): Approvals {
    const { id, tell } = session;
    this.#askedBefore.set(id, readApprovals(this.#options.hookdHome, id));
    this.#left?.delete(id);
    return {
      idOf: (question, digest) => this.#idLeft(id, question, digest),
      ask: (request, signal) => this.#ask(session, request.value, signal),
      settled: (request, answer, refusal) => {
        const open = this.#open.get(request.id);
        this.#open.delete(request.id);
        this.#save(session);
        if (answer !== undefined) {
          tell({ kind: 'approval_resolved', id: request.id, answer });
          this.#tellAll({ kind: 'approval_resolved', id: request.id, session: id, answer });
        }
        open?.finish(answer, refusal);
      },
    };
  }

  /**
   * The session is let go of while it waits: its question gets no answer here and stays on the disk, to be asked again.
   * False where none waits, or an answer to it is being recorded.
   */
  keepFor(session: SessionId): boolean {
    const waiting = [...this.#open.values()].filter(({ approval }) => approval.session === session);
    if (waiting.length === 0 || waiting.some(({ isTaken }) => isTaken)) return false;
    for (const { approval, keep } of waiting) {
      keep();
      this.#open.delete(approval.id);
    }
    return true;
  }

  /** It was ended without being run again: nobody will ask what waited in it, and whoever watches is told. */
  forget(session: SessionId): void {
    const left = this.#leftBehind().filter((one) => one.session === session);
    this.#left?.delete(session);
    for (const { id } of left)
      this.#tellAll({ kind: 'approval_resolved', id, session, answer: NOBODY_ANSWERED });
  }

  /** The session runs here no more. */
  leave(session: SessionId): void {
    this.#askedBefore.delete(session);
    this.#warned.delete(session);
  }

  /** Resolves when the answer is on record: with what refuses the call all the same. Rejects with APPROVAL_GONE, APPROVAL_MISMATCH, SESSION_ENDED or USAGE. */
  async answer(id: string, reply: ApprovalReply, client: string, session?: SessionId): Promise<Denial> {
    const open = this.#open.get(id);
    const isOfAnother = session !== undefined && open?.approval.session !== session;
    if (open === undefined || open.isTaken || isOfAnother) throw this.#whyGone(id);
    const answer = answerIn(reply, open.approval, client);
    open.isTaken = true;
    open.settle(answer);
    // The turn may have been interrupted meanwhile.
    const recorded = await open.recorded;
    if (recorded.answer !== answer) throw this.#whyGone(id);
    return recorded.refusal;
  }

  #tellAll(notice: ApprovalNotice): void {
    for (const tell of this.#watchers) tell(notice);
  }

  #leftBehind(): readonly PendingApproval[] {
    const { hookdHome } = this.#options;
    this.#left ??= new Map(
      readAllStored(hookdHome)
        .filter(
          (stored) => stored.ended === undefined && !isHeld(stored) && !this.#askedBefore.has(stored.id),
        )
        .map(({ id }) => [id, readLeftApprovals(hookdHome, id)]),
    );
    return [...this.#left.values()].flat();
  }

  #ask(session: SessionAtDesk, request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { now = () => new Date() } = this.#options;
    const timeoutMs = session.timeoutMs();
    const at = now();
    const end = at.getTime() + (timeoutMs ?? Number.POSITIVE_INFINITY);
    const expires = end > LATEST_MS ? {} : { expiresAt: new Date(end).toISOString() };
    const approval: PendingApproval = {
      ...{ ...request, session: session.id, requestedAt: at.toISOString() },
      ...expires,
    };
    return new Promise((resolve) => {
      const keep = () => {
        stopTimer?.();
        signal.removeEventListener('abort', withdraw);
      };
      const settle = (answer: ApprovalAnswer) => {
        keep();
        resolve(answer);
      };
      const nobodySaid = (why: string) => {
        open.isTaken = true;
        settle({ answer: 'unanswered', why });
      };
      const withdraw = () => nobodySaid('the turn was interrupted before anybody answered');
      const expire = () =>
        open.isTaken ||
        nobodySaid(`nobody answered within ${(timeoutMs ?? 0) / 1000} s (approvalTimeoutSeconds)`);
      const stopTimer = timeoutMs === undefined ? undefined : startTimer(timeoutMs, expire);
      const open: Open = { approval, settle, keep, isTaken: false, ...recording() };
      this.#open.set(request.id, open);
      this.#save(session);
      session.tell({ kind: 'approval_requested', approval });
      this.#tellAll({ kind: 'approval_requested', approval });
      if (signal.aborted) withdraw();
      else signal.addEventListener('abort', withdraw);
    });
  }

  #idLeft(session: SessionId, { toolUseId, subject }: Question, digest: string): string | undefined {
    const left = this.#askedBefore.get(session) ?? [];
    const same = left.find(
      (one) => one.toolUseId === toolUseId && one.subject === subject && one.inputDigest === digest,
    );
    // An id that another question has by now would take that one's place.
    if (same === undefined || this.#open.has(same.id)) return undefined;
    this.#askedBefore.set(
      session,
      left.filter((one) => one !== same),
    );
    return same.id;
  }

  #save({ id, tell }: SessionAtDesk): void {
    try {
      writeApprovals(this.#options.hookdHome, id, this.of(id));
    } catch (error) {
      if (this.#warned.has(id)) return;
      this.#warned.add(id);
      const text = `Questions that wait cannot be kept on the disk (${messageOf(error)}): a restart would lose them.`;
      queueMicrotask(() => tell({ kind: 'warning', text }));
    }
  }

  #whyGone(id: string): HookdError {
    const left = this.#leftBehind().find((one) => one.id === id);
    if (left === undefined)
      return new HookdError('APPROVAL_GONE', `No question ${JSON.stringify(id)} waits for an answer.`);
    return new HookdError(
      'SESSION_ENDED',
      `The session of this question does not run. Go on with it, and it asks again: hookd --resume ${left.session}`,
    );
  }
}
