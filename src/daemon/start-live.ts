/** Starts a session that clients can watch, leave and come back to. */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import type { Approvals } from '../agent/ask-human.ts';
import { transcriptPath } from '../agent/transcript-file.ts';
import { HookdError } from '../core/errors.ts';
import type { AuditPosition, SessionEvent } from '../core/protocol.ts';
import type { SessionId } from '../core/vocabulary.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { EventLog } from './event-log.ts';
import { LiveSession } from './live-session.ts';
import {
  type OpenSession,
  openSession,
  type SessionRequest,
  type SessionSurroundings,
} from './open-session.ts';
import { eventsPath, isHeld, readStored, sessionDirectory } from './session-files.ts';
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
  { around, hookdHome, desk, sessions, audit }: LiveSurroundings,
  request: CreateSession,
): Promise<LiveSession> {
  const id = request.id ?? (randomUUID() as SessionId);
  const before = request.id === undefined ? undefined : readStored(hookdHome, id);
  if (before !== undefined && isHeld(before))
    throw new HookdError('SESSION_BUSY', `The session ${id} runs already (process ${before.holder?.pid}).`);

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
    opened = await openSession(around, { ...request, id, approvals, onEvent: tell });
  } catch (error) {
    log.close();
    desk.leave(id);
    // Of a session that never began nothing stays.
    if (request.id === undefined && !existsSync(transcriptPath(hookdHome, id)))
      rmSync(sessionDirectory(hookdHome, id), { recursive: true, force: true });
    throw error;
  }
  const { reportFault } = around;
  const onEnd = () => sessions.remove(id);
  live = new LiveSession({ hookdHome, opened, log, desk, audit, reportFault, before, onEnd });
  sessions.add(live);
  return live;
}

function theLive(live: LiveSession | undefined): LiveSession {
  if (live === undefined) throw new HookdError('INTERNAL', 'Nobody can follow a session that has not begun.');
  return live;
}
