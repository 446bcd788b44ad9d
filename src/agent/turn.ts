/** The loop: one prompt until the model stops. It does not know tools, rules or settings; they vary in tables elsewhere. */
import type { TurnEnd } from '../audit/record.ts';
import type { Recorded, Trail } from '../audit/trail.ts';
import { HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type { ModelResponse, ToolResult, ToolUse, ToolUseBlock, ToolUseId } from '../core/vocabulary.ts';
import type { Session } from './session.ts';
import { runToolCall } from './tool-call.ts';

/** Throws only when the audit fails. */
export async function runTurn(
  session: Session,
  trail: Trail,
  text: string,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { transcript, limits } = session;
  let requests = 0;
  let stopReason: string | null = null;
  let reason: TurnEnd['reason'] | undefined;
  let detail: string | undefined;
  closeOpenToolUses(session, trail);
  const prompt = trail.record('prompt', { text });
  session.tell({ kind: 'prompt', prompt: prompt.value });
  transcript.appendPrompt(prompt);
  while (reason === undefined) {
    try {
      requests += 1;
      const response = await askModel(session, trail, signal);
      stopReason = response.value.stopReason;
      transcript.appendResponse(response);
      transcript.append(await answerToolUses(session, trail, response, signal));
      if (stopReason !== 'tool_use') reason = 'completed';
      else if (signal.aborted) reason = 'interrupted';
      else if (requests >= limits.maxTurns) reason = 'max_turns';
    } catch (error) {
      if (isAuditFailure(error)) throw error;
      reason = signal.aborted ? 'interrupted' : 'error';
      detail = messageOf(error);
      if (reason === 'error') recordFailure(trail, error);
    }
  }
  const end: TurnEnd = { reason, stopReason, requests, ...(detail === undefined ? {} : { detail }) };
  trail.record('turn_ended', end);
  await trail.durable();
  return end;
}

/** The request leaves when it, and the outcome of every call before it, is durable. */
async function askModel(
  session: Session,
  trail: Trail,
  signal: AbortSignal,
): Promise<Recorded<ModelResponse>> {
  const request = trail.record('model_request', session.nextRequest());
  await trail.durable();
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
async function answerToolUses(
  session: Session,
  trail: Trail,
  response: Recorded<ModelResponse>,
  signal: AbortSignal,
): Promise<readonly Recorded<ToolResult>[]> {
  const { content, stopReason } = response.value;
  const uses = content.filter((block) => block.type === 'tool_use').map((block) => recordUse(trail, block));
  const results: Recorded<ToolResult>[] = [];
  for (const use of uses) {
    session.tell({ kind: 'tool_use', use: use.value });
    const result =
      stopReason === 'tool_use'
        ? await runToolCall(trail, use, session.gate, signal)
        : trail.record('tool_result', notRun(use.value.id, stopReason));
    session.tell({ kind: 'tool_result', use: use.value, result: result.value });
    results.push(result);
  }
  return results;
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

function recordFailure(trail: Trail, error: unknown): void {
  const code = error instanceof HookdError ? error.code : 'INTERNAL';
  trail.record('model_failed', { code, message: messageOf(error) });
}
