/** Before a person is asked, PermissionRequest hooks may answer; all are awaited, the strictest counts. */
import type { Trail } from '../audit/trail.ts';
import type { HookRef, JsonObject, ToolCall } from '../core/vocabulary.ts';
import { fire } from './fire.ts';
import { type Hook, hookRef } from './hook.ts';
import type { HookHost, TurnNotes } from './host.ts';

export interface HookAnswer {
  readonly behavior: 'allow' | 'deny';
  readonly reason: string;
  readonly hook: HookRef;
  readonly updatedInput?: JsonObject;
  /** A denial that also ends the turn. */
  readonly interrupt: boolean;
}

export async function askPermissionHooks(
  trail: Trail,
  call: ToolCall,
  host: HookHost,
  notes: TurnNotes,
  signal: AbortSignal,
): Promise<HookAnswer | undefined> {
  const { tool, input } = call;
  const occasion = {
    event: 'PermissionRequest',
    subject: tool.name,
    call,
    fields: { tool_name: tool.name, tool_input: input, permission_suggestions: [] },
  } as const;
  const judged = await fire(trail, host, occasion, notes, signal);
  const denial = judged.find(({ outcome }) => outcome.verdict === 'block');
  if (denial !== undefined)
    return answer('deny', denial.hook, denial.outcome.reason, denial.outcome.interrupt);
  if (judged.some(({ outcome }) => outcome.verdict === 'ask')) return undefined;
  const allowance = judged.find(({ outcome }) => outcome.verdict === 'allow');
  if (allowance === undefined) return undefined;
  const { reason, updatedInput } = allowance.outcome;
  const allowed = answer('allow', allowance.hook, reason, false);
  return updatedInput === undefined ? allowed : { ...allowed, updatedInput };
}

function answer(
  behavior: HookAnswer['behavior'],
  hook: Hook,
  reason: string | undefined,
  interrupt = false,
): HookAnswer {
  const stock =
    behavior === 'allow' ? 'A PermissionRequest hook allowed this call.' : 'Permission denied by hook';
  return { behavior, reason: reason ?? stock, hook: hookRef(hook), interrupt };
}
