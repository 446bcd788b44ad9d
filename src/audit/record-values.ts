/** What the records are made from: the values that stages and the daemon produce. */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Compaction,
  Decision,
  HookRef,
  JsonObject,
  Message,
  SessionId,
  Shortening,
  StartedProcess,
  ToolCall,
  ToolResult,
  ToolResultBlock,
  ToolUseId,
  Workplace,
} from '../core/vocabulary.ts';
import type { ProcessIdentity } from '../lib/proc.ts';
import type { ProcessEnd } from '../lib/subprocess.ts';
import type { UnfinishedChain } from './unfinished.ts';

export interface DaemonStarted {
  readonly writer: string;
  readonly version: string;
  readonly node: string;
  /** `foreground`: one command that ends with its work; `daemon`: until it is stopped. */
  readonly mode: 'foreground' | 'daemon';
  readonly process: ProcessIdentity;
  /** The newest record of the other chains: a chain that goes missing is missed. */
  readonly heads: readonly { readonly writer: string; readonly seq: number; readonly hash: string }[];
  /** Chains whose end this start has looked into, up to the named record; their `outcome_unknown` records follow. */
  readonly unfinished?: readonly UnfinishedChain[];
  /** Chains that could not be read. */
  readonly unreadable?: readonly string[];
}

export interface SettingsSource {
  readonly scope: string;
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
  /** Of this text only the deny and ask rules count: an older one of the same file is in force, too. */
  readonly onlyTightens?: true;
}

/** The settings in force, whole, so that any decision can be derived again. */
export interface SettingsInForce {
  readonly digest: string;
  readonly sources: readonly SettingsSource[];
  readonly warnings: readonly string[];
}

export interface SettingsChange extends SettingsInForce {
  readonly before: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Files about which ConfigChange hooks are asked: of these only deny and ask rules are in force so far. */
  readonly waiting?: readonly string[];
}

export interface SessionStart {
  readonly session: SessionId;
  readonly workplace: Workplace;
  readonly model: string;
  readonly permissionMode: string;
  /** What the model is told first; absent where no model is asked. */
  readonly system?: string;
  /** The files whose words are in `system`. */
  readonly instructions?: readonly { readonly file: string; readonly sha256: string }[];
}

export interface ModeChoice {
  readonly mode: string;
  readonly before: string;
  readonly client: string;
}

/** A conversation that an earlier process left, as it stands in its transcript; the model is shown no other. */
export interface Resumption {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly tornBytes: number;
  readonly messages: readonly Message[];
  /** To the first tool uses of the last message; the others have none yet. */
  readonly answers: readonly ToolResultBlock[];
  /** Where each turn begins that is still there, and the last prompt, whether it is still there or not. */
  readonly starts: readonly number[];
  readonly prompt: string | undefined;
  /** The session that was copied. */
  readonly forkOf?: SessionId;
}

/** One call judged: a permit (allow) or a refusal (deny). `policy` is the settings that decided. */
export interface Judgement {
  readonly call: ToolCall;
  readonly decision: Decision;
  readonly policy: string;
}

export interface Approval {
  readonly request: ApprovalRequest;
  readonly answer: ApprovalAnswer;
  readonly waitedMs: number;
}

/** The answer "always": the rule that is written next. */
export interface RememberedRule {
  readonly rule: string;
  readonly client: string;
  readonly file: string;
}

export interface HookStart {
  readonly hook: HookRef;
  readonly id?: ToolUseId;
}

/** One run of one hook: how it ended, what it said, digests of all that it wrote. */
export interface HookEnd {
  readonly hook: HookRef;
  readonly id?: ToolUseId;
  readonly end: ProcessEnd;
  readonly duration_ms: number;
  readonly is_async: boolean;
  readonly verdict: 'block' | 'ask' | 'allow' | 'none';
  readonly reason?: string;
  readonly failure?: { readonly what: string; readonly became: 'ask' | 'block' | 'continue' };
  readonly warnings: readonly string[];
  readonly stdout: OutputDigest;
  readonly stderr: OutputDigest;
  readonly survivors: number | null;
}

export interface OutputDigest {
  readonly characters: number;
  readonly sha256: string;
  readonly head: string;
}

/** A call whose input a hook has replaced; parsed again. */
export interface RewrittenCall extends ToolCall {
  readonly rewrite: { readonly by: HookRef; readonly before: JsonObject };
}

/** A result whose text a hook has replaced for the model. */
export interface ReplacedResult extends ToolResult {
  readonly by: HookRef;
}

export interface ModelFailed {
  readonly code: string;
  readonly message: string;
  /** The pause before the request leaves again; absent when it does not. */
  readonly retryInMs?: number;
}

export interface RefusedPrompt {
  readonly text: string;
  readonly reason: string;
  readonly by: HookRef;
}

export interface StopBlock {
  readonly reason: string;
  readonly by: HookRef;
  readonly count: number;
}

export interface ToolStart {
  readonly id: ToolUseId;
  readonly tool: string;
}

/** A child of a running tool or hook: group and start time find it again, whatever becomes of us. */
export interface ProcessStart {
  readonly id?: ToolUseId;
  readonly hook?: HookRef;
  readonly process: StartedProcess;
}

/** The conversation is about to be shortened. */
export interface CompactionStart {
  readonly trigger: Compaction['trigger'];
  readonly how: Compaction['how'];
  readonly messages: number;
  readonly tokens: number;
  readonly window: number;
  /** What the model is asked, for a summary. */
  readonly instructions?: string;
}

/** The conversation is shortened: `change` says all of it. Digests are over the messages as JSON. */
export interface Compacted extends Compaction {
  readonly change: Shortening;
  readonly sha256: { readonly before: string; readonly after: string };
}

/** It is not shortened, or only by cutting outputs. */
export interface CompactionLeftOut {
  readonly trigger: Compaction['trigger'];
  readonly reason: string;
  /** The hook that refused. */
  readonly by?: HookRef;
}

/**
 * `hook_stopped`: a hook said `continue: false`; `stop_hook_prevented`: a Stop hook did; `prompt_refused`: a hook
 * refused the prompt.
 */
/** Free space where the log is written, when it has crossed a mark. Bytes. */
export interface DiskSpace {
  readonly state: 'enough' | 'low' | 'below_floor';
  readonly directory: string;
  readonly free: number;
  readonly low_water: number;
  readonly floor: number;
}

/** A sink of the chain has begun, failed, lags or has caught up. */
export interface SinkState {
  readonly sink: string;
  readonly required: boolean;
  readonly state: 'started' | 'failed' | 'lagging' | 'current';
  /** Durable records that it has not taken. */
  readonly behind: number;
  readonly detail?: string;
}

/** A chain that has ended and is removed, as settings say. */
export interface RemovedChain {
  readonly of_writer: string;
  readonly reason: 'age' | 'count';
  readonly files: number;
  readonly bytes: number;
  readonly last_seq: number;
  readonly last_hash: string;
}

/** A process that a killed hookd left running. */
export interface LeftoverProcess {
  readonly of_writer: string;
  readonly of_session?: string;
  readonly process: StartedProcess;
  readonly id?: ToolUseId;
  readonly hook?: HookRef;
  readonly state: 'found' | 'ended' | 'still_running';
}
