/** Starts a session that clients can watch, leave and come back to. */
import type { Approvals } from '../agent/ask-human.ts';
import { HookdError } from '../core/errors.ts';
import type { AuditPosition, SessionEvent } from '../core/protocol.ts';
import type { SessionId } from '../core/vocabulary.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { EventLog } from './event-log.ts';
import type { InstanceLock } from './instance-lock.ts';
import { LiveSession } from './live-session.ts';
import {
  type OpenSession,
  openSession,
  type SessionRequest,
  type SessionSurroundings,
} from './open-session.ts';
import { eventsPath, isHeld, readStored, type StoredSession } from './session-files.ts';
import { isLive, lockSession, newSessionId } from './session-lock.ts';
import type { SessionRegister } from './session-register.ts';

export interface CreateSession extends Omit<SessionRequest, 'approvals' | 'onEvent'> {
  /** Instead of the desk, where any client may answer. */
  readonly approvals?: Approvals;
}

export interface LiveSurroundings {
  readonly around: SessionSurroundings;
  readonly hookdHome: string;
  readonly desk: ApprovalDesk;
  readonly sessions: SessionRegister;
  readonly audit: () => AuditPosition;
}

export async function startLive(
  surroundings: LiveSurroundings,
  request: CreateSession,
): Promise<LiveSession> {
  const { hookdHome } = surroundings;
  const { resume, fork = false } = request;
  const id = resume === undefined || fork ? newSessionId(hookdHome, request.id) : resume;
  const before = resume === undefined ? undefined : readStored(hookdHome, resume);
  if (!fork && before !== undefined && isHeld(before)) throw isLive(id, before.holder?.pid);
  // First: whoever has it keeps its events and its questions, also while it is just coming up.
  const lock = await lockSession(hookdHome, id, resume === id);
  return startLocked(surroundings, request, id, lock);
}

async function startLocked(
  { around, hookdHome, desk, sessions, audit }: LiveSurroundings,
  request: CreateSession,
  id: SessionId,
  lock: InstanceLock,
): Promise<LiveSession> {
  const { resume, fork = false } = request;
  const before = resume === undefined ? undefined : readStored(hookdHome, resume);
  let live: LiveSession | undefined;
  let opened: OpenSession | undefined;
  const log: EventLog = new EventLog({
    path: eventsPath(hookdHome, id),
    reset: () => ({ kind: 'reset', info: theLive(live).info, approvals: desk.of(id) }),
  });
  const tell = (event: SessionEvent): void => {
    live?.watch(event);
    log.add(event);
  };
  const timeoutMs = () => {
    const seconds = opened?.settings().approvalTimeoutSeconds;
    return seconds === undefined ? undefined : seconds * 1000;
  };
  const approvals = request.approvals ?? desk.forSession({ id, tell, timeoutMs });
  try {
    opened = await openSession(around, {
      ...request,
      ...(id === resume ? {} : { id }),
      lock,
      approvals,
      onEvent: tell,
    });
  } catch (error) {
    log.discard();
    desk.leave(id);
    throw error;
  }
  const { reportFault } = around;
  const onEnd = () => sessions.remove(id);
  live = new LiveSession({
    hookdHome,
    opened,
    log,
    desk,
    audit,
    reportFault,
    before: startedBefore(before, fork),
    onEnd,
  });
  sessions.add(live);
  if (opened.session.unfinished === 'question') live.goOn();
  return live;
}

/** A fork begins now. */
function startedBefore(before: StoredSession | undefined, fork: boolean): StoredSession | undefined {
  return fork && before !== undefined ? { ...before, startedAt: new Date().toISOString() } : before;
}

function theLive(live: LiveSession | undefined): LiveSession {
  if (live === undefined) throw new HookdError('INTERNAL', 'Nobody can follow a session that has not begun.');
  return live;
}
