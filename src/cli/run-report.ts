/** What `run` tells about one prompt: gathered from the session's events, printed as one JSON object or as text. */
import type { SessionEvent } from '../core/protocol.ts';
import type { TurnEnd, Usage } from '../core/vocabulary.ts';
import { addUsage, NO_USAGE } from './usage-line.ts';

export interface RunReport {
  readonly type: 'result';
  readonly subtype: 'success' | 'error_max_turns' | 'error_during_execution';
  readonly is_error: boolean;
  readonly result: string;
  readonly session_id: string | null;
  readonly num_turns: number;
  readonly stop_reason: string | null;
  readonly terminal_reason: string;
  readonly duration_ms: number;
  readonly usage: Usage;
  readonly permission_denials: readonly {
    readonly tool_name: string;
    readonly tool_use_id: string;
    readonly tool_input: unknown;
  }[];
  readonly warnings: readonly string[];
  readonly audit: { readonly file: string; readonly head: string; readonly records: number } | null;
}

export class RunLog {
  readonly #started = performance.now();
  readonly #denials: RunReport['permission_denials'][number][] = [];
  readonly #warnings: string[] = [];
  #usage = NO_USAGE;
  #text = '';
  #requests = 0;

  get denials(): number {
    return this.#denials.length;
  }

  watch(event: SessionEvent): void {
    if (event.kind === 'request') this.#requests += 1;
    if (event.kind === 'warning') this.#warnings.push(event.text);
    if (event.kind === 'response') {
      const { content, usage } = event.response;
      this.#text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
      this.#usage = addUsage(this.#usage, usage);
    }
    if (event.kind === 'compacted' && event.compaction.usage !== undefined)
      this.#usage = addUsage(this.#usage, event.compaction.usage);
    if (event.kind === 'tool_result' && event.result.outcome === 'denied') {
      const { name, id, input } = event.use;
      this.#denials.push({ tool_name: name, tool_use_id: id, tool_input: input });
    }
  }

  /** `end` is what the turn ended with, or the message of what ended it from outside. */
  report(end: TurnEnd | string, sessionId: string | null, audit: RunReport['audit']): RunReport {
    const reason = typeof end === 'string' ? 'error' : end.reason;
    return {
      type: 'result',
      subtype: SUBTYPES[reason],
      is_error: SUBTYPES[reason] !== 'success',
      result: this.#resultOf(end),
      session_id: sessionId,
      num_turns: this.#requests,
      stop_reason: typeof end === 'string' ? null : end.stopReason,
      terminal_reason: reason,
      duration_ms: Math.round(performance.now() - this.#started),
      usage: this.#usage,
      permission_denials: this.#denials,
      warnings: this.#warnings,
      audit,
    };
  }

  /** A turn that a hook ended has no answer of the model; a refused prompt shows what the hook said. */
  #resultOf(end: TurnEnd | string): string {
    if (typeof end === 'string') return end;
    if (['completed', 'max_turns', 'interrupted'].includes(end.reason)) return this.#text;
    return end.reason === 'hook_stopped' || end.reason === 'stop_hook_prevented'
      ? ''
      : (end.detail ?? this.#text);
  }
}

const SUBTYPES = {
  completed: 'success',
  max_turns: 'error_max_turns',
  interrupted: 'error_during_execution',
  error: 'error_during_execution',
  hook_stopped: 'success',
  stop_hook_prevented: 'success',
  prompt_refused: 'success',
} as const satisfies Record<TurnEnd['reason'], RunReport['subtype']>;
