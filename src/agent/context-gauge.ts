/** How full the model's context window is: what the API counted last, and an estimate of what has come or gone since. */
import type { ContextUse } from '../core/protocol.ts';
import type { Overflow } from '../model/failure.ts';

/** Tokens a byte of JSON: before anything is counted, and what a count may make of it. */
const USUAL_RATE = 2 / 7;
const LEAST_RATE = 1 / 10;
const MOST_RATE = 1;
/** An attempt that did not make enough room is repeated when the conversation has grown by this share of the window. */
const PATIENCE = 0.05;
/** What is left after a compaction, as a share of what calls for one: else the next request would call for the next. */
const GOAL = 0.7;

export interface ContextLimits {
  readonly contextWindow: number;
  /** Share of the window; 0: never. */
  readonly compactAt: number;
  /** Of an answer, which needs room too. */
  readonly maxTokens: number;
}

export class ContextGauge {
  readonly #limits: ContextLimits;
  #window: number;
  #rate = USUAL_RATE;
  #counted: { readonly tokens: number; readonly bytes: number } | undefined;
  #notBefore = 0;

  constructor(limits: ContextLimits) {
    this.#limits = limits;
    this.#window = limits.contextWindow;
  }

  /** What the API said of a conversation of `bytes`; 0 where it does not count. */
  count(tokens: number, bytes: number): void {
    if (tokens <= 0) return;
    this.#counted = { tokens, bytes };
    this.#rate = Math.min(MOST_RATE, Math.max(LEAST_RATE, tokens / bytes));
  }

  use(bytes: number): ContextUse {
    return { tokens: Math.round(this.#tokens(bytes)), window: this.#window };
  }

  /** At which the conversation is to be shortened; the answer must fit, too. */
  get threshold(): number {
    const { compactAt, maxTokens } = this.#limits;
    return Math.min(this.#window * compactAt, Math.max(this.#window - maxTokens, this.#window / 2));
  }

  /** What a compaction should leave. */
  get goal(): number {
    return this.threshold * GOAL;
  }

  get isOff(): boolean {
    return this.#limits.compactAt === 0;
  }

  isFull(bytes: number): boolean {
    return !this.isOff && this.#tokens(bytes) >= Math.max(this.threshold, this.#notBefore);
  }

  /** Whether a request of this size can leave room for an answer. */
  fits(bytes: number): boolean {
    return this.#tokens(bytes) + this.#limits.maxTokens <= this.#window;
  }

  /** How many bytes these tokens are, about. */
  bytesOf(tokens: number): number {
    return tokens / this.#rate;
  }

  /** Somebody tried to make room; the next try comes when it was enough, or the conversation has grown. */
  tried(bytes: number): void {
    const tokens = this.#tokens(bytes);
    this.#notBefore = tokens < this.threshold ? 0 : tokens + this.#window * PATIENCE;
  }

  /** The conversation is another one: what was counted no longer counts, what was learnt does. */
  shortened(): void {
    this.#counted = undefined;
  }

  /** An endpoint refused a conversation of `bytes`. Returns the window that it named, where that is smaller than ours. */
  refused({ tokens, most }: Overflow, bytes: number): number | undefined {
    this.count(Math.max(tokens ?? 0, this.#window, this.#tokens(bytes)), bytes);
    if (most === undefined || most >= this.#window) return undefined;
    this.#window = most;
    return most;
  }

  #tokens(bytes: number): number {
    const { tokens, bytes: then } = this.#counted ?? { tokens: 0, bytes: 0 };
    return Math.max(0, tokens + (bytes - then) * this.#rate);
  }
}
