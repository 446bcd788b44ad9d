/** What an occasion amounts to: its hooks in the engine's own functions, and their answers as one. */
import type { Recorded, Trail } from '../audit/trail.ts';
import { HookdError, Rejected } from '../core/errors.ts';
import type { AddedContext, Decision, JsonObject, ToolCall, ToolUseId } from '../core/vocabulary.ts';
import { chooseHooks, type Occasion } from '../hooks/dispatch.ts';
import { fire } from '../hooks/fire.ts';
import type { Hook, HookOutcome } from '../hooks/hook.ts';
import type { HookHost, TurnNotes } from '../hooks/host.ts';
import { selectHooks } from '../hooks/match.ts';
import { mergeOutcomes } from '../hooks/merge-outcomes.ts';
import { askPermissionHooks } from '../hooks/permission-request.ts';
import { preToolUse } from '../hooks/pre-tool-use.ts';
import { decide, type Permissions } from '../permissions/decide.ts';
import { realFiles } from '../permissions/files-view.ts';
import { parseToolUse, renderResponse, type Toolbox } from '../tools/tool.ts';

export interface Played {
  readonly verdict: HookOutcome['verdict'];
  readonly reason: string | undefined;
  /** The turn ends. */
  readonly stop: { readonly reason: string | undefined } | undefined;
  readonly context: readonly AddedContext[];
  /** Of a call: what would go on to the rules. Where it is refused, what it was refused as is on record. */
  readonly input: JsonObject | undefined;
  /** PreToolUse: the call is refused, with what the model is told. */
  readonly rejected: Rejected | undefined;
  /** PostToolUse: what the model is shown instead. */
  readonly output: string | undefined;
  /** SessionStart: what Bash would get. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface Play {
  readonly trail: Trail;
  readonly occasion: Occasion;
  readonly call: Recorded<ToolCall> | undefined;
  readonly host: HookHost;
  readonly notes: TurnNotes;
  readonly toolbox: Toolbox;
  /** What SessionStart hooks have left for Bash. */
  readonly left: () => Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface Outcome {
  readonly played: Played;
  readonly ruling: Decision | undefined;
}

/** Stages 1 and 2 of a call. Throws USAGE. */
export async function parseTrialCall(
  trail: Trail,
  { id, name, input }: { readonly id: string; readonly name: string; readonly input: JsonObject },
  toolbox: Toolbox,
): Promise<Recorded<ToolCall>> {
  const use = trail.record('tool_use', { id: id as ToolUseId, name, input });
  try {
    return await parseToolUse(trail, use, toolbox);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    trail.record('tool_result', { id: use.value.id, outcome: error.outcome, text: error.message });
    throw new HookdError('USAGE', `${error.message} Such a call is refused before any hook runs.`);
  }
}

export async function playOccasion(play: Play, permissions: () => Permissions): Promise<Outcome> {
  const { occasion, call } = play;
  if (occasion.event === 'PreToolUse' && call !== undefined) return playCall(play, call, permissions);
  if (occasion.event === 'PermissionRequest' && call !== undefined) return playRequest(play, call.value);
  return { played: await playOther(play), ruling: undefined };
}

async function playCall(
  { trail, host, notes, toolbox, signal }: Play,
  call: Recorded<ToolCall>,
  permissions: () => Permissions,
): Promise<Outcome> {
  try {
    const hooked = await preToolUse(trail, call, host, notes, toolbox, signal);
    const { call: final, verdict } = hooked.value;
    const ruling = decide({ permissions: permissions(), call: final, files: realFiles, hook: verdict });
    const said = { verdict: verdict?.behavior ?? 'none', reason: verdict?.reason } as const;
    return { played: { ...rest(notes), ...said, input: final.input }, ruling };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const refused = { verdict: 'block', reason: error.message, rejected: error } as const;
    const played = { ...rest(notes), ...refused };
    return { played, ruling: undefined };
  }
}

async function playRequest({ trail, host, notes, signal }: Play, call: ToolCall): Promise<Outcome> {
  const answer = await askPermissionHooks(trail, call, host, notes, signal, true);
  if (answer?.interrupt) notes.requestStop(answer.hook, answer.reason, true);
  const verdict = answer === undefined ? 'none' : answer.behavior === 'deny' ? 'block' : 'allow';
  const input = answer?.updatedInput;
  return { played: { ...rest(notes), verdict, reason: answer?.reason, input }, ruling: undefined };
}

async function playOther({ trail, occasion, call, host, notes, left, signal }: Play): Promise<Played> {
  const judged = await fire(trail, host, occasion, notes, signal);
  const { verdict, reason } = mergeOutcomes(judged.map(({ outcome }) => outcome));
  const outputs = judged.flatMap(({ outcome: { updatedToolOutput } }) =>
    updatedToolOutput === undefined || call === undefined
      ? []
      : [renderResponse(call.value.tool, updatedToolOutput)],
  );
  const output = outputs.find(({ ok }) => !ok) ?? outputs.at(-1);
  return {
    ...rest(notes),
    verdict,
    reason,
    output: output === undefined ? undefined : output.ok ? output.text : `(withheld: ${output.problem})`,
    variables: occasion.event === 'SessionStart' ? left() : {},
  };
}

function rest(notes: TurnNotes): Omit<Played, 'verdict' | 'reason'> {
  const { stop } = notes;
  return {
    stop: stop === undefined ? undefined : { reason: stop.reason },
    context: notes.takeContext().map(({ value }) => value),
    ...{ input: undefined, rejected: undefined, output: undefined, variables: {} },
  };
}

export interface SkippedHook {
  readonly hook: Hook;
  readonly why: string;
}

/** Hooks of the event that do not run on this occasion. */
export function skippedBy(host: HookHost, occasion: Occasion): readonly SkippedHook[] {
  const { event, subject } = occasion;
  const ofEvent = host.current().hooks.hooks.filter((hook) => hook.event === event);
  const chosen = new Set(chooseHooks(host, occasion));
  return ofEvent
    .filter((hook) => !chosen.has(hook))
    .map((hook) => {
      if (selectHooks([hook], event, subject).length === 0)
        return { hook, why: `its matcher does not fit ${JSON.stringify(subject ?? '')}` };
      if (selectHooks(ofEvent, event, subject).includes(hook))
        return { hook, why: `its "if" (${hook.condition}) does not fit` };
      return { hook, why: 'it repeats another hook that runs' };
    });
}
