/** What a turn has cost, in one line; sums of usage. */
import type { ContextUse } from '../core/protocol.ts';
import type { Usage } from '../core/vocabulary.ts';
import { counted } from './columns.ts';
import { durationWords } from './record-words.ts';

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}

export interface TurnCost {
  /** Of all requests of the turn. */
  readonly usage: Usage;
  readonly requests: number;
  readonly context?: ContextUse | undefined;
  readonly durationMs: number;
}

/** `2 requests · 1.2k tokens in (800 cached), 56 out · context 12 % · 4.2 s`; nothing for a turn that counted none. */
export function usageLine({ usage, requests, context, durationMs }: TurnCost): string | undefined {
  const cached = usage.cache_read_input_tokens;
  const sent = usage.input_tokens + usage.cache_creation_input_tokens + cached;
  if (sent + usage.output_tokens === 0) return undefined;
  const ofCache = cached === 0 ? '' : ` (${shortCount(cached)} cached)`;
  return [
    counted(requests, 'request'),
    `${shortCount(sent)} tokens in${ofCache}, ${shortCount(usage.output_tokens)} out`,
    ...(context === undefined ? [] : [`context ${contextShare(context)}`]),
    durationWords(durationMs),
  ].join(' · ');
}

/** `12 %` */
export function contextShare({ tokens, window }: ContextUse): string {
  return `${Math.round((100 * tokens) / window)} %`;
}

/** `812`, `1.2k`, `34k`, `1.5M` */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [size, unit] = count < 1_000_000 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, '') : Math.round(size)}${unit}`;
}
