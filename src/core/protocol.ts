/** What a session tells those who watch it. Display only: the audit log is the record. */
import type { ModelResponse, Prompt, ToolResult, ToolUse } from './vocabulary.ts';

export type SessionEvent =
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  /** A request leaves; `messages` is the length of the conversation in it. */
  | { readonly kind: 'request'; readonly messages: number }
  /** Streamed text, as it forms. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'response'; readonly response: ModelResponse }
  | { readonly kind: 'tool_use'; readonly use: ToolUse }
  | { readonly kind: 'tool_result'; readonly use: ToolUse; readonly result: ToolResult }
  /** Something the user must know that is no answer of the model: a rejected settings file, a changed one. */
  | { readonly kind: 'warning'; readonly text: string };
