/** What one JSON object says on an event. Fields of a wrong type are passed over here: what that means is decided in output.ts. */
import { asObject, isJsonObject } from '../core/json.ts';
import type { JsonObject } from '../core/vocabulary.ts';
import { eventRow, type HookEvent } from './events.ts';
import type { HookOutcome } from './hook.ts';
import { withoutEffect } from './without-effect.ts';

/** `warnings` name what is there and has no effect. */
export type Answer = Omit<HookOutcome, 'failure'>;

type Verdict = HookOutcome['verdict'];
const STRICTNESS: readonly Verdict[] = ['none', 'allow', 'ask', 'block'];

export function stricter(left: Verdict, right: Verdict): Verdict {
  return STRICTNESS.indexOf(left) >= STRICTNESS.indexOf(right) ? left : right;
}

interface Opinion {
  readonly verdict: Verdict;
  readonly reason: string | undefined;
}

export function readAnswer(event: HookEvent, object: JsonObject): Answer {
  const { answers } = eventRow(event);
  const specific = specificOutput(event, object);
  const request = answers.includes('decision.behavior') ? asObject(specific['decision']) : {};
  const opinions = [
    ...(answers.includes('permissionDecision') ? [permissionDecision(specific)] : []),
    ...(answers.includes('decision.behavior') ? [behavior(request)] : []),
    ...(answers.includes('decision') ? [decision(event, object)] : []),
  ];
  const verdict = opinions.reduce<Verdict>((found, opinion) => stricter(found, opinion.verdict), 'none');
  const reason = opinions.find((opinion) => opinion.verdict === verdict && opinion.reason)?.reason;
  const stops = answers.includes('continue') && object['continue'] === false;
  const updatedInput = answers.includes('updatedInput')
    ? asOptionalObject((answers.includes('decision.behavior') ? request : specific)['updatedInput'])
    : undefined;
  const stopReason = asText(object['stopReason']);
  return {
    verdict,
    ...present('reason', verdict === 'none' ? undefined : reason),
    ...present('updatedInput', updatedInput),
    ...present(
      'updatedToolOutput',
      answers.includes('updatedToolOutput') ? specific['updatedToolOutput'] : undefined,
    ),
    ...present(
      'additionalContext',
      answers.includes('additionalContext') ? asText(specific['additionalContext']) : undefined,
    ),
    ...present('systemMessage', asText(object['systemMessage'])),
    ...(stops ? { stop: present('reason', stopReason) } : {}),
    ...(verdict === 'block' && request['interrupt'] === true ? { interrupt: true } : {}),
    warnings: withoutEffect(event, object, specific),
  };
}

/** Only what makes things stricter. Who replaces an output means to hide it. */
export function tightening({ verdict, reason, stop, interrupt, updatedToolOutput }: Answer): Answer {
  const tightens = verdict === 'block' || verdict === 'ask';
  return {
    verdict: tightens ? verdict : 'none',
    ...(tightens ? present('reason', reason) : {}),
    ...present('updatedToolOutput', updatedToolOutput),
    ...present('stop', stop),
    ...present('interrupt', interrupt),
    warnings: [],
  };
}

export function tightens({ verdict, stop, updatedToolOutput }: Answer): boolean {
  return verdict === 'block' || verdict === 'ask' || stop !== undefined || updatedToolOutput !== undefined;
}

/** What it allows counts for nothing, and that is told. */
export function withoutAllow(answer: Answer, why: string): Answer {
  if (answer.verdict !== 'allow') return answer;
  const { reason: _, ...rest } = answer;
  return {
    ...rest,
    verdict: 'none',
    warnings: [...answer.warnings, `what it allows was ignored, its answer does not fit: ${why}`],
  };
}

/** The key with its value, or nothing: an absent field is not one that is undefined. */
export function present<Key extends string, Value>(key: Key, value: Value | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}

/** An output that names another event was meant for that one. */
function specificOutput(event: HookEvent, object: JsonObject): JsonObject {
  const specific = asObject(object['hookSpecificOutput']);
  const name = specific['hookEventName'];
  return name === undefined || name === null || name === event ? specific : {};
}

function permissionDecision(specific: JsonObject): Opinion {
  const said = specific['permissionDecision'];
  const reason = asText(specific['permissionDecisionReason']);
  if (said === 'deny') return { verdict: 'block', reason };
  if (said === 'ask' || said === 'defer') return { verdict: 'ask', reason };
  return { verdict: said === 'allow' ? 'allow' : 'none', reason };
}

function behavior(request: JsonObject): Opinion {
  const said = request['behavior'];
  const reason = asText(request['message']);
  if (said === 'deny') return { verdict: 'block', reason };
  return { verdict: said === 'allow' ? 'allow' : 'none', reason };
}

/** `deny` is not a word of this field, but on a gate there is no doubt what was meant. */
function decision(event: HookEvent, object: JsonObject): Opinion {
  const said = object['decision'];
  const reason = asText(object['reason']);
  if (said === 'block' || (said === 'deny' && eventRow(event).isGate)) return { verdict: 'block', reason };
  return { verdict: said === 'approve' && event === 'PreToolUse' ? 'allow' : 'none', reason };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asOptionalObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
