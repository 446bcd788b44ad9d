/**
 * THE DATA PATH: the life of one tool call. Each stage takes only what the one before it returned, and sees it only
 * when it is on record; the order cannot be changed without a type error.
 */
import type { Recorded, Trail } from '../audit/trail.ts';
import { isAuditFailure, messageOf, Rejected } from '../core/errors.ts';
import type { ToolResult, ToolUse } from '../core/vocabulary.ts';
import type { TurnNotes } from '../hooks/host.ts';
import { postToolUse } from '../hooks/post-tool-use.ts';
import { preToolUse } from '../hooks/pre-tool-use.ts';
import { parseToolUse, runTool } from '../tools/tool.ts';
import { authorize, type Gate } from './authorize.ts';

/** Throws only when the audit fails: everything else becomes a result that the model reads. */
export async function runToolCall(
  trail: Trail,
  use: Recorded<ToolUse>,
  gate: Gate,
  notes: TurnNotes,
  signal: AbortSignal,
): Promise<Recorded<ToolResult>> {
  const { toolbox, hooks } = gate;
  let ran: Recorded<ToolResult> | undefined;
  try {
    refuseAfterEnd(notes, signal);
    const call = await parseToolUse(trail, use, toolbox);
    const hooked = await preToolUse(trail, call, hooks, notes, toolbox, signal);
    const permit = await authorize(trail, hooked, gate, notes, signal);
    ran = await gate.permissions.duringCall(() => runTool(trail, permit, toolbox, signal));
    const shown = await postToolUse(trail, permit.value.call, ran, hooks, notes, signal);
    if (shown !== ran) toolbox.outputs?.remove(use.value.id);
    return shown;
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    if (!(error instanceof Rejected)) await gate.reportFault(error);
    // What ran has its result on record; a fault after it must not say that it did not run.
    if (ran !== undefined) return ran;
    const { outcome, message } = error instanceof Rejected ? error : refusalFor(error);
    return trail.record('tool_result', { id: use.value.id, outcome, text: message });
  }
}

function refuseAfterEnd(notes: TurnNotes, signal: AbortSignal): void {
  if (signal.aborted) throw new Rejected('not_run', 'The user interrupted the turn before this call ran.');
  if (notes.stop !== undefined) throw new Rejected('not_run', 'A hook ended the turn before this call ran.');
}

/** A stage that breaks has not said yes: the call does not run. */
function refusalFor(error: unknown): Rejected {
  return new Rejected('denied', `The call was refused, because judging it failed: ${messageOf(error)}`);
}
