/** What a session is made of, what bounds it, and what an earlier process may have left of it. */
import type { Trail } from '../audit/trail.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { SessionId, Usage } from '../core/vocabulary.ts';
import type { Model } from '../model/model.ts';
import type { Gate } from './authorize.ts';
import type { Transcript } from './transcript.ts';

export interface SessionLimits {
  /** Output tokens of one response. */
  readonly maxTokens: number;
  /** Model requests of one turn. */
  readonly maxTurns: number;
  /** How often Stop hooks may send the model on in one turn. */
  readonly maxStopBlocks: number;
  /** How often a request that failed for a while is sent again. */
  readonly maxRetries: number;
  /** The pause before the first repetition; each further one is twice as long. */
  readonly firstRetryMs?: number;
  /** How often the same call may fail in a turn, with nothing else working in between. */
  readonly maxRepeatedFailures: number;
  /** Tokens sent and received, in the whole session. */
  readonly maxSessionTokens?: number;
  /** Tokens that the model takes, its answer included. */
  readonly contextWindow: number;
  /** The share of it at which the conversation is compacted; 0: never by itself. */
  readonly compactAt: number;
}

export interface LeftBehind {
  /** Its turns. */
  readonly turns: number;
  /** All that were sent and received. */
  readonly tokens: number;
  /** Of its last response. */
  readonly usage: Usage | undefined;
  /** The open calls of the transcript had not begun: the first of them waited for a person. */
  readonly waits: boolean;
}

export interface SessionOptions {
  readonly id: SessionId;
  readonly trail: Trail;
  readonly gate: Gate;
  readonly model: Model;
  readonly modelName: string;
  /** What the model is told first, the same in every request. */
  readonly system: string;
  readonly limits: SessionLimits;
  readonly transcript: Transcript;
  /** What an earlier process has left; its messages are in the transcript already. */
  readonly left?: LeftBehind | undefined;
  /** Display only: what is told here is already on record, except streamed text. */
  readonly onEvent: (event: SessionEvent) => void;
}
