/**
 * STAGE 3: every matching hook judges the call, and may rewrite it. Rewrites compose in configured order, and no verdict
 * is taken on an input that another hook changed later: after each rewrite all but the rewriting hook judge again.
 */
import { isDeepStrictEqual } from 'node:util';
import { assertRecorded, type Recorded, type Trail } from '../audit/trail.ts';
import { Rejected } from '../core/errors.ts';
import type { HookedCall, HookRef, HookVerdict, ToolCall } from '../core/vocabulary.ts';
import { rewriteInput, type Toolbox } from '../tools/tool.ts';
import { runInBackground } from './background.ts';
import { chooseHooks, hooksConcerned, type Judged, type Occasion, runHooks } from './dispatch.ts';
import { type Hook, type HookOutcome, hookRef } from './hook.ts';
import type { HookHost, TurnNotes } from './host.ts';
import { endedTurn } from './reason.ts';

/** Throws Rejected when a hook refuses the call, or ends the turn before it. */
export async function preToolUse(
  trail: Trail,
  call: Recorded<ToolCall>,
  host: HookHost,
  notes: TurnNotes,
  toolbox: Toolbox,
  signal: AbortSignal,
): Promise<Recorded<HookedCall>> {
  assertRecorded(call, 'tool_call', 'input_rewritten');
  let current = call;
  /** The last word of each hook, as long as it is about the call as it is now. */
  const standing = new Map<Hook, HookOutcome>();
  const rewriters = new Set<Hook>();
  const { hooks } = await host.settle(signal);
  let concerned = hooksConcerned(hooks.hooks, occasionOf(current.value), host.workplace);
  let rewriter: Hook | undefined;
  for (;;) {
    const asked = concerned.filter((hook) => !hook.isAsync && hook !== rewriter);
    const round = await runHooks(trail, host, occasionOf(current.value), asked, signal);
    // Hooks that were ended with the turn have said nothing; nobody need be asked about that.
    if (signal.aborted) throw new Rejected('not_run', 'The user interrupted the turn before this call ran.');
    const judged = round.map((one) => withoutVoidRewrite(one, current.value, rewriters, host));
    for (const { hook, outcome } of judged) standing.set(hook, outcome);
    takeNotes(judged, current.value, notes);
    refuseIfBlocked(trail, judged, current.value, host);
    const first = judged.find(({ outcome }) => outcome.updatedInput !== undefined);
    if (first === undefined) break;
    rewriters.add(first.hook);
    current = rewriteBy(trail, first, current, toolbox, host);
    for (const [hook, { verdict }] of standing) {
      if (hook !== first.hook && verdict === 'allow') standing.delete(hook);
    }
    concerned = chooseHooks(host, occasionOf(current.value));
    rewriter = first.hook;
  }
  if (notes.stop !== undefined) {
    const { by, reason } = notes.stop;
    throw refusedBy(trail, by, endedTurn(reason), current.value, host);
  }
  runInBackground(trail, host, occasionOf(current.value), concerned);
  const verdict = verdictOf(standing);
  return trail.record('hooked_call', { call: current.value, ...(verdict === undefined ? {} : { verdict }) });
}

function occasionOf(call: ToolCall): Occasion {
  return {
    event: 'PreToolUse',
    subject: call.tool.name,
    fields: { tool_name: call.tool.name, tool_input: call.input, tool_use_id: call.id },
    call,
  };
}

/**
 * A rewrite to what is there already is none. A hook rewrites a call once; another rewrite of its own is ignored, and
 * an allow beside it, which was meant for that input, is no opinion.
 */
function withoutVoidRewrite(
  { hook, outcome }: Judged,
  { input, asSent }: ToolCall,
  rewriters: ReadonlySet<Hook>,
  host: HookHost,
): Judged {
  const { updatedInput, ...rest } = outcome;
  if (updatedInput === undefined) return { hook, outcome };
  if (isDeepStrictEqual(updatedInput, input) || isDeepStrictEqual(updatedInput, asSent))
    return { hook, outcome: rest };
  if (!rewriters.has(hook)) return { hook, outcome };
  host.tell(`${hookRef(hook).name} rewrote the same call a second time; only its first rewrite counts.`);
  return { hook, outcome: { ...rest, verdict: rest.verdict === 'allow' ? 'none' : rest.verdict } };
}

function takeNotes(judged: readonly Judged[], call: ToolCall, notes: TurnNotes): void {
  for (const { hook, outcome } of judged) {
    if (outcome.additionalContext !== undefined) {
      const label = `PreToolUse:${call.tool.name}`;
      notes.addContext(label, `${label} hook additional context: ${outcome.additionalContext}`);
    }
    if (outcome.stop !== undefined) notes.requestStop(hookRef(hook), outcome.stop.reason);
  }
}

/** All reasons are kept: each is something that the model can do better. */
function refuseIfBlocked(trail: Trail, judged: readonly Judged[], call: ToolCall, host: HookHost): void {
  const blocks = judged.filter(({ outcome }) => outcome.verdict === 'block');
  const [first] = blocks;
  if (first === undefined) return;
  const reason = blocks.map(({ outcome }) => outcome.reason).join('\n');
  throw refusedBy(trail, hookRef(first.hook), reason, call, host);
}

/** On record first. */
function refusedBy(trail: Trail, hook: HookRef, reason: string, call: ToolCall, host: HookHost): Rejected {
  const decision = { behavior: 'deny' as const, reason, cause: { kind: 'hook' as const, hook } };
  trail.record('permission', { call, decision, policy: host.current().digest });
  return new Rejected('denied', reason);
}

function rewriteBy(
  trail: Trail,
  { hook, outcome }: Judged,
  call: Recorded<ToolCall>,
  toolbox: Toolbox,
  host: HookHost,
): Recorded<ToolCall> {
  const by = hookRef(hook);
  const rewritten = rewriteInput(trail, call, outcome.updatedInput, by, toolbox);
  if (!('problem' in rewritten)) {
    tellOfRewrite(rewritten.value, by, host);
    return rewritten;
  }
  const { name } = call.value.tool;
  const reason = `PreToolUse hook for ${name} returned an updatedInput that does not fit: ${rewritten.problem} (${by.name}).`;
  throw refusedBy(trail, by, reason, call.value, host);
}

/** Whoever watches has been shown the call as the model sent it. */
export function tellOfRewrite({ id, tool, input, rewrite }: ToolCall, by: HookRef, host: HookHost): void {
  const before = rewrite?.before ?? {};
  const names = new Set([...Object.keys(input), ...Object.keys(before)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(input[name], before[name]));
  host.watch({ kind: 'input_rewritten', use: { id, name: tool.name, input }, changed, by });
}

/** ask > allow > no opinion. */
function verdictOf(standing: ReadonlyMap<Hook, HookOutcome>): HookVerdict | undefined {
  for (const behavior of ['ask', 'allow'] as const) {
    const said = [...standing].filter(([, { verdict }]) => verdict === behavior);
    const [first] = said;
    if (first === undefined) continue;
    const reason = said
      .map(([, outcome]) => outcome.reason)
      .filter(Boolean)
      .join('\n');
    return { behavior, reason, hook: hookRef(first[0]) };
  }
  return undefined;
}
