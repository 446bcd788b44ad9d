/** What the loop asks for words: one request in, one response out, however it is made. */

import type { Recorded } from '../audit/trail.ts';
import type { ModelRequest, ModelResponse } from '../core/vocabulary.ts';

/** `text` is for screens only; the `response` holds all of it again. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'response'; readonly response: ModelResponse };

export interface Model {
  /**
   * Streams one response: text as it forms, then exactly one `response`, the last event. Throws MODEL_FAILED, or the
   * signal's reason on an abort. One call is at most one request on the network: a repetition would be unrecorded.
   */
  respond(request: Recorded<ModelRequest>, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
