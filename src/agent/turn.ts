/** The loop: one prompt until the model stops. It does not know tools, rules or settings; they vary in tables elsewhere. */
import type { Recorded, Trail } from '../audit/trail.ts';
import { isAuditFailure, messageOf } from '../core/errors.ts';
import type { ToolResult, ToolUse, ToolUseBlock, ToolUseId, TurnEnd } from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import { hookRef } from '../hooks/hook.ts';
import { type FailureKind, ModelFailure } from '../model/failure.ts';
import { codeOf } from './ask-model.ts';
import { askWithRoom, makeRoom, shortenedAfterCut } from './make-room.ts';
import type { Session } from './session.ts';
import { runToolCall } from './tool-call.ts';
import { afterResponse, mayAskModel, mayStop, submitPrompt } from './turn-gates.ts';
import { budgetSpent, countFailures, cutShort, goesOn, notRunBecause, whyStuck } from './turn-guards.ts';
import { endOf, newTurn, type Turn } from './turn-state.ts';

/** Without `text` it goes on with what an earlier process has left. Throws only when the audit fails. */
export async function runTurn(
  session: Session,
  trail: Trail,
  text: string | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const turn = newTurn(session, trail, signal);
  let end: TurnEnd | undefined;
  let kind: FailureKind = 'unknown';
  trail.assertRoom();
  try {
    end = await finishCalls(turn);
    if (text !== undefined) end ??= await submitPrompt(turn, text);
    while (end === undefined) end = await playResponse(turn);
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    if (error instanceof ModelFailure) kind = error.kind;
    end = failure(turn, error);
  }
  if (end.reason === 'error' && turn.notes.stop === undefined)
    await tellOfFailure(turn, kind, end.detail ?? '');
  const told = { ...end, summary: turn.tally.summary() };
  trail.record('turn_ended', told);
  await trail.durable();
  return told;
}

/** One response and the answers to its tool uses; undefined when the turn goes on. */
async function playResponse(turn: Turn): Promise<TurnEnd | undefined> {
  const { session } = turn;
  const spent = budgetSpent(turn);
  if (spent !== undefined) return endOf(turn, 'error', spent);
  const refused = (await makeRoom(turn)) ?? (await mayAskModel(turn, turn.requests + 1));
  if (refused !== undefined) return refused;
  const asked = performance.now();
  turn.requests += 1;
  const answer = await askWithRoom(turn);
  if ('end' in answer) return answer.end;
  const { response } = answer;
  await afterResponse(turn, response.value, 'conversation', performance.now() - asked);
  turn.stopReason = response.value.stopReason;
  session.transcript.appendResponse(response);
  session.measure(response.value.usage);
  const cut = cutShort(response.value, session.limits.maxTokens);
  if (cut !== undefined) session.tell({ kind: 'warning', text: cut });
  const failing = await answerToolUses(turn, session.transcript.open, response.value.stopReason);
  const ended = endAfterCalls(turn);
  if (ended !== undefined) return ended;
  const stuck = whyStuck(turn, response.value) ?? failing;
  if (stuck !== undefined) return endOf(turn, 'error', stuck);
  const goOn = (await shortenedAfterCut(turn, response.value)) || goesOn(response.value);
  const end = goOn ? undefined : await mayStop(turn, response.value);
  return end ?? (turn.requests >= session.limits.maxTurns ? endOf(turn, 'max_turns') : undefined);
}

/**
 * One after another, in the model's order. Tool uses of a response that did not stop for them never run.
 * Returns why the turn should end, when the same call fails again and again.
 */
async function answerToolUses(
  turn: Turn,
  open: readonly ToolUseBlock[],
  stopReason: string,
): Promise<string | undefined> {
  const { session, trail, notes, signal } = turn;
  const uses = open.map((block) => recordUse(trail, block));
  const results: Recorded<ToolResult>[] = [];
  for (const use of uses) {
    session.tell({ kind: 'tool_use', use: use.value });
    const result =
      stopReason === 'tool_use'
        ? await runToolCall(trail, use, turn.gate, notes, signal)
        : trail.record('tool_result', notRun(use.value.id, stopReason));
    turn.tally.call(use.value, result.value);
    session.tell({ kind: 'tool_result', use: use.value, result: result.value });
    // At once: a crash during the next call must not make this one look as if it had no outcome.
    session.transcript.append([result]);
    results.push(result);
  }
  if (results.length === 0) return undefined;
  if (!signal.aborted) await fireBatch(turn, uses, results);
  const failing = countFailures(
    turn,
    uses.map(({ value }) => value),
    results.map(({ value }) => value),
  );
  session.transcript.addContext(notes.takeContext());
  return failing;
}

async function fireBatch(
  { gate, trail, notes, signal }: Turn,
  uses: readonly Recorded<ToolUse>[],
  results: readonly Recorded<ToolResult>[],
): Promise<void> {
  const tool_calls = uses.map(({ value: { id, name, input } }, index) => ({
    tool_name: name,
    tool_input: input as never,
    tool_use_id: id,
    tool_response: results[index]?.value.text,
  }));
  const judged = await fire(
    trail,
    gate.hooks,
    { event: 'PostToolBatch', fields: { tool_calls } },
    notes,
    signal,
  );
  const block = judged.find(({ outcome }) => outcome.verdict === 'block');
  if (block !== undefined) notes.requestStop(hookRef(block.hook), block.outcome.reason);
}

/** Why the turn ends after its calls, if it does. */
function endAfterCalls(turn: Turn): TurnEnd | undefined {
  const { stop } = turn.notes;
  if (turn.signal.aborted) return endOf(turn, 'interrupted');
  if (stop === undefined) return undefined;
  return endOf(turn, stop.isInterrupt ? 'error' : 'hook_stopped', stop.reason);
}

function recordUse(trail: Trail, { id, name, input }: ToolUseBlock): Recorded<ToolUse> {
  return trail.record('tool_use', { id: id as ToolUseId, name, input });
}

function notRun(id: ToolUseId, stopReason: string): ToolResult {
  return { id, outcome: 'not_run', text: `Not run: ${notRunBecause(stopReason)}` };
}

/**
 * The last response may lack results; the API takes no new prompt before it has them. Calls that had not begun when an
 * earlier process ended, because a person was asked about the first of them, go through the whole gate; after a failure
 * (of the audit, say) nobody knows.
 */
async function finishCalls(turn: Turn): Promise<TurnEnd | undefined> {
  const { session, trail } = turn;
  const { transcript } = session;
  if (session.takeWaiting()) {
    const failing = await answerToolUses(turn, transcript.open, 'tool_use');
    return endAfterCalls(turn) ?? (failing === undefined ? undefined : endOf(turn, 'error', failing));
  }
  const text = 'hookd failed during this call. Whether it took effect is unknown.';
  for (const { id } of transcript.open)
    transcript.append([trail.record('tool_result', { id: id as ToolUseId, outcome: 'unknown', text })]);
  return undefined;
}

function failure(turn: Turn, error: unknown): TurnEnd {
  const { trail, signal } = turn;
  if (signal.aborted) return endOf(turn, 'interrupted');
  const message = messageOf(error);
  trail.record('model_failed', { code: codeOf(error), message });
  return endOf(turn, 'error', message);
}

/** StopFailure: for hooks that call somebody; what they say changes nothing. */
async function tellOfFailure(
  { gate, trail, signal }: Turn,
  kind: FailureKind,
  message: string,
): Promise<void> {
  const fields = { error: kind, last_assistant_message: message };
  await fire(trail, gate.hooks, { event: 'StopFailure', subject: kind, fields }, undefined, signal);
}
