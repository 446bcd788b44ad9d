/** One response of the model, whatever the network does: each try is a request of its own on record, and all are bounded. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../audit/trail.ts';
import { HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { ModelRequest, ModelResponse } from '../core/vocabulary.ts';
import { retryDelayMs } from '../model/backoff.ts';
import type { Turn } from './turn-state.ts';

/**
 * Throws what the last try threw, or the signal's reason. Nothing of a response that did not end is kept, so no tool
 * can run twice. What a request with a purpose of its own brings is no part of the conversation and is not shown.
 */
export async function askModel(turn: Turn, request: ModelRequest): Promise<Recorded<ModelResponse>> {
  const { session, trail, signal } = turn;
  if (request.purpose === undefined) session.tell({ kind: 'request', messages: request.messages.length });
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce(turn, request);
    } catch (error) {
      if (isAuditFailure(error) || signal.aborted || tries > session.limits.maxRetries) throw error;
      const delayMs = retryDelayMs(error, tries, Math.random(), session.limits.firstRetryMs);
      if (delayMs === undefined) throw error;
      const failure = { code: codeOf(error), message: messageOf(error) };
      trail.record('model_failed', { ...failure, retryInMs: delayMs });
      turn.tally.retried();
      session.tell({ kind: 'retry', reason: failure.message, delayMs, tries, of: session.limits.maxRetries });
      await delay(delayMs, undefined, { signal });
    }
  }
}

/** The request leaves when it, and the outcome of every call before it, is durable. */
async function askOnce(turn: Turn, asked: ModelRequest): Promise<Recorded<ModelResponse>> {
  const { session, trail, signal } = turn;
  const isShown = asked.purpose === undefined;
  const request = trail.record('model_request', asked);
  // Made while the disk takes the records; it leaves after that.
  await trail.readyToAct(() => session.model.prepare?.(request));
  const began = performance.now();
  try {
    for await (const event of session.model.respond(request, signal)) {
      if (event.kind === 'response') {
        const response = trail.record('model_response', event.response);
        const { usage } = response.value;
        session.spend(usage);
        turn.tally.answered(usage);
        if (isShown) session.tell({ kind: 'response', response: response.value });
        return response;
      }
      if (isShown) session.tell(event);
    }
  } finally {
    turn.tally.asked(performance.now() - began);
  }
  throw new HookdError('MODEL_FAILED', 'The model ended its stream without a response.');
}

/** The code of what the user is told and what the record says. */
export function codeOf(error: unknown): string {
  return error instanceof HookdError ? error.code : 'INTERNAL';
}
