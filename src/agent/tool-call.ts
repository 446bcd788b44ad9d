/**
 * THE DATA PATH: the life of one tool call. Each stage takes only what the one before it returned, and sees it only
 * when it is on record; the order cannot be changed without a type error.
 */
import type { Recorded, Trail } from '../audit/trail.ts';
import { isAuditFailure, messageOf, Rejected } from '../core/errors.ts';
import type { ToolResult, ToolUse } from '../core/vocabulary.ts';
import { parseToolUse, runTool, type Toolbox } from '../tools/tool.ts';
import { type Approvals, authorize, type PermissionSource } from './authorize.ts';

export interface Gate {
  readonly toolbox: Toolbox;
  readonly permissions: PermissionSource;
  readonly approvals: Approvals;
  /** A fault of hookd itself, for the operational log. */
  readonly reportFault: (error: unknown) => Promise<void>;
}

/** Throws only when the audit fails: everything else becomes a result that the model reads. */
export async function runToolCall(
  trail: Trail,
  use: Recorded<ToolUse>,
  gate: Gate,
  signal: AbortSignal,
): Promise<Recorded<ToolResult>> {
  try {
    if (signal.aborted) throw new Rejected('not_run', 'The user interrupted the turn before this call ran.');
    const call = await parseToolUse(trail, use, gate.toolbox);
    const permit = await authorize(trail, call, gate.permissions, gate.approvals, signal);
    return await runTool(trail, permit, gate.toolbox, signal);
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    if (!(error instanceof Rejected)) await gate.reportFault(error);
    const { outcome, message } = error instanceof Rejected ? error : refusalFor(error);
    return trail.record('tool_result', { id: use.value.id, outcome, text: message });
  }
}

/** A stage that breaks has not said yes: the call does not run. */
function refusalFor(error: unknown): Rejected {
  return new Rejected('denied', `The call was refused, because judging it failed: ${messageOf(error)}`);
}
