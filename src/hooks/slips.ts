/**
 * Answers that do not fit only by a slip that is common and meant well. Claude Code drops each of them whole, and the call
 * goes on to the rules: so none of them allows, and none that rewrites or may refuse is excused.
 */
import { isJsonObject } from '../core/json.ts';
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

/**
 * Not where something in it may be a refusal that does not count where it stands, a rewrite that is not carried out, or
 * the reason of a decision whose word is missing: the variable of a guard that came out empty.
 */
function isExcusable(event: HookEvent, answer: JsonObject): boolean {
  const places = [...placesIn(answer, '')];
  const rightPlaces = eventRow(event).answers.map((field) => RIGHT_PLACES[field]);
  const said = places.filter(({ place }) => rightPlaces.includes(place)).map(({ value }) => value);
  // A refusal where it belongs counts, whatever slip is beside it.
  if (said.includes('deny') || said.includes('block')) return true;
  const isMisplaced = ({ place, key, value }: Place): boolean =>
    !rightPlaces.includes(place) &&
    ((key === 'continue' && value === false && place !== 'continue') ||
      (SAYS.has(key) && !isAbsent(value) && !isJsonObject(value) && !GRANTING.includes(value)));
  const isMissing = places.some(({ key, value }) => SAYS.has(key) && (value === null || value === ''));
  const isReasoned = places.some(
    ({ key, value }) => /reason$/i.test(key) && typeof value === 'string' && value.trim() !== '',
  );
  return (
    !places.some((one) => isMisplaced(one) || (one.key === 'updatedInput' && !isAbsent(one.value))) &&
    !(isMissing && isReasoned && said.every(isAbsent))
  );
}

/** Keys whose word may refuse. */
const SAYS = new Set(['decision', 'permissionDecision', 'behavior']);
/** Where they are read, each on the events that know it. */
const RIGHT_PLACES: Readonly<Record<string, string>> = {
  decision: 'decision',
  permissionDecision: 'hookSpecificOutput.permissionDecision',
  'decision.behavior': 'hookSpecificOutput.decision.behavior',
};

interface Place {
  readonly place: string;
  readonly key: string;
  readonly value: unknown;
}

/** Every key of the answer, and of the objects and lists in it. */
function* placesIn(value: unknown, above: string): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const place = `${above}${key}`;
    yield { place, key, value: inner };
    // An input and an output may hold anything.
    if (!key.startsWith('updated')) yield* placesIn(inner, `${place}.`);
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

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
