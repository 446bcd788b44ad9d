/** Goes on with a session: which one, who else has it, what stands in its transcript, what its last calls came to. */
import { renameSync, statSync, truncateSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Approvals } from '../agent/ask-human.ts';
import { copyTranscript } from '../agent/copy-transcript.ts';
import { LateTranscript } from '../agent/late-transcript.ts';
import { closeLeftCalls } from '../agent/left-calls.ts';
import { readTranscript, type StoredTranscript } from '../agent/read-transcript.ts';
import type { SessionSource } from '../agent/session.ts';
import type { LeftBehind } from '../agent/session-options.ts';
import { Transcript } from '../agent/transcript.ts';
import {
  storedTranscript,
  TranscriptFile,
  type TranscriptFileOptions,
  transcriptPath,
} from '../agent/transcript-file.ts';
import { type LeftQuestion, leftCalls } from '../audit/left-calls.ts';
import type { Trail } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type { JsonObject, SessionId } from '../core/vocabulary.ts';
import { allTokens } from '../model/message.ts';
import { auditDirectoryOf } from './hookd-home.ts';
import type { SessionRequest } from './open-session.ts';

/** How long the API keeps the beginning of a conversation that is not asked for. */
const CACHE_MS = 5 * 60_000;

export interface Going {
  /** The session whose transcript it is. */
  readonly from: SessionId;
  readonly isFork: boolean;
  readonly stored: StoredTranscript;
}

/** Whose lock is held, unless it is a fork. Throws SESSION_UNKNOWN or SESSION_NOT_RESUMABLE. */
export function findTranscript(hookdHome: string, from: SessionId, isFork: boolean): Going {
  const path = storedTranscript(hookdHome, from);
  if (path === undefined)
    throw new HookdError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(from)}.`);
  const stored = readTranscript(path);
  const directory = statSync(stored.cwd, { throwIfNoEntry: false });
  if (directory?.isDirectory() !== true) {
    throw new HookdError(
      'SESSION_NOT_RESUMABLE',
      `The session worked in ${stored.cwd}, which is ${directory === undefined ? 'not there any more' : 'no directory'}. Its paths would mean something else anywhere else: make the directory again.`,
    );
  }
  return { from, isFork, stored: isFork ? stored : renamed(stored, transcriptPath(hookdHome, from)) };
}

/** One that an earlier version left has its name from now on. */
function renamed(stored: StoredTranscript, path: string): StoredTranscript {
  if (stored.path !== path) renameSync(stored.path, path);
  return { ...stored, path };
}

/** What the user should know before they go on. */
export function noticesOf(going: Going | undefined, model: string): readonly string[] {
  if (going === undefined) return [];
  const { stored } = going;
  const torn =
    stored.tornBytes === 0
      ? []
      : [
          `The last line of the transcript was not finished (${stored.tornBytes} bytes): what stood in it is not part of the conversation. The audit log has it.`,
        ];
  const changed =
    stored.model === undefined || stored.model === '' || stored.model === model
      ? []
      : [`The conversation was held with ${stored.model}; it goes on with ${model}.`];
  return [...torn, ...changed];
}

/** What SessionStart hooks are told besides. */
function startFields({ isFork, stored }: Going): { source: SessionSource; more: JsonObject } {
  const { respondedAt, usage } = stored;
  const ago = respondedAt === undefined ? Number.NaN : Date.now() - Date.parse(respondedAt);
  const isKnown = Number.isFinite(ago);
  return {
    source: isFork ? 'fork' : 'resume',
    more: {
      ...(isKnown ? { seconds_since_last_response: Math.max(0, Math.round(ago / 1000)) } : {}),
      context_tokens: usage === undefined ? 0 : allTokens(usage),
      prompt_cache_likely_expired: !isKnown || ago > CACHE_MS,
    },
  };
}

/** In the start directory that it had; what the request names beside it stays what it is. */
export function whereItWas(asked: SessionRequest, going: Going | undefined): SessionRequest {
  if (going === undefined) return asked;
  const { startDirectory, modelScript } = asked;
  const script = modelScript === undefined ? undefined : resolve(startDirectory, modelScript);
  return { ...asked, startDirectory: going.stored.cwd, modelScript: script };
}

export interface BegunConversation {
  readonly transcript: Transcript;
  /** When it returns, the transcript's file holds all of it. */
  readonly catchUp: () => void;
  readonly left: LeftBehind | undefined;
  readonly question: LeftQuestion | undefined;
  readonly start: { readonly source: SessionSource; readonly more: JsonObject };
}

/** The transcript of the session `file.sessionId`, with all that it goes on from; each step on record first. */
export function beginConversation(
  going: Going | undefined,
  trail: Trail,
  hookdHome: string,
  file: TranscriptFileOptions,
): BegunConversation {
  if (going === undefined) {
    const start = { source: 'startup', more: {} } as const;
    return { ...transcriptIn(file, trail), left: undefined, question: undefined, start };
  }
  const { from, isFork, stored } = going;
  const { path, bytes, sha256, tornBytes, messages, answers, starts, prompt } = stored;
  const forkOf = isFork ? { forkOf: from } : {};
  const resumed = trail.record('session_resumed', {
    ...{ path, bytes, sha256, tornBytes, messages, answers, starts, prompt },
    ...forkOf,
  });
  if (isFork) copyTranscript(stored, from, file.path, file.sessionId);
  else if (tornBytes > 0) truncateSync(path, bytes);
  const { transcript, catchUp } = transcriptIn({ ...file, lastUuid: stored.lastUuid }, trail);
  transcript.restore(resumed);
  const open = transcript.open.map((use) => use.id);
  const calls = open.length === 0 ? [] : leftCalls(auditDirectoryOf(hookdHome), from, open);
  const waits = closed(() => closeLeftCalls(trail, transcript, calls, isFork), catchUp);
  const { prompts: turns, tokens, usage } = stored;
  const [first] = calls;
  const question = waits && first?.kind === 'not_started' ? first.waiting : undefined;
  return { transcript, catchUp, left: { turns, tokens, usage, waits }, question, start: startFields(going) };
}

/** What comes of it is in the file also where it fails: the next process to have the session reads that. */
function closed(close: () => boolean, catchUp: () => void): boolean {
  try {
    return close();
  } finally {
    catchUp();
  }
}

/** Nothing new begins, and nobody is told that a turn is over, before the file holds all of it. */
function transcriptIn(
  file: TranscriptFileOptions,
  trail: Trail,
): Pick<BegunConversation, 'transcript' | 'catchUp'> {
  const late = new LateTranscript(new TranscriptFile(file));
  const catchUp = () => late.catchUp();
  trail.besides(catchUp);
  return { transcript: new Transcript(late), catchUp };
}

/** The question that was left open has the same id when it is put again; whoever keeps ids of their own goes first. */
export function askingAgain(approvals: Approvals, left: LeftQuestion | undefined): Approvals {
  if (left === undefined) return approvals;
  let isAsked = false;
  return {
    ...approvals,
    ...approvals,
    ask: (request, signal) => approvals.ask(request, signal),
    idOf: (question, digest) => {
      const known = approvals.idOf?.(question, digest);
      const isSame = !isAsked && question.toolUseId === left.toolUseId && digest === left.inputDigest;
      isAsked ||= isSame;
      return known ?? (isSame ? left.approval : undefined);
    },
  };
}
