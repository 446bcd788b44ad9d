/** What keeps a turn from going round in circles: responses that cannot be used, calls that fail the same way, a budget. */
import type { ModelResponse, ToolResult, ToolUse } from '../core/vocabulary.ts';
import type { Turn } from './turn-state.ts';

/** Responses in a row whose calls could not run; one that asks for the same again will not fit the next time either. */
const MAX_UNUSABLE = 3;

/** The text of a call that did not run because of how its response ended. */
export function notRunBecause(stopReason: string): string {
  switch (stopReason) {
    case 'max_tokens':
      return 'the response was cut at its token limit, so the call may be incomplete. Send smaller calls.';
    case 'model_context_window_exceeded':
      return 'the response was cut at the end of the context window, so the call may be incomplete.';
    default:
      return `the response ended with ${JSON.stringify(stopReason)}, not "tool_use".`;
  }
}

/** Whether the model has the word again: its calls were answered, or it paused. */
export function goesOn({ stopReason, content }: ModelResponse): boolean {
  if (stopReason === 'pause_turn') return content.length > 0;
  return content.some((block) => block.type === 'tool_use');
}

/** What the user should know of an answer that ended before it was complete. */
export function cutShort({ stopReason, content }: ModelResponse, maxTokens: number): string | undefined {
  if (stopReason === 'max_tokens')
    return `The answer was cut at ${maxTokens} tokens ("maxTokens" in the settings allows longer ones).`;
  if (stopReason === 'model_context_window_exceeded')
    return 'The answer was cut: the conversation fills the context window of the model.';
  return content.length === 0 && stopReason !== 'refusal' ? 'The model answered with nothing.' : undefined;
}

/** Why the turn cannot usefully go on after this response, in words; undefined when it can. */
export function whyStuck(turn: Turn, response: ModelResponse): string | undefined {
  const { stopReason } = response;
  if (stopReason === 'refusal') return 'The model declined to answer (stop reason "refusal").';
  const isUsable = stopReason === 'tool_use' || !goesOn(response);
  turn.unusable = isUsable || stopReason === 'pause_turn' ? 0 : turn.unusable + 1;
  if (turn.unusable < MAX_UNUSABLE) return undefined;
  return `The calls of ${MAX_UNUSABLE} responses in a row did not run: ${notRunBecause(stopReason)}`;
}

/**
 * Counts calls that failed with the same input while nothing else worked. Half-way to the limit the model is told, once
 * for each call; at the limit this returns why the turn ends.
 */
export function countFailures(
  turn: Turn,
  uses: readonly ToolUse[],
  results: readonly ToolResult[],
): string | undefined {
  const limit = turn.session.limits.maxRepeatedFailures;
  for (const [index, result] of results.entries()) {
    const use = uses[index];
    if (use === undefined || result.outcome === 'not_run' || result.outcome === 'interrupted') continue;
    if (result.outcome === 'ok') {
      turn.failures.clear();
      continue;
    }
    const key = JSON.stringify([use.name, use.input]);
    const count = (turn.failures.get(key) ?? 0) + 1;
    turn.failures.set(key, count);
    if (count >= limit)
      return `The same call of ${use.name} failed ${count} times, and nothing else worked in between ("maxRepeatedFailures").`;
    if (count === Math.ceil(limit / 2))
      turn.notes.addContext(
        'RepeatedFailure',
        `This call of ${use.name} has failed ${count} times with the same input. It will not work the next time: take another way, or tell the user what you would need.`,
      );
  }
  return undefined;
}

/** Why no further request may leave. */
export function budgetSpent({ session }: Turn): string | undefined {
  const { maxSessionTokens } = session.limits;
  if (maxSessionTokens === undefined || session.tokens < maxSessionTokens) return undefined;
  return `The session has used ${session.tokens} tokens of its ${maxSessionTokens} ("maxSessionTokens" in the settings).`;
}
