/** The loop: one prompt until the model stops. It does not know tools, rules or settings; they vary in tables elsewhere. */
import type { TurnEnd } from '../audit/record-values.ts';
import type { Recorded, Trail } from '../audit/trail.ts';
import { HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { ModelResponse, ToolResult, ToolUse, ToolUseBlock, ToolUseId } from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import { hookRef } from '../hooks/hook.ts';
import { TurnNotes } from '../hooks/host.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Session } from './session.ts';
import { runToolCall } from './tool-call.ts';
import { afterResponse, mayAskModel, mayStop, submitPrompt } from './turn-gates.ts';
import { endOf, type Turn } from './turn-state.ts';

/** Throws only when the audit fails. */
export async function runTurn(
  session: Session,
  trail: Trail,
  text: string,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const notes = new TurnNotes(trail);
  const turn: Turn = { session, trail, notes, signal, requests: 0, stopReason: null, stopBlocks: 0 };
  let end: TurnEnd | undefined;
  trail.assertRoom();
  try {
    closeOpenToolUses(session, trail);
    end = await submitPrompt(turn, text);
    while (end === undefined) end = await playResponse(turn);
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    end = await failure(turn, error);
  }
  trail.record('turn_ended', end);
  await trail.durable();
  return end;
}

/** One response and the answers to its tool uses; undefined when the turn goes on. */
async function playResponse(turn: Turn): Promise<TurnEnd | undefined> {
  const { session, notes, signal } = turn;
  const refused = await mayAskModel(turn);
  if (refused !== undefined) return refused;
  const asked = performance.now();
  const response = await askModel(turn);
  await afterResponse(turn, response.value, performance.now() - asked);
  turn.stopReason = response.value.stopReason;
  session.transcript.appendResponse(response);
  await answerToolUses(turn, response);
  if (signal.aborted) return endOf(turn, 'interrupted');
  if (notes.stop !== undefined)
    return endOf(turn, notes.stop.isInterrupt ? 'error' : 'hook_stopped', notes.stop.reason);
  const end = turn.stopReason === 'tool_use' ? undefined : await mayStop(turn, response.value);
  return end ?? (turn.requests >= session.limits.maxTurns ? endOf(turn, 'max_turns') : undefined);
}

/** The request leaves when it, and the outcome of every call before it, is durable. */
async function askModel(turn: Turn): Promise<Recorded<ModelResponse>> {
  const { session, trail, signal } = turn;
  const request = trail.record('model_request', session.nextRequest());
  await trail.readyToAct();
  turn.requests += 1;
  session.tell({ kind: 'request', messages: request.value.messages.length });
  for await (const event of session.model.respond(request, signal)) {
    if (event.kind === 'text') session.tell({ kind: 'text', text: event.text });
    else {
      const response = trail.record('model_response', event.response);
      session.tell({ kind: 'response', response: response.value });
      return response;
    }
  }
  throw new HookdError('MODEL_FAILED', 'The model ended its stream without a response.');
}

/** One after another, in the model's order. Tool uses of a response that did not stop for them never run. */
async function answerToolUses(turn: Turn, response: Recorded<ModelResponse>): Promise<void> {
  const { session, trail, notes, signal } = turn;
  const { content, stopReason } = response.value;
  const uses = content.filter((block) => block.type === 'tool_use').map((block) => recordUse(trail, block));
  const results: Recorded<ToolResult>[] = [];
  for (const use of uses) {
    session.tell({ kind: 'tool_use', use: use.value });
    const result =
      stopReason === 'tool_use'
        ? await runToolCall(trail, use, session.gate, notes, signal)
        : trail.record('tool_result', notRun(use.value.id, stopReason));
    session.tell({ kind: 'tool_result', use: use.value, result: result.value });
    results.push(result);
  }
  if (results.length === 0) return;
  session.transcript.append(results);
  if (!signal.aborted) await fireBatch(turn, uses, results);
  session.transcript.addContext(notes.takeContext());
}

async function fireBatch(
  { session, trail, notes, signal }: Turn,
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
    session.gate.hooks,
    { event: 'PostToolBatch', fields: { tool_calls } },
    notes,
    signal,
  );
  const block = judged.find(({ outcome }) => outcome.verdict === 'block');
  if (block !== undefined) notes.requestStop(hookRef(block.hook), block.outcome.reason);
}

function recordUse(trail: Trail, { id, name, input }: ToolUseBlock): Recorded<ToolUse> {
  return trail.record('tool_use', { id: id as ToolUseId, name, input });
}

function notRun(id: ToolUseId, stopReason: string): ToolResult {
  const why =
    stopReason === 'max_tokens'
      ? 'the response was cut at its token limit, so the call may be incomplete. Send smaller calls.'
      : `the response ended with ${JSON.stringify(stopReason)}, not "tool_use".`;
  return { id, outcome: 'not_run', text: `Not run: ${why}` };
}

/** After a failure (of the audit, say) the last response may lack results; the API takes no new prompt before it has them. */
function closeOpenToolUses(session: Session, trail: Trail): void {
  const results = session.transcript.open.map((use) =>
    trail.record('tool_result', {
      id: use.id as ToolUseId,
      outcome: 'interrupted',
      text: 'hookd failed during this call. Whether it took effect is unknown.',
    } satisfies ToolResult),
  );
  session.transcript.append(results);
}

async function failure(turn: Turn, error: unknown): Promise<TurnEnd> {
  const { session, trail, signal } = turn;
  if (signal.aborted) return endOf(turn, 'interrupted', messageOf(error));
  const message = messageOf(error);
  trail.record('model_failed', { code: error instanceof HookdError ? error.code : 'INTERNAL', message });
  const kind = error instanceof ModelFailure ? error.kind : 'unknown';
  const fields = { error: kind, last_assistant_message: message };
  await fire(trail, session.gate.hooks, { event: 'StopFailure', subject: kind, fields }, undefined, signal);
  return endOf(turn, 'error', message);
}
