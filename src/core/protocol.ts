/** What a session tells those who watch it. Display only: the audit log is the record. */
import type { HookRef, ModelResponse, Prompt, ToolResult, ToolUse } from './vocabulary.ts';

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
  | { readonly kind: 'tool_result'; readonly use: ToolUse; readonly result: ToolResult }
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
