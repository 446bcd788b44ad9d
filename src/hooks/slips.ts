/**
 * Answers that do not fit only by a slip that is common and meant well. Claude Code drops each of them whole, and the call
 * goes on to the rules: so none of them allows, and none that rewrites or may refuse is excused.
 */
import { asObject, isJsonObject } from '../core/json.ts';
import type { JsonObject } from '../core/vocabulary.ts';
import { misfit } from './answer-schema.ts';
import { eventRow, type HookEvent } from './events.ts';
import { present } from './read-answer.ts';

/** Words of allowing, some of them not of the field in which they stand. */
const GRANTING: readonly unknown[] = ['allow', 'approve'];

/** What is wrong with the answer beyond slips; undefined where there is nothing else. */
export function misfitBeyondSlips(event: HookEvent, answer: JsonObject): string | undefined {
  return misfit(event, isExcusable(event, answer) ? withoutSlips(event, answer) : answer);
}

/** A rewrite that is not carried out, or a refusal in the wrong place, is more than a slip. */
function isExcusable(event: HookEvent, answer: JsonObject): boolean {
  const specific = asObject(answer['hookSpecificOutput']);
  const { decision } = specific;
  const ofRequest = eventRow(event).answers.includes('decision.behavior');
  const misplaced = [
    answer['permissionDecision'],
    answer['behavior'],
    specific['behavior'],
    ...(ofRequest ? [] : [isJsonObject(decision) ? decision['behavior'] : decision]),
  ];
  const rewrites = [specific['updatedInput'], asObject(decision)['updatedInput']];
  return rewrites.every(isAbsent) && misplaced.every((word) => isAbsent(word) || GRANTING.includes(word));
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function withoutSlips(event: HookEvent, answer: JsonObject): JsonObject {
  const { decision, hookSpecificOutput, ...rest } = withoutNulls(answer);
  return {
    ...rest,
    ...(decision === 'allow' || decision === '' ? {} : present('decision', decision)),
    ...(isJsonObject(hookSpecificOutput)
      ? { hookSpecificOutput: specificWithoutSlips(event, withoutNulls(hookSpecificOutput)) }
      : present('hookSpecificOutput', hookSpecificOutput)),
  };
}

/** An allow may lack its event: it grants nothing, on whichever. */
function specificWithoutSlips(event: HookEvent, specific: JsonObject): JsonObject {
  const { permissionDecision, decision, ...rest } = specific;
  const isAllow = GRANTING.includes(permissionDecision);
  return {
    ...(isAllow ? { hookEventName: event } : present('permissionDecision', permissionDecision)),
    ...rest,
    ...present('decision', isJsonObject(decision) ? withoutNulls(decision) : decision),
  };
}

/** `null` is no value; but who replaces an output by it means to hide it. */
function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => value !== null || key === 'updatedToolOutput'),
  );
}
