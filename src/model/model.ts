/** What the loop asks for words: one request in, one response out, however it is made. */
import type { Recorded } from '../audit/trail.ts';
import type { ModelRequest, ModelResponse } from '../core/vocabulary.ts';

/** All but the `response` is for screens only: that holds all of it again. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** JSON text of the input of the tool use that is block `index` of the response: a part of it, as it forms. */
  | { readonly kind: 'tool_input'; readonly index: number; readonly name: string; readonly json: string }
  | { readonly kind: 'response'; readonly response: ModelResponse };

export interface Model {
  /** Makes what will be sent, while the request may not leave yet. Nothing leaves, and `respond` need not follow. */
  prepare?(request: Recorded<ModelRequest>): void;
  /**
   * Streams one response: text and inputs as they form, then exactly one `response`, the last event. Throws MODEL_FAILED, or the
   * signal's reason on an abort. One call is at most one request on the network: a repetition would be unrecorded.
   */
  respond(request: Recorded<ModelRequest>, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Of each input: what is longer than anybody reads is not shown further. */
export const MOST_SHOWN_INPUT = 65_536;
