/**
 * Every kind of audit record, in one table: the value that a stage produced → the fields that are written.
 * What is recorded is derived from the very value that becomes visible.
 */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Decision,
  ModelRequest,
  ModelResponse,
  Prompt,
  SessionId,
  StartedProcess,
  ToolCall,
  ToolResult,
  ToolUse,
  ToolUseId,
  Workplace,
} from '../core/vocabulary.ts';
import type { ProcessIdentity } from '../lib/proc.ts';

export interface DaemonStarted {
  readonly writer: string;
  readonly version: string;
  readonly node: string;
  /** `foreground`: one command that ends with its work. */
  readonly mode: 'foreground';
  readonly process: ProcessIdentity;
  /** The newest record of the other chains: a chain that goes missing is missed. */
  readonly heads: readonly { readonly writer: string; readonly seq: number; readonly hash: string }[];
}

export interface SettingsSource {
  readonly scope: string;
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
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
}

export interface SessionStart {
  readonly session: SessionId;
  readonly workplace: Workplace;
  readonly model: string;
  readonly permissionMode: string;
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

export interface ToolStart {
  readonly id: ToolUseId;
  readonly tool: string;
}

/** A child of a running tool: group and start time find it again, whatever becomes of us. */
export interface ProcessStart {
  readonly id: ToolUseId;
  readonly process: StartedProcess;
}

export type TurnEndReason = 'completed' | 'max_turns' | 'interrupted' | 'error';

export interface TurnEnd {
  readonly reason: TurnEndReason;
  readonly stopReason: string | null;
  readonly requests: number;
  readonly detail?: string;
}

export interface UnknownOutcome {
  readonly writer: string;
  readonly session: string;
  readonly id: ToolUseId;
  readonly tool: string;
  readonly intent: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** `tool_use_id` among the fields becomes a common field of the record. */
export const RECORDS = {
  daemon_started: (start: DaemonStarted): Fields => ({ ...start }),
  daemon_stopped: (stop: { readonly reason: string }): Fields => ({ ...stop }),
  settings_loaded: (settings: SettingsInForce): Fields => ({ ...settings }),
  settings_changed: (change: SettingsChange): Fields => ({ ...change }),
  settings_rejected: (rejection: { readonly problems: readonly string[] }): Fields => ({ ...rejection }),
  session_started: ({ workplace, model, permissionMode }: SessionStart): Fields => ({
    workplace,
    model,
    permission_mode: permissionMode,
  }),
  session_ended: (end: { readonly reason: string }): Fields => ({ ...end }),
  prompt: (prompt: Prompt): Fields => ({ ...prompt }),
  // The messages are records of their own; their number says which of them the model saw.
  model_request: (request: ModelRequest): Fields => ({
    model: request.model,
    max_tokens: request.maxTokens,
    messages: request.messages.length,
    tools: request.tools.map((tool) => tool.name),
  }),
  // The input of each tool_use stands in its own record, which follows.
  model_response: (response: ModelResponse): Fields => ({
    id: response.id,
    model: response.model,
    stop_reason: response.stopReason,
    content: response.content.map((block) =>
      block.type === 'text' ? block : { type: block.type, id: block.id, name: block.name },
    ),
    usage: response.usage,
  }),
  model_failed: (failure: { readonly code: string; readonly message: string }): Fields => ({ ...failure }),
  tool_use: (use: ToolUse): Fields => ({ tool_use_id: use.id, name: use.name, input: use.input }),
  // The input stands here only where it is not what the model sent.
  tool_call: (call: ToolCall): Fields => ({
    tool_use_id: call.id,
    tool: call.tool.name,
    input: call.asSent === undefined ? undefined : call.input,
  }),
  permission: ({ call, decision, policy }: Judgement): Fields => ({
    tool_use_id: call.id,
    tool: call.tool.name,
    decision: decision.behavior,
    reason: decision.reason,
    cause: decision.cause,
    target: decision.target,
    decided_by_policy: policy,
  }),
  approval_requested: ({ id, call, decision, inputDigest }: ApprovalRequest): Fields => ({
    tool_use_id: call.id,
    approval: id,
    tool: call.tool.name,
    reason: decision.reason,
    cause: decision.cause,
    input_sha256: inputDigest,
  }),
  approval_resolved: ({ request, answer, waitedMs }: Approval): Fields => ({
    tool_use_id: request.call.id,
    approval: request.id,
    waited_ms: waitedMs,
    input_sha256: request.inputDigest,
    ...answer,
  }),
  tool_started: ({ id, tool }: ToolStart): Fields => ({ tool_use_id: id, tool }),
  process_started: ({ id, process }: ProcessStart): Fields => ({ tool_use_id: id, process }),
  tool_result: ({ id, outcome, text }: ToolResult): Fields => ({ tool_use_id: id, outcome, text }),
  turn_ended: ({ reason, stopReason, requests, detail }: TurnEnd): Fields => ({
    reason,
    stop_reason: stopReason,
    requests,
    detail,
  }),
  outcome_unknown: ({ writer, session, id, tool, intent }: UnknownOutcome): Fields => ({
    tool_use_id: id,
    of_writer: writer,
    of_session: session,
    tool,
    intent,
  }),
} as const satisfies Record<string, (value: never) => Fields>;

export type RecordKind = keyof typeof RECORDS;
export type RecordValue<K extends RecordKind> = Parameters<(typeof RECORDS)[K]>[0];
