/** A session that this process does not run: it can be looked at, and ended; to go on with it, it must be resumed. */
import { HookdError } from '../core/errors.ts';
import type { Delivery, PendingApproval, SessionInfo } from '../core/protocol.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { readEvents } from './event-file.ts';
import { EventLog } from './event-log.ts';
import type { HostedSession } from './hosted-session.ts';
import {
  eventsPath,
  isHeld,
  readLeftApprovals,
  readStored,
  type StoredSession,
  writeApprovals,
  writeStored,
} from './session-files.ts';

export interface EndOfLeft {
  /** Puts it on record, with the questions that nobody will answer. Throws AUDIT_UNAVAILABLE: then it does not end. */
  readonly record: (id: SessionId, reason: string, unanswered: readonly PendingApproval[]) => void;
  readonly done: (id: SessionId) => void;
}

export class LeftSession implements HostedSession {
  readonly #hookdHome: string;
  readonly #onEnd: EndOfLeft;
  #stored: StoredSession;

  constructor(hookdHome: string, stored: StoredSession, onEnd: EndOfLeft) {
    this.#hookdHome = hookdHome;
    this.#onEnd = onEnd;
    this.#stored = withLastEvent(hookdHome, stored);
  }

  get info(): SessionInfo {
    return infoOf(this.#stored, this.#approvals().length);
  }

  async refresh(): Promise<SessionInfo> {
    const stored = readStored(this.#hookdHome, this.#stored.id);
    if (stored !== undefined) this.#stored = withLastEvent(this.#hookdHome, stored);
    return this.info;
  }

  /** What is kept; then it ends. */
  events(after: number | undefined, signal: AbortSignal): AsyncIterable<Delivery> {
    const log: EventLog = new EventLog({
      path: eventsPath(this.#hookdHome, this.#stored.id),
      isOver: true,
      reset: () => ({
        kind: 'reset',
        info: { ...this.info, lastEventId: log.lastId },
        approvals: this.#approvals(),
      }),
    });
    return log.follow(after, signal);
  }

  async prompt(): Promise<void> {
    throw this.#notHere();
  }

  /** Nothing runs. */
  async interrupt(): Promise<void> {
    if (isHeld(this.#stored)) throw this.#notHere();
  }

  async answer(): Promise<void> {
    throw this.#notHere();
  }

  async compact(): Promise<void> {
    throw this.#notHere();
  }

  async setMode(): Promise<void> {
    throw this.#notHere();
  }

  async end(reason: string): Promise<void> {
    if (isHeld(this.#stored)) throw this.#notHere();
    if (this.#stored.ended !== undefined) return;
    this.#onEnd.record(this.#stored.id, reason, this.#approvals());
    this.#stored = { ...this.#stored, ended: reason, holder: null };
    writeStored(this.#hookdHome, this.#stored);
    writeApprovals(this.#hookdHome, this.#stored.id, []);
    this.#onEnd.done(this.#stored.id);
  }

  #approvals(): readonly PendingApproval[] {
    return this.#stored.ended === undefined ? readLeftApprovals(this.#hookdHome, this.#stored.id) : [];
  }

  #notHere(): HookdError {
    const { id, holder } = this.#stored;
    const message =
      holder !== null && isHeld(this.#stored)
        ? `Another process (${holder.pid}) runs the session ${id}, in the foreground.`
        : `The session ${id} does not run. Go on with it: hookd --resume ${id}`;
    return new HookdError('SESSION_ENDED', message);
  }
}

/** Where its process died, or still runs, the file of its events is newer. */
function withLastEvent(hookdHome: string, stored: StoredSession): StoredSession {
  const last = stored.holder === null ? undefined : readEvents(eventsPath(hookdHome, stored.id)).at(-1);
  return last === undefined ? stored : { ...stored, lastEventId: last.id };
}

export function infoOf(stored: StoredSession, approvals: number): SessionInfo {
  const { v: _, holder: __, ended, ...info } = stored;
  const state = ended !== undefined ? 'ended' : isHeld(stored) ? 'running' : 'resumable';
  return { ...info, state, approvals };
}
