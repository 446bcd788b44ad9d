/** One process at a time has a session: a lock in its directory. One that a dead process left is taken over. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { storedTranscript } from '../agent/transcript-file.ts';
import { quietly } from '../audit/segment.ts';
import { HookdError } from '../core/errors.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts';
import { sessionDirectory } from './session-files.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws USAGE for what is no UUID, or the id of a session that there is. */
export function newSessionId(hookdHome: string, wanted: string | undefined): SessionId {
  if (wanted === undefined) return randomUUID() as SessionId;
  const id = wanted.toLowerCase() as SessionId;
  if (!UUID.test(id)) throw new HookdError('USAGE', `A session id is a UUID, not ${JSON.stringify(wanted)}.`);
  if (storedTranscript(hookdHome, id) !== undefined)
    throw new HookdError('USAGE', `There is a session ${id} already: go on with it by --resume ${id}.`);
  return id;
}

/** `isKnown`: the session is there already. Throws SESSION_UNKNOWN or SESSION_LIVE. */
export async function lockSession(hookdHome: string, id: SessionId, isKnown: boolean): Promise<InstanceLock> {
  const directory = sessionDirectory(hookdHome, id);
  if (isKnown && !(UUID.test(id) && existsSync(directory)))
    throw new HookdError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(id)}.`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const attempt = await takeInstanceLock(directory, () => Promise.resolve(true));
  if (attempt.ok) {
    const { lock } = attempt;
    // Whoever removed the session's directory meanwhile has removed the lock, too.
    return { release: () => quietly(() => lock.release()) };
  }
  throw isLive(id, attempt.holder.pid);
}

/** A process has the session: nobody else goes on with it. */
export function isLive(id: SessionId, pid: number | undefined): HookdError {
  const where = pid === process.pid ? 'here' : `in process ${pid}`;
  return new HookdError(
    'SESSION_LIVE',
    `The session ${id} is going on ${where}. Look at it there, or with "hookd sessions attach ${id}" where that is the daemon.`,
  );
}
