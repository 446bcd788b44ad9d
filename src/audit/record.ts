/**
 * Every kind of audit record, in one table: the value that a stage produced → the fields that are written.
 * What is recorded is derived from the very value that becomes visible.
 */
import type {
  AddedContext,
  ApprovalAnswer,
  ApprovalRequest,
  HookedCall,
  ModelRequest,
  ModelResponse,
  Prompt,
  ToolCall,
  ToolResult,
  ToolUse,
  TurnEnd,
} from '../core/vocabulary.ts';
import type { RecordFields, StoredKind } from './record-schema.ts';
import type {
  Approval,
  Compacted,
  CompactionLeftOut,
  CompactionStart,
  DaemonStarted,
  DiskSpace,
  HookEnd,
  HookStart,
  Judgement,
  LeftoverProcess,
  ModeChoice,
  ModelFailed,
  ProcessStart,
  RefusedPrompt,
  RememberedRule,
  RemovedChain,
  ReplacedResult,
  Resumption,
  RewrittenCall,
  SessionStart,
  SettingsChange,
  SettingsInForce,
  SinkState,
  StopBlock,
  ToolStart,
} from './record-values.ts';
import type { AcceptedFiles, StandingDecision } from './standing-decision.ts';
import type { UnknownOutcome } from './unfinished.ts';

/** What the writer of the chain adds or writes itself. */
type OfWriter = 'segment_started' | 'segment_rotated' | 'checkpoint';

/** `tool_use_id` among the fields becomes a common field of the record. What each field means: `record-schema.ts`. */
export const RECORDS = {
  daemon_started: (start: DaemonStarted) => ({ ...start }),
  daemon_stopped: (stop: { readonly reason: string }) => ({ ...stop }),
  settings_loaded: (settings: SettingsInForce) => ({ ...settings }),
  settings_changed: (change: SettingsChange) => ({ ...change }),
  settings_rejected: (rejection: { readonly problems: readonly string[] }) => ({ ...rejection }),
  session_started: ({ workplace, model, permissionMode, system, instructions }: SessionStart) => ({
    workplace,
    model,
    permission_mode: permissionMode,
    system,
    instructions,
  }),
  mode_chosen: (choice: ModeChoice) => ({ ...choice }),
  trust_given: (decision: AcceptedFiles) => ({ ...decision }),
  trust_revoked: (decision: StandingDecision) => ({ ...decision }),
  settings_accepted: (decision: AcceptedFiles) => ({ ...decision }),
  // Its messages are those of the file with this digest.
  session_resumed: ({ path, bytes, sha256, tornBytes, messages, forkOf }: Resumption) => ({
    transcript: path,
    bytes,
    sha256,
    torn_bytes: tornBytes === 0 ? undefined : tornBytes,
    messages: messages.length,
    fork_of: forkOf,
  }),
  session_ended: (end: { readonly reason: string }) => ({ ...end }),
  prompt: (prompt: Prompt) => ({ ...prompt }),
  // The messages are records of their own; their number says which of them the model saw.
  model_request: (request: ModelRequest) => ({
    model: request.model,
    max_tokens: request.maxTokens,
    messages: request.messages.length,
    tools: request.tools.map((tool) => tool.name),
    purpose: request.purpose,
  }),
  // The input of each tool_use stands in its own record, which follows.
  model_response: (response: ModelResponse) => ({
    id: response.id,
    model: response.model,
    stop_reason: response.stopReason,
    content: response.content.map((block) =>
      block.type === 'text' ? block : { type: block.type, id: block.id, name: block.name },
    ),
    usage: response.usage,
  }),
  model_failed: ({ code, message, retryInMs }: ModelFailed) => ({ code, message, retry_in_ms: retryInMs }),
  tool_use: (use: ToolUse) => ({ tool_use_id: use.id, name: use.name, input: use.input }),
  // The input stands here only where it is not what the model sent.
  tool_call: (call: ToolCall) => ({
    tool_use_id: call.id,
    tool: call.tool.name,
    input: call.asSent === undefined ? undefined : call.input,
  }),
  permission: ({ call, decision, policy }: Judgement) => ({
    tool_use_id: call.id,
    tool: call.tool.name,
    decision: decision.behavior,
    reason: decision.reason,
    cause: decision.cause,
    asked_by: decision.askedBy,
    target: decision.target,
    decided_by_policy: policy,
  }),
  approval_requested: ({ id, subject, toolUseId, decision, inputDigest, alwaysRule }: ApprovalRequest) => ({
    tool_use_id: toolUseId,
    approval: id,
    subject,
    reason: decision.reason,
    cause: decision.cause,
    input_sha256: inputDigest,
    always_rule: alwaysRule,
  }),
  approval_resolved: ({ request, answer, waitedMs }: Approval) => ({
    tool_use_id: request.toolUseId,
    approval: request.id,
    waited_ms: waitedMs,
    input_sha256: request.inputDigest,
    ...fieldsOfAnswer(answer),
  }),
  approval_remembered: ({ rule, client, file }: RememberedRule) => ({ rule, client, file }),
  hook_started: ({ hook, id }: HookStart) => ({ tool_use_id: id, hook }),
  hook_run: ({ id, ...ended }: HookEnd) => ({ tool_use_id: id, ...ended }),
  input_rewritten: ({ id, tool, input, rewrite }: RewrittenCall) => ({
    tool_use_id: id,
    tool: tool.name,
    by: rewrite.by,
    before: rewrite.before,
    after: input,
  }),
  hooked_call: ({ call, verdict }: HookedCall) => ({
    tool_use_id: call.id,
    tool: call.tool.name,
    verdict: verdict?.behavior ?? 'none',
    reason: verdict?.reason,
    by: verdict?.hook,
  }),
  output_replaced: ({ id, text, by }: ReplacedResult) => ({ tool_use_id: id, by, text }),
  context_added: (context: AddedContext) => ({ ...context }),
  prompt_refused: ({ text, reason, by }: RefusedPrompt) => ({ text, reason, by }),
  stop_blocked: (block: StopBlock) => ({ ...block }),
  tool_started: ({ id, tool }: ToolStart) => ({ tool_use_id: id, tool }),
  process_started: ({ id, hook, process }: ProcessStart) => ({ tool_use_id: id, hook, process }),
  tool_result: ({ id, outcome, text, durationMs }: ToolResult) => ({
    tool_use_id: id,
    outcome,
    text,
    duration_ms: durationMs,
  }),
  compaction_started: (start: CompactionStart) => ({ ...start }),
  compacted: ({ trigger, how, before, after, usage, change, sha256 }: Compacted) => ({
    trigger,
    how,
    messages_before: before.messages,
    messages_after: after.messages,
    tokens_before: before.tokens,
    tokens_after: after.tokens,
    sha256_before: sha256.before,
    sha256_after: sha256.after,
    usage,
    ...(change.how === 'summary'
      ? { replaced: change.replaced, summary: change.summary }
      : { outputs: change.outputs }),
  }),
  compaction_left_out: ({ trigger, reason, by }: CompactionLeftOut) => ({ trigger, reason, by }),
  turn_ended: ({ reason, stopReason, requests, detail, summary }: TurnEnd) => ({
    reason,
    stop_reason: stopReason,
    requests,
    detail,
    summary,
  }),
  leftover_process: ({ id, ...left }: LeftoverProcess) => ({ tool_use_id: id, ...left }),
  chain_removed: (removed: RemovedChain) => ({ ...removed }),
  disk_space: (space: DiskSpace) => ({ ...space }),
  sink_state: (state: SinkState) => ({ ...state }),
  outcome_unknown: ({ writer, writerLife, session, id, tool, intent }: UnknownOutcome) => ({
    tool_use_id: id,
    of_writer: writer,
    writer_life: writerLife,
    of_session: session,
    tool,
    intent,
  }),
} as const satisfies {
  readonly [K in Exclude<StoredKind, OfWriter>]: (value: never) => Omit<RecordFields<K>, 'open_intents'>;
};

export type RecordKind = keyof typeof RECORDS;
export type RecordValue<K extends RecordKind> = Parameters<(typeof RECORDS)[K]>[0];

function fieldsOfAnswer(answer: ApprovalAnswer) {
  if (answer.answer !== 'allow') return answer;
  return { answer: answer.answer, client: answer.client, always_rule: answer.alwaysRule };
}
