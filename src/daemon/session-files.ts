/**
 * What is kept of each session under `$HOOKD_HOME/sessions/ID`, beside its transcript: `session.json` (what it is),
 * `approvals.json` (the questions that wait), `events.jsonl`. Never its environment. Nothing depends on these files: a
 * disk that fails is told, and the session goes on.
 */
import { join } from 'node:path';
import { isObject } from '../core/json.ts';
import type { PendingApproval, SessionInfo } from '../core/protocol.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { namesIn } from '../lib/names-in.ts';
import { lifeOf, type ProcessIdentity } from '../lib/proc.ts';
import { readRegular } from '../lib/read-regular.ts';
import { replaceFile } from '../lib/replace-file.ts';
import { isQuestionOf } from './stored-question.ts';

/** `session.json`: what clients are told of a session, less what only holds while it runs. */
export interface StoredSession extends Omit<SessionInfo, 'state' | 'context' | 'approvals'> {
  readonly v: 1;
  /** The process that runs it, or died with it; null once it has let go of it. */
  readonly holder: ProcessIdentity | null;
  /** Why it was ended; absent while it goes on, and where only its process has ended. */
  readonly ended?: string;
}

const TITLE_CHARACTERS = 200;
/** As long as a session id may be that names a directory: ours are UUIDs. */
const ID = /^[\w-]{1,64}$/;

export function sessionDirectory(hookdHome: string, id: SessionId): string {
  return join(hookdHome, 'sessions', id);
}

export function eventsPath(hookdHome: string, id: SessionId): string {
  return join(sessionDirectory(hookdHome, id), 'events.jsonl');
}

/** The first line of the first prompt. */
export function titleOf(prompt: string): string {
  return (prompt.trim().split('\n')[0] ?? '').slice(0, TITLE_CHARACTERS);
}

/** Throws a system error. */
export function writeStored(hookdHome: string, session: StoredSession): void {
  replaceFile(
    join(sessionDirectory(hookdHome, session.id), 'session.json'),
    `${JSON.stringify(session, null, 2)}\n`,
  );
}

/** undefined where there is no such session, or its file is not one of ours. */
export function readStored(hookdHome: string, id: string): StoredSession | undefined {
  if (!ID.test(id)) return undefined;
  const value = readObject(join(sessionDirectory(hookdHome, id as SessionId), 'session.json'));
  return value !== undefined && isStored(value) && value.id === id ? value : undefined;
}

export function readAllStored(hookdHome: string): readonly StoredSession[] {
  return namesIn(join(hookdHome, 'sessions')).flatMap((id) => readStored(hookdHome, id) ?? []);
}

/** A process has it, this one or another: nobody else may go on with it. */
export function isHeld({ holder, ended }: StoredSession): boolean {
  return ended === undefined && holder !== null && lifeOf(holder) === 'alive';
}

/** Throws a system error. */
export function writeApprovals(
  hookdHome: string,
  id: SessionId,
  approvals: readonly PendingApproval[],
): void {
  const path = join(sessionDirectory(hookdHome, id), 'approvals.json');
  replaceFile(path, `${JSON.stringify({ v: 1, approvals }, null, 2)}\n`);
}

/** The questions that waited when the process of this session ended. */
export function readApprovals(hookdHome: string, id: string): readonly PendingApproval[] {
  if (!ID.test(id)) return [];
  const value = readObject(join(sessionDirectory(hookdHome, id as SessionId), 'approvals.json'));
  const approvals = value?.['approvals'];
  if (!Array.isArray(approvals)) return [];
  return approvals.filter((one: unknown) => isQuestionOf(id, one));
}

/** The same, as they are shown while nobody runs the session. */
export function readLeftApprovals(hookdHome: string, id: string): readonly PendingApproval[] {
  return readApprovals(hookdHome, id).map((approval) => ({ ...approval, needsResume: true }));
}

function isStored(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & StoredSession {
  const texts = ['id', 'cwd', 'project', 'model', 'permissionMode', 'startedAt', 'lastActiveAt', 'auditFile'];
  const numbers = ['turns', 'tokens', 'lastEventId'];
  const { holder, tools, title, ended } = value;
  return (
    value['v'] === 1 &&
    texts.every((key) => typeof value[key] === 'string') &&
    numbers.every((key) => Number.isSafeInteger(value[key])) &&
    Array.isArray(tools) &&
    [...tools, title ?? '', ended ?? ''].every((text) => typeof text === 'string') &&
    typeof holder === 'object'
  );
}

function readObject(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readRegular(path));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
