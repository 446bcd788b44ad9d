/** Before a person is asked, PermissionRequest hooks may answer; all are awaited, the strictest counts. */
import { isDeepStrictEqual } from 'node:util';
import type { Trail } from '../audit/trail.ts';
import type { HookRef, JsonObject, ToolCall } from '../core/vocabulary.ts';
import { callToJudge } from '../tools/tool.ts';
import type { Judged } from './dispatch.ts';
import { fire } from './fire.ts';
import { type Hook, hookRef } from './hook.ts';
import type { HookHost, TurnNotes } from './host.ts';
import { reasonsOf } from './merge-outcomes.ts';
import { endedTurn } from './reason.ts';

export interface HookAnswer {
  readonly behavior: 'allow' | 'deny';
  readonly reason: string;
  readonly hook: HookRef;
  readonly updatedInput?: JsonObject;
  /** A denial that also ends the turn. */
  readonly interrupt: boolean;
}

/**
 * undefined: a person is to be asked. A hook that ends the turn refuses the call. An allowance that wants another input
 * goes before one that does not; where `mayRewrite` is false it is none, because it was meant for that input.
 */
export async function askPermissionHooks(
  trail: Trail,
  call: ToolCall,
  host: HookHost,
  notes: TurnNotes,
  signal: AbortSignal,
  mayRewrite: boolean,
): Promise<HookAnswer | undefined> {
  const { tool, input } = call;
  const occasion = {
    event: 'PermissionRequest',
    subject: tool.name,
    call,
    fields: { tool_name: tool.name, tool_input: input, permission_suggestions: [] },
  } as const;
  const judged = await fire(trail, host, occasion, notes, signal);
  const denials = judged.filter(({ outcome }) => outcome.verdict === 'block');
  const [denial] = denials;
  if (denial !== undefined) {
    const interrupts = denials.some(({ outcome }) => outcome.interrupt);
    return answer('deny', denial.hook, reasonsOf(denials, 'block'), interrupts);
  }
  const end = judged.find(({ outcome }) => outcome.stop !== undefined);
  if (end !== undefined) return answer('deny', end.hook, endedTurn(end.outcome.stop?.reason));
  if (judged.some(({ outcome }) => outcome.verdict === 'ask')) return undefined;
  const allowances = judged
    .filter(({ outcome }) => outcome.verdict === 'allow')
    .map((one) => withoutVoidRewrite(one, call, host))
    .filter((one) => mayRewrite || countsAsItIs(one, host));
  const allowance = allowances.find(({ outcome }) => outcome.updatedInput !== undefined) ?? allowances[0];
  if (allowance === undefined) return undefined;
  const { reason, updatedInput } = allowance.outcome;
  const allowed = answer('allow', allowance.hook, reason, false);
  return updatedInput === undefined ? allowed : { ...allowed, updatedInput };
}

/** A rewrite to what is there already is none. */
function withoutVoidRewrite({ hook, outcome }: Judged, { tool, input }: ToolCall, host: HookHost): Judged {
  const { updatedInput, ...rest } = outcome;
  if (updatedInput === undefined) return { hook, outcome };
  const wanted = callToJudge(tool, updatedInput, host.workplace);
  const isSame = typeof wanted !== 'string' && isDeepStrictEqual(wanted.input, input);
  return isSame ? { hook, outcome: rest } : { hook, outcome };
}

function countsAsItIs({ hook, outcome }: Judged, { tell }: HookHost): boolean {
  if (outcome.updatedInput === undefined) return true;
  const { name } = hookRef(hook);
  tell(
    `${name} wants yet another input for a call that was rewritten already: that it allows does not count.`,
  );
  return false;
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
