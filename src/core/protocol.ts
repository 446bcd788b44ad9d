/** What the daemon and its clients say to each other. What a session tells is display only: the audit log is the record. */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Compaction,
  HookRef,
  ModelResponse,
  PermissionMode,
  Prompt,
  SessionId,
  ToolResult,
  ToolUse,
  TurnEnd,
} from './vocabulary.ts';

export const PROTOCOL = '1';
export const PROTOCOL_HEADER = 'Hookd-Protocol';
/** Who asks, as the audit names it. */
export const CLIENT_HEADER = 'Hookd-Client';

export type SessionEvent =
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  /** A request leaves; `messages` is the length of the conversation in it. */
  | { readonly kind: 'request'; readonly messages: number }
  /** A request failed and will leave again; text that it streamed is void. `tries` of `of` repetitions have been used. */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly delayMs: number;
      readonly tries: number;
      readonly of: number;
    }
  /** Streamed text, as it forms. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'response'; readonly response: ModelResponse }
  | { readonly kind: 'tool_use'; readonly use: ToolUse }
  /** A hook put another input in place of the call's: `use` is the call as it goes on, `changed` names its new fields. */
  | {
      readonly kind: 'input_rewritten';
      readonly use: ToolUse;
      readonly changed: readonly string[];
      readonly by: HookRef;
    }
  | { readonly kind: 'tool_result'; readonly use: ToolUse; readonly result: ToolResult }
  /** A part of a tool's input, as it forms: JSON text, not yet whole. Never replayed. */
  | { readonly kind: 'tool_input'; readonly index: number; readonly name: string; readonly json: string }
  /** What a running command prints, as it comes. Never replayed. */
  | { readonly kind: 'tool_output'; readonly use: ToolUse; readonly text: string }
  | { readonly kind: 'approval_requested'; readonly approval: PendingApproval }
  | { readonly kind: 'approval_resolved'; readonly id: string; readonly answer: ApprovalAnswer }
  /** How much of the model's context window the conversation takes now; after each response and each compaction. */
  | { readonly kind: 'context'; readonly context: ContextUse }
  /** The conversation is about to be shortened; `compacted` follows, or a warning that says why it was not. */
  | { readonly kind: 'compaction_started'; readonly trigger: Compaction['trigger'] }
  | { readonly kind: 'compacted'; readonly compaction: Compaction }
  | { readonly kind: 'turn_ended'; readonly end: TurnEnd; readonly audit: AuditPosition }
  /** The turn could not go on: the audit failed, or hookd did. */
  | { readonly kind: 'turn_failed'; readonly code: string; readonly message: string; readonly hint: string }
  | { readonly kind: 'mode_changed'; readonly mode: PermissionMode; readonly client: string }
  | { readonly kind: 'session_ended'; readonly reason: string }
  /** Something the user must know that is no answer of the model: a rejected settings file. */
  | { readonly kind: 'warning'; readonly text: string }
  /** What came into force with a saved settings file, and what went, a line each. */
  | {
      readonly kind: 'settings_changed';
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  /** What a hook wants the user to read (`systemMessage`). */
  | { readonly kind: 'hook_message'; readonly hook: HookRef; readonly text: string }
  /** A hook begins, or has ended. */
  | { readonly kind: 'hook_started'; readonly hook: HookRef }
  | { readonly kind: 'hook_ended'; readonly hook: HookRef; readonly ended: HookEnded };

export interface HookEnded {
  /** 1 for a signal, a time-out and what could not be started, as scripts expect it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: 'success' | 'error' | 'cancelled';
  /** The hook gave no verdict where one was expected. */
  readonly hasNoVerdict: boolean;
}

/** In tokens. */
export interface ContextUse {
  /** Of the last request and its answer, as the API counts them; estimated where it has not counted yet. */
  readonly tokens: number;
  /** The most that the model takes. */
  readonly window: number;
}

/** Where the audit stands: the file being written, the hash and the number of the last record. */
export interface AuditPosition {
  readonly file: string;
  readonly head: string;
  readonly records: number;
}

/** A question that waits for a person; whoever answers names the digest of what they were shown. */
export interface PendingApproval extends ApprovalRequest {
  readonly session: SessionId;
  readonly requestedAt: string;
  /** No answer until then is a denial; absent: it waits as long as its turn does. */
  readonly expiresAt?: string;
  /** Its session does not run: it cannot be answered, and is asked again when somebody goes on with the session. */
  readonly needsResume?: true;
}

/** What a client may say to a question. */
export interface ApprovalReply {
  readonly answer: 'allow' | 'deny';
  /** Of the request: an answer to anything else does not count. */
  readonly inputDigest: string;
  /** Told to the model with a denial. */
  readonly reason?: string;
  /** With `allow`: also write the rule that the request names, which must be this one. */
  readonly alwaysRule?: string;
}

/**
 * `running`: a turn goes on. `waiting`: it waits for a person. `resumable`: no process holds it, its transcript is
 * there. `ended`: nobody will go on, though its transcript may still be resumed.
 */
export type SessionState = 'idle' | 'running' | 'waiting' | 'resumable' | 'ended';

export interface SessionInfo {
  readonly id: SessionId;
  readonly state: SessionState;
  /** The start directory, and PROJECT. */
  readonly cwd: string;
  readonly project: string;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly tools: readonly string[];
  /** The first line of the first prompt; undefined before it. */
  readonly title?: string;
  readonly startedAt: string;
  readonly lastActiveAt: string;
  readonly turns: number;
  /** Sent and received, in the whole session. */
  readonly tokens: number;
  /** Absent before the first response. */
  readonly context?: ContextUse;
  readonly approvals: number;
  /** Of the last event; 0 before the first. */
  readonly lastEventId: number;
  readonly auditFile: string;
}

/** One event of a session, with its number: 1, 2, 3 … without a gap, except for what is never replayed, which has none. */
export type Delivery =
  | { readonly kind: 'event'; readonly id: number | undefined; readonly event: SessionEvent }
  /** What was missed is no longer kept: this is the state, the events after `lastEventId` follow. */
  | {
      readonly kind: 'reset';
      readonly info: SessionInfo;
      readonly approvals: readonly PendingApproval[];
    }
  /** The client read too slowly and is dropped; it may come back with its last id. */
  | { readonly kind: 'dropped'; readonly why: string };

/**
 * One session, for those who look at it and speak to it: the same whether it runs in this process or in the daemon.
 * Every method that changes something rejects with a HookdError that says what to do.
 */
export interface SessionClient {
  readonly info: SessionInfo;
  /** From the event after `after` on (0: from the first that is kept; undefined: from now on), until `signal` or the session's end. */
  events(after: number | undefined, signal: AbortSignal): AsyncIterable<Delivery>;
  /** Resolves when the prompt is accepted; its end comes as `turn_ended` or `turn_failed`. While a turn runs, prompts wait in order. */
  prompt(text: string): Promise<void>;
  /** Ends the running turn, and drops the prompts that wait. */
  interrupt(): Promise<void>;
  /** Rejects with APPROVAL_GONE (answered, expired, unknown) or APPROVAL_MISMATCH (another input). */
  answer(approvalId: string, reply: ApprovalReply): Promise<void>;
  /**
   * Shortens the conversation now, or after the running turn: a summary stands for all but its end. `instructions`: what
   * the summary must keep. Resolves when it is done; rejects with why it was not.
   */
  compact(instructions?: string): Promise<void>;
  setMode(mode: PermissionMode): Promise<void>;
  refresh(): Promise<SessionInfo>;
  end(reason: string): Promise<void>;
}
