/** `--output-format stream-json`: one JSON object a line while the session runs; the last one is the result. */
import { randomUUID } from 'node:crypto';
import { assistantMessage } from '../agent/transcript-file.ts';
import type { SessionEvent, SessionInfo } from '../core/protocol.ts';
import type { ModelResponse, ToolResult, ToolUse } from '../core/vocabulary.ts';
import { retryText } from './render.ts';

type Beginning = Pick<SessionInfo, 'id' | 'cwd' | 'tools' | 'model' | 'permissionMode'>;

export function initLine(info: Beginning): object {
  return {
    type: 'system',
    subtype: 'init',
    cwd: info.cwd,
    session_id: info.id,
    tools: info.tools,
    model: info.model,
    permissionMode: info.permissionMode,
    mcp_servers: [],
  };
}

/** `withHooks`: `--include-hook-events`; a guard without a verdict is told anyway. */
export function eventObjects(event: SessionEvent, sessionId: string, withHooks: boolean): readonly object[] {
  if (event.kind === 'hook_started' || event.kind === 'hook_ended')
    return hookLines(event, sessionId, withHooks);
  if (event.kind === 'response') return assistantLines(event.response, sessionId);
  if (event.kind === 'tool_result') return resultLines(event.use, event.result, sessionId);
  if (event.kind === 'input_rewritten') return [rewriteLine(event, sessionId)];
  if (event.kind === 'hook_message') {
    const content = `${event.hook.event} says: ${event.text}`;
    return [{ type: 'system', subtype: 'informational', content, session_id: sessionId }];
  }
  if (event.kind === 'retry')
    return [{ type: 'system', subtype: 'informational', content: retryText(event), session_id: sessionId }];
  if (event.kind === 'compacted' && event.compaction.how === 'summary') {
    const { trigger, before } = event.compaction;
    const compact_metadata = { trigger, pre_tokens: before.tokens };
    const frame = { session_id: sessionId, uuid: randomUUID() };
    return [{ type: 'system', subtype: 'compact_boundary', ...frame, compact_metadata }];
  }
  if (event.kind === 'warning') {
    return [{ type: 'system', subtype: 'informational', content: event.text, session_id: sessionId }];
  }
  return [];
}

/** One line a content block, with the same message id. */
function assistantLines(response: ModelResponse, sessionId: string): readonly object[] {
  return response.content.map((block) => ({
    type: 'assistant',
    message: assistantMessage(response, block),
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid: randomUUID(),
  }));
}

function resultLines(use: ToolUse, { outcome, text }: ToolResult, sessionId: string): readonly object[] {
  const isError = outcome !== 'ok';
  const denied = {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: use.name,
    tool_use_id: use.id,
    message: text,
    session_id: sessionId,
  };
  const result = {
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: use.id, content: text, ...(isError ? { is_error: true } : {}) },
      ],
    },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    tool_use_result: text,
  };
  return outcome === 'denied' ? [denied, result] : [result];
}

/** The call stands in the `assistant` line before as the model sent it. */
function rewriteLine({ use, by }: Extract<SessionEvent, { kind: 'input_rewritten' }>, sessionId: string) {
  return {
    type: 'system',
    subtype: 'input_rewritten',
    tool_name: use.name,
    tool_use_id: use.id,
    tool_input: use.input,
    hook_name: by.name,
    hook_event: by.event,
    session_id: sessionId,
    uuid: randomUUID(),
  };
}

type HookEvent = Extract<SessionEvent, { kind: 'hook_started' | 'hook_ended' }>;

function hookLines(event: HookEvent, sessionId: string, withHooks: boolean): readonly object[] {
  const { name, event: hookEvent } = event.hook;
  const frame = {
    type: 'system',
    hook_name: name,
    hook_event: hookEvent,
    session_id: sessionId,
    uuid: randomUUID(),
  };
  if (event.kind === 'hook_started') return withHooks ? [{ ...frame, subtype: 'hook_started' }] : [];
  const { exitCode, stdout, stderr, outcome, hasNoVerdict } = event.ended;
  const response = { ...frame, subtype: 'hook_response', exit_code: exitCode, stdout, stderr, outcome };
  const content = `${hookEvent} hook [${name}] gave no verdict.`;
  const notice = { ...frame, subtype: 'informational', tag: 'hook_no_verdict', content };
  return [...(withHooks ? [response] : []), ...(hasNoVerdict ? [notice] : [])];
}
