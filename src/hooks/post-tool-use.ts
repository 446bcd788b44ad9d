/** STAGE 6: hooks look at a result: feedback and context for the model, or another text in its place. */
import { assertRecorded, type Recorded, type Trail } from '../audit/trail.ts';
import type { ToolCall, ToolResult } from '../core/vocabulary.ts';
import { renderResponse } from '../tools/tool.ts';
import type { Judged } from './dispatch.ts';
import { fire } from './fire.ts';
import { hookRef } from './hook.ts';
import type { HookHost, TurnNotes } from './host.ts';

export async function postToolUse(
  trail: Trail,
  call: ToolCall,
  result: Recorded<ToolResult>,
  host: HookHost,
  notes: TurnNotes,
  signal: AbortSignal,
): Promise<Recorded<ToolResult>> {
  assertRecorded(result, 'tool_result');
  const { outcome, text, response, durationMs } = result.value;
  if (signal.aborted) return result;
  const event = outcome === 'ok' ? 'PostToolUse' : 'PostToolUseFailure';
  const occasion = {
    event,
    subject: call.tool.name,
    call,
    fields: {
      tool_name: call.tool.name,
      tool_input: call.input,
      tool_use_id: call.id,
      ...(outcome === 'ok' ? { tool_response: response ?? text } : { error: text, is_interrupt: false }),
      duration_ms: durationMs ?? 0,
    },
  } as const;
  const judged = await fire(trail, host, occasion, notes, signal);
  for (const { outcome: said } of judged) {
    if (said.verdict === 'block' && said.reason !== undefined)
      notes.addContext(`${event}:${call.tool.name}`, said.reason);
  }
  return replaced(trail, call, result, judged, host);
}

/**
 * The last replacement in configured order counts. One in another shape than the tool's own cannot be shown; who replaces
 * an output means to hide it, so that the output is withheld, whatever hooks after it would show.
 */
function replaced(
  trail: Trail,
  call: ToolCall,
  result: Recorded<ToolResult>,
  judged: readonly Judged[],
  host: HookHost,
): Recorded<ToolResult> {
  let final = result;
  for (const { hook, outcome } of judged) {
    if (outcome.updatedToolOutput === undefined) continue;
    const by = hookRef(hook);
    const rendered = renderResponse(call.tool, outcome.updatedToolOutput);
    if (!rendered.ok) host.tell(`${by.name}: ${rendered.problem}; the output is withheld.`);
    const text = rendered.ok
      ? rendered.text
      : `The output is withheld: a hook replaced it, but ${rendered.problem}.`;
    const { response: _hidden, ...rest } = result.value;
    final = trail.record('output_replaced', {
      ...rest,
      text,
      by,
      ...(rendered.ok ? { response: rendered.response } : {}),
    });
    if (!rendered.ok) break;
  }
  return final;
}
