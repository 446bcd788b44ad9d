/** The gates of a turn that are no tool call: the prompt, each model request, the stop. */
import type { Decision, HookRef, JsonObject, ModelResponse, TurnEnd } from '../core/vocabulary.ts';
import type { Judged, Occasion } from '../hooks/dispatch.ts';
import { fire } from '../hooks/fire.ts';
import { hookRef } from '../hooks/hook.ts';
import { reasonsOf } from '../hooks/merge-outcomes.ts';
import { allTokens } from '../model/message.ts';
import { askHuman, refusalOf } from './ask-human.ts';
import { budgetSpent } from './turn-guards.ts';
import { endOf, type Turn } from './turn-state.ts';

/** UserPromptSubmit: hooks may refuse the prompt or add to it; it becomes part of the conversation only then. */
export async function submitPrompt(turn: Turn, text: string): Promise<TurnEnd | undefined> {
  const { session, trail, notes } = turn;
  const prompt = trail.record('prompt', { text });
  session.tell({ kind: 'prompt', prompt: prompt.value });
  const judged = await fireGate(turn, { event: 'UserPromptSubmit', fields: { prompt: text } });
  if (turn.signal.aborted) return endOf(turn, 'interrupted');
  const refusal = await refusalBy(turn, judged, 'prompt', { prompt: text });
  if (turn.signal.aborted) return endOf(turn, 'interrupted');
  if (refusal === undefined && notes.stop === undefined) {
    const said = notes.takeContext();
    // Only now: what waits for a prompt is not lost with one that is refused.
    for (const { event, text } of session.takeStartContext()) notes.addContext(event, text);
    session.transcript.appendPrompt(prompt, [...notes.takeContext(), ...said]);
    return undefined;
  }
  const by = refusal?.by ?? notes.stop?.by;
  const reason = refusal?.reason ?? `Operation stopped by hook: ${notes.stop?.reason ?? ''}`;
  if (by !== undefined) trail.record('prompt_refused', { text, reason, by });
  const shown =
    refusal === undefined
      ? reason
      : `UserPromptSubmit operation blocked by hook:\n${reason}\n\nOriginal prompt: ${text}`;
  return endOf(turn, 'prompt_refused', shown);
}

/**
 * PreModelRequest before request `index` of the turn: hooks may end the turn before it leaves, or add to it. So does a
 * budget that is spent, be it by the summary that made room for this request.
 */
export async function mayAskModel(turn: Turn, index: number): Promise<TurnEnd | undefined> {
  const { session, notes } = turn;
  const spent = budgetSpent(turn);
  if (spent !== undefined) return endOf(turn, 'error', spent);
  const count = session.transcript.messages().length;
  const refusal = await requestRefusal(turn, { purpose: 'conversation', index, count });
  if (turn.signal.aborted) return endOf(turn, 'interrupted');
  if (refusal !== undefined) return endOf(turn, 'hook_stopped', refusal.reason);
  for (const { event, text } of turn.gate.hooks.background.takeContext()) notes.addContext(event, text);
  session.transcript.addContext(notes.takeContext());
  return undefined;
}

/** A request as hooks are told of it. */
export interface AnnouncedRequest {
  readonly purpose: 'conversation' | 'summary';
  /** Which request of the turn, from 1. */
  readonly index: number;
  /** Of its messages. */
  readonly count: number;
}

export interface Refusal {
  readonly by: HookRef;
  /** A hook that ends the turn may give none. */
  readonly reason: string | undefined;
}

/** PreModelRequest: which hook, or which person asked by one, holds a request back. What hooks add is noted. */
export async function requestRefusal(
  turn: Turn,
  { purpose, index, count }: AnnouncedRequest,
): Promise<Refusal | undefined> {
  const { session, notes } = turn;
  const { usage } = session;
  const fields = {
    model: session.modelName,
    purpose,
    request_index: index,
    message_count: count,
    context_tokens: usage === undefined ? 0 : allTokens(usage),
    usage: usage === undefined ? null : { ...usage },
  };
  const judged = await fireGate(turn, { event: 'PreModelRequest', fields });
  if (turn.signal.aborted) return undefined;
  return (await refusalBy(turn, judged, 'model request', fields)) ?? notes.stop;
}

/** PostModelResponse: hooks may end the turn before the calls of the response run. `durationMs`: of the request. */
export async function afterResponse(
  turn: Turn,
  response: ModelResponse,
  purpose: AnnouncedRequest['purpose'],
  durationMs: number,
): Promise<void> {
  const { trail, notes, signal } = turn;
  const fields = {
    purpose,
    model: response.model,
    stop_reason: response.stopReason,
    usage: { ...response.usage },
    text: textOf(response),
    tool_names: response.content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
    duration_ms: Math.round(durationMs),
  };
  const judged = await fire(trail, turn.gate.hooks, { event: 'PostModelResponse', fields }, notes, signal);
  const block = judged.find(({ outcome }) => outcome.verdict === 'block');
  if (block !== undefined) notes.requestStop(hookRef(block.hook), block.outcome.reason);
}

/** Stop: a hook that objects sends the model on, with its reason; at most `maxStopBlocks` times in one turn. */
export async function mayStop(turn: Turn, response: ModelResponse): Promise<TurnEnd | undefined> {
  const { session, trail, notes, signal } = turn;
  const { usage, duration_ms, ...counts } = turn.tally.summary();
  const fields = {
    stop_hook_active: turn.stopBlocks > 0,
    last_assistant_message: textOf(response),
    background_tasks: [],
    session_crons: [],
    turn_summary: { ...counts, usage: { ...usage }, duration_ms: { ...duration_ms } },
  };
  const judged = await fire(trail, turn.gate.hooks, { event: 'Stop', fields }, notes, signal);
  if (signal.aborted) return endOf(turn, 'interrupted');
  if (notes.stop !== undefined) return endOf(turn, 'stop_hook_prevented', notes.stop.reason);
  const blocks = judged.filter(({ outcome }) => outcome.verdict === 'block');
  const context = notes.takeContext();
  const [first] = blocks;
  if (first === undefined && context.length === 0) return endOf(turn, 'completed');
  if (turn.stopBlocks >= session.limits.maxStopBlocks) {
    session.tell({
      kind: 'warning',
      text: `Stop hooks sent the model on ${turn.stopBlocks} times; now the turn ends (maxStopBlocks).`,
    });
    return endOf(turn, 'completed');
  }
  turn.stopBlocks += 1;
  for (const { hook, outcome } of blocks) {
    const feedback = { by: hookRef(hook), reason: outcome.reason ?? '', count: turn.stopBlocks };
    session.transcript.appendFeedback(trail.record('stop_blocked', feedback));
  }
  session.transcript.addContext(context);
  return undefined;
}

function fireGate({ gate, trail, notes, signal }: Turn, occasion: Occasion): Promise<readonly Judged[]> {
  return fire(trail, gate.hooks, occasion, notes, signal);
}

/** A block refuses; an ask puts the question to a person, whose no (or absence) refuses. */
async function refusalBy(turn: Turn, judged: readonly Judged[], subject: string, input: JsonObject) {
  const block = judged.find(({ outcome }) => outcome.verdict === 'block');
  if (block !== undefined) return { by: hookRef(block.hook), reason: reasonsOf(judged, 'block') ?? '' };
  const question = judged.find(({ outcome }) => outcome.verdict === 'ask');
  if (question === undefined) return undefined;
  const by = hookRef(question.hook);
  const decision: Decision = {
    behavior: 'ask',
    reason: reasonsOf(judged, 'ask') ?? `A hook asks about this ${subject}.`,
    cause: { kind: 'hook', hook: by },
  };
  if (turn.gate.hooks.current().permissionMode === 'dontAsk')
    return {
      by,
      reason: `Denied without a question, because the permission mode is dontAsk: ${decision.reason}`,
    };
  const notice = `hookd needs your permission: a hook asks about this ${subject}`;
  const answer = await askHuman(turn.trail, turn.gate, { subject, notice, input, decision }, turn.signal);
  return answer.answer === 'allow' ? undefined : { by, reason: refusalOf(decision, answer).reason };
}

export function textOf({ content }: ModelResponse): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
