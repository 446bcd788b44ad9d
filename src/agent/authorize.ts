/** STAGE 4: rules on the final input, then hooks and a human where they say ask → a recorded permit, or a recorded refusal. */
import { assertRecorded, type Recorded, type Trail } from '../audit/trail.ts';
import { Rejected } from '../core/errors.ts';
import type { Decision, HookedCall, HookRef, JsonObject, ToolCall } from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import type { HookHost, TurnNotes } from '../hooks/host.ts';
import { askPermissionHooks } from '../hooks/permission-request.ts';
import { preToolUse, tellOfRewrite } from '../hooks/pre-tool-use.ts';
import { decide, type FilesView, newestDenial, type Permissions } from '../permissions/decide.ts';
import { hidesNames } from '../permissions/hidden-names.ts';
import { mintPermit, type Permit } from '../permissions/permit.ts';
import { suggestRule } from '../permissions/suggest-rule.ts';
import { rewriteInput, type Toolbox } from '../tools/tool.ts';
import { type Approvals, askHuman, refusalOf } from './ask-human.ts';

/** The settings' slice for the gate. */
export interface GateSettings {
  readonly digest: string;
  readonly permissions: Permissions;
}

export interface PermissionSource {
  /** Looks at the files first: a saved rule governs the very next call. */
  current(): GateSettings;
  readonly files: FilesView;
  /** Runs a tool; what changes in the settings meanwhile may be its doing. Throws what `run` throws. */
  duringCall<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** Allow rules that a person approved for good; later settings of the session hold them. */
export interface RememberedRules {
  readonly file: string;
  /** Returns why it could not be written. */
  readonly add: (rule: string) => string | undefined;
}

export interface Gate {
  readonly toolbox: Toolbox;
  readonly permissions: PermissionSource;
  readonly hooks: HookHost;
  readonly approvals: Approvals;
  /** Where the answer "always" goes. */
  readonly remembered?: RememberedRules;
  /** A fault of hookd itself, for the operational log. */
  readonly reportFault: (error: unknown) => Promise<void>;
}

/** Throws Rejected when the call must not run. */
export function authorize(
  trail: Trail,
  call: Recorded<HookedCall>,
  gate: Gate,
  notes: TurnNotes,
  signal: AbortSignal,
): Promise<Recorded<Permit>> {
  return judge(trail, call, gate, notes, signal, true);
}

async function judge(
  trail: Trail,
  hooked: Recorded<HookedCall>,
  gate: Gate,
  notes: TurnNotes,
  signal: AbortSignal,
  mayRewrite: boolean,
): Promise<Recorded<Permit>> {
  assertRecorded(hooked, 'hooked_call');
  const { call, verdict } = hooked.value;
  const { digest, permissions } = gate.permissions.current();
  const { files } = gate.permissions;
  // Looked at only for a command that uses a variable.
  let env: Toolbox['env'] | undefined;
  const isSet = (name: string): boolean => {
    env ??= gate.toolbox.env;
    return Object.hasOwn(env, name);
  };
  const ruling = decide({ permissions, call, files, isSet, hook: verdict });
  const decision =
    ruling.behavior === 'ask' ? await ask(trail, hooked, ruling, gate, notes, signal, mayRewrite) : ruling;
  if ('updatedInput' in decision) return reconsider(trail, hooked, decision, gate, notes, signal);
  if (decision.behavior !== 'allow') {
    trail.record('permission', { call, decision, policy: digest });
    if (decision.cause.kind !== 'hook') await tellOfDenial(trail, call, decision.reason, gate, notes, signal);
    throw new Rejected('denied', decision.reason);
  }
  return trail.record(
    'permission',
    mintPermit(hooked, decision, digest, permissions.workplace, hidesNames(permissions, files)),
  );
}

interface Rewriting {
  readonly updatedInput: JsonObject;
  readonly by: HookRef;
  readonly decision: Decision;
}

/** First the PermissionRequest hooks, unless a hook itself wants a person to decide; then a person. */
async function ask(
  trail: Trail,
  hooked: Recorded<HookedCall>,
  ruling: Decision,
  gate: Gate,
  notes: TurnNotes,
  signal: AbortSignal,
  mayRewrite: boolean,
): Promise<Decision | Rewriting> {
  const { call } = hooked.value;
  if (ruling.cause.kind !== 'hook') {
    const said = await askPermissionHooks(trail, call, gate.hooks, notes, signal, mayRewrite);
    if (said !== undefined) {
      const { behavior, reason, hook, updatedInput } = said;
      if (said.interrupt) notes.requestStop(hook, reason, true);
      const cause = { kind: 'hook', hook } as const;
      const decision: Decision = { ...ruling, behavior, reason, cause, askedBy: ruling.cause };
      if (behavior === 'deny') return decision;
      return updatedInput === undefined
        ? afterYes(hooked, decision, gate)
        : { updatedInput, by: hook, decision };
    }
  }
  const { name } = call.tool;
  const notice = `hookd needs your permission to use ${name}`;
  const rewritten = call.rewrite === undefined ? {} : { rewrittenBy: call.rewrite.by };
  const about = {
    subject: name,
    notice,
    toolUseId: call.id,
    input: call.input,
    ...rewritten,
    decision: ruling,
  };
  const alwaysRule = ruling.cause.kind === 'hook' ? undefined : suggestion(hooked, gate);
  const deniedBy = () => denialBy(hooked, gate);
  const answer = await askHuman(trail, gate, { ...about, alwaysRule, deniedBy }, signal);
  if (answer.answer !== 'allow') return refusalOf(ruling, answer);
  const cause = { kind: 'human' as const, client: answer.client };
  const reason = 'A person allowed this call.';
  const yes: Decision = { ...ruling, behavior: 'allow', reason, cause, askedBy: ruling.cause };
  const decision = afterYes(hooked, yes, gate);
  // What is denied by now is not allowed for good either.
  if (decision.behavior === 'allow' && alwaysRule !== undefined && answer.alwaysRule === alwaysRule)
    remember(trail, alwaysRule, answer.client, gate);
  return decision;
}

/** What "always" would write: for the settings that are in force now. */
function suggestion(hooked: Recorded<HookedCall>, { permissions }: Gate): string | undefined {
  const { call, verdict } = hooked.value;
  const { files } = permissions;
  return suggestRule({ permissions: permissions.current().permissions, call, files, hook: verdict });
}

/** On record, then written. What cannot be written is asked again next time. */
function remember(trail: Trail, rule: string, client: string, { hooks, remembered }: Gate): void {
  if (remembered === undefined) return;
  trail.record('approval_remembered', { rule, client, file: remembered.file });
  const problem = remembered.add(rule);
  if (problem !== undefined) hooks.tell(`The rule ${rule} was not written: ${problem}`);
}

/** PermissionDenied: for hooks that keep count; what they say changes nothing. */
async function tellOfDenial(
  trail: Trail,
  call: ToolCall,
  reason: string,
  { hooks }: Gate,
  notes: TurnNotes,
  signal: AbortSignal,
): Promise<void> {
  const { id, tool, input } = call;
  const fields = { tool_name: tool.name, tool_input: input, tool_use_id: id, reason };
  await fire(trail, hooks, { event: 'PermissionDenied', subject: tool.name, call, fields }, notes, signal);
}

/** A deny that was saved while someone thought about it bites; a loosening does not reach this call. */
function afterYes(hooked: Recorded<HookedCall>, yes: Decision, gate: Gate): Decision {
  return denialBy(hooked, gate) ?? yes;
}

function denialBy(hooked: Recorded<HookedCall>, { permissions }: Gate): Decision | undefined {
  const { call } = hooked.value;
  return newestDenial({ permissions: permissions.current().permissions, call, files: permissions.files });
}

/** A PermissionRequest hook's new input goes back to stage 2, once: parsed, judged by all hooks, authorized. */
async function reconsider(
  trail: Trail,
  hooked: Recorded<HookedCall>,
  { updatedInput, by, decision }: Rewriting,
  gate: Gate,
  notes: TurnNotes,
  signal: AbortSignal,
): Promise<Recorded<Permit>> {
  const call = rewriteInput(trail, hooked, updatedInput, by, gate.toolbox);
  if ('problem' in call) {
    const reason = `A PermissionRequest hook returned an updatedInput that does not fit: ${call.problem} (${by.name}).`;
    const refusal: Decision = { ...decision, behavior: 'deny', reason };
    const { digest } = gate.permissions.current();
    trail.record('permission', { call: hooked.value.call, decision: refusal, policy: digest });
    throw new Rejected('denied', reason);
  }
  tellOfRewrite(call.value, by, gate.hooks);
  const again = await preToolUse(trail, call, gate.hooks, notes, gate.toolbox, signal);
  return judge(trail, again, gate, notes, signal, false);
}
