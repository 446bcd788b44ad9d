/** The words that every folder shares: what the model asks, what we judge, what we answer. Values only, no behaviour; long, because it is the one list. */

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

export type SessionId = Brand<'SessionId'>;
/** The model's id of one tool_use block; unique within a session, chosen by the model. */
export type ToolUseId = Brand<'ToolUseId'>;

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

// ── The conversation, in the shapes of the Messages API ──

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
/** Text that hooks added for the model. */
export interface AddedContext {
  readonly event: string;
  readonly text: string;
}
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}
export type Message =
  | { readonly role: 'user'; readonly content: string | readonly (ToolResultBlock | TextBlock)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextBlock | ToolUseBlock)[] };

export interface Prompt {
  readonly text: string;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

export interface ModelRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: string;
  readonly tools: readonly ToolDescription[];
  readonly messages: readonly Message[];
  /** What the answer is for, where it is not the next step of the conversation: calls in it never run. */
  readonly purpose?: 'summary';
}

/** The Messages API's stop reasons; a compatible endpoint may send others, which end the turn. */
export type StopReason =
  | 'end_turn'
  | 'stop_sequence'
  | 'tool_use'
  | 'max_tokens'
  | 'pause_turn'
  | 'refusal'
  | (string & {});

/** Token counts as the API reports them. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

export interface ModelResponse {
  readonly id: string;
  readonly model: string;
  readonly content: readonly (TextBlock | ToolUseBlock)[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

// ── One tool call ──

/** The model's block, as it came: nothing is known about its name or input yet. */
export interface ToolUse {
  readonly id: ToolUseId;
  readonly name: string;
  readonly input: unknown;
}

/** The public face of a tool. Its code is not here: only `runTool` can reach it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** True when no call of the tool can change anything. */
  readonly readOnly: boolean;
}

/** What permission rules with a specifier are matched against; paths absolute and normalised. */
export type Specifier =
  | { readonly kind: 'none' }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: string };

/** A tool use whose tool is known and whose input fits the tool's schema: canonical names, absolute paths. */
export interface ToolCall {
  readonly id: ToolUseId;
  readonly tool: Tool;
  readonly input: JsonObject;
  /** The input as the model sent it, where parsing changed it (aliases, defaults, absolute paths). */
  readonly asSent?: unknown;
  /** The last hook that put another input in place of the model's, and the input before; absent: none did. */
  readonly rewrite?: { readonly by: HookRef; readonly before: JsonObject };
  readonly specifier: Specifier;
}

/** A call that every hook has judged as it is now: what is authorized is what they saw. */
export interface HookedCall {
  readonly call: ToolCall;
  readonly verdict?: HookVerdict;
}

/** `ok` and `failed` ran; `unknown` may have: hookd ended meanwhile; the others did not. */
export type ToolOutcome =
  | 'ok'
  | 'failed'
  | 'denied'
  | 'unknown_tool'
  | 'invalid_input'
  | 'interrupted'
  | 'not_run'
  | 'unknown';

/** The answer to one tool use: the text is what the model reads. */
export interface ToolResult {
  readonly id: ToolUseId;
  readonly outcome: ToolOutcome;
  readonly text: string;
  /** What hooks get as `tool_response`, in the tool's own shape; absent when the tool did not run. */
  readonly response?: JsonObject;
  /** How long the tool ran; absent when it did not. */
  readonly durationMs?: number;
}

/** How a child process is found again after a crash: `startTime` is field 22 of /proc/PID/stat, in clock ticks since boot. */
export interface StartedProcess {
  readonly pid: number;
  readonly processGroup: number;
  readonly startTime: string | null;
}

// ── Permission ──

export type Behavior = 'allow' | 'ask' | 'deny';

/** What happens where no rule matches. `manual` in settings is another name of `default`. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

/** Where a rule was written. `file` is an absolute path, or a flag's name; line and column count from 1. */
export interface RuleSource {
  readonly text: string;
  readonly list: Behavior;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A configured hook, as records and people name it. */
export interface HookRef {
  readonly event: string;
  /** Its command (with arguments) or URL, as written. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** What the hooks of a call said together, where they let it go on. */
export interface HookVerdict {
  readonly behavior: 'allow' | 'ask';
  readonly reason: string;
  readonly hook: HookRef;
}

export type Cause =
  | { readonly kind: 'rule'; readonly rule: RuleSource }
  | { readonly kind: 'hook'; readonly hook: HookRef }
  | { readonly kind: 'mode'; readonly mode: PermissionMode }
  /** `name` is stable: users name it in settings to switch a built-in deny off. */
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'human'; readonly client: string }
  | { readonly kind: 'unanswered'; readonly why: string };

export interface Decision {
  readonly behavior: Behavior;
  /** One sentence for people and for the model. */
  readonly reason: string;
  readonly cause: Cause;
  /** Where a person or a PermissionRequest hook was asked: what made it a question. */
  readonly askedBy?: Cause;
  /** The links-resolved path that was judged, for a path call: what is opened must be this. */
  readonly target?: string;
}

/** Where a session works. All paths absolute, links resolved. */
export interface Workplace {
  /** PROJECT of the settings chapter: anchors relative deny rules; part of the workspace. */
  readonly project: string;
  /** The start directory: where Bash runs and relative paths begin. */
  readonly cwd: string;
  readonly home: string;
  /** $HOOKD_HOME: never part of the workspace. */
  readonly hookdHome: string;
  /** Further directories of the workspace. */
  readonly directories: readonly string[];
  /** Settings files and scripts of hooks, wherever they lie, links resolved too: a write to one always asks. */
  readonly policyFiles?: readonly string[];
}

// ── The end of a turn ──

export type TurnEndReason =
  | 'completed'
  | 'max_turns'
  | 'interrupted'
  | 'error'
  | 'hook_stopped'
  | 'stop_hook_prevented'
  | 'prompt_refused';

export interface TurnEnd {
  readonly reason: TurnEndReason;
  readonly stopReason: string | null;
  readonly requests: number;
  readonly detail?: string;
  /** What happened in the turn; absent only where the end is not on record yet. */
  readonly summary?: TurnSummary;
}

/** What happened in one turn, in numbers. The names are those of records and payloads. */
export interface TurnSummary {
  /** Tool → outcome → how many calls. */
  readonly calls: Readonly<Record<string, Readonly<Partial<Record<ToolOutcome, number>>>>>;
  /** Of these calls, those that were denied. */
  readonly denials: number;
  /** Model requests that were answered, and those that were sent again. */
  readonly requests: number;
  readonly retries: number;
  readonly compactions: number;
  /** Tokens of all requests and answers. */
  readonly usage: Usage;
  /** Where the time went, in milliseconds; the parts do not add up to the whole. */
  readonly duration_ms: {
    readonly total: number;
    readonly model: number;
    readonly hooks: number;
    readonly tools: number;
    readonly questions: number;
  };
}

/** The conversation as the model is shown it was shortened. */
export interface Compaction {
  /** `manual`: somebody asked for it. */
  readonly trigger: 'manual' | 'auto';
  /** `summary`: one message stands for all that is gone; `outputs`: only old outputs of tools are gone. */
  readonly how: 'summary' | 'outputs';
  readonly before: ConversationSize;
  readonly after: ConversationSize;
  /** Of the request for the summary. */
  readonly usage?: Usage;
}

/** What goes out of the conversation, and what stands for it. */
export type Shortening =
  /** One user message for the first `replaced` messages. */
  | { readonly how: 'summary'; readonly replaced: number; readonly summary: string }
  /** A line in place of each of these outputs of tools. */
  | { readonly how: 'outputs'; readonly outputs: readonly CutOutput[] };

export interface CutOutput {
  readonly tool_use_id: string;
  readonly characters: number;
}

export interface ConversationSize {
  readonly messages: number;
  /** Estimated where the API has not counted them. */
  readonly tokens: number;
}

// ── A human's answer ──

export interface ApprovalRequest {
  readonly id: string;
  /** A tool's name, or what else wants to go on: `prompt`, `model request`. */
  readonly subject: string;
  readonly toolUseId?: ToolUseId;
  /** All that the answer is about. */
  readonly input: JsonObject;
  /** The hook whose input this is; absent: it is the model's own. */
  readonly rewrittenBy?: HookRef;
  readonly decision: Decision;
  /** SHA-256 over subject and input: the answer counts for this input only. */
  readonly inputDigest: string;
  /** The allow rule that "always" would write; absent where there is none that is as narrow as the call. */
  readonly alwaysRule?: string;
}

export type ApprovalAnswer =
  /** `alwaysRule`: the request's own, to be written for later calls. */
  | { readonly answer: 'allow'; readonly client: string; readonly alwaysRule?: string }
  | { readonly answer: 'deny'; readonly client: string; readonly reason?: string }
  | { readonly answer: 'unanswered'; readonly why: string };
