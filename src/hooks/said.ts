/** What a run printed: an answer, other text, or what was to be an answer and is none. */
import { misfit } from './answer-schema.ts';
import { eventRow, type HookEvent } from './events.ts';
import { findObjects, parseObject } from './find-objects.ts';
import {
  type Answer,
  present,
  readAnswer,
  stricter,
  tightening,
  tightens,
  withoutAllow,
} from './read-answer.ts';
import { misfitBeyondSlips } from './slips.ts';

/** What stdout holds. */
export type Said =
  | { readonly kind: 'nothing' }
  /** One JSON object that fits. */
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** Other text; `found` is what JSON objects inside of it tighten, `isLost` that one of them says something else. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly found: Answer | undefined;
      readonly isLost: boolean;
    }
  /** Was to be an answer, but cannot be understood. */
  | { readonly kind: 'unreadable'; readonly problem: string; readonly found: Answer | undefined };

/** `excusesNothing`: slips are no answer either. */
export function readStdout(event: HookEvent, stdout: string, excusesNothing: boolean): Said {
  // A byte order mark counts as white space here.
  const text = stdout.trim();
  if (text === '') return { kind: 'nothing' };
  const whole = text.startsWith('{') ? parseObject(text) : undefined;
  if (whole !== undefined) {
    const answer = readAnswer(event, whole);
    const misfits = misfit(event, whole);
    if (misfits === undefined) return { kind: 'answer', answer };
    // Who wants a failure to refuse is excused nothing, as in Claude Code.
    const problem = excusesNothing ? misfits : misfitBeyondSlips(event, whole);
    if (problem === undefined) return { kind: 'answer', answer: withoutAllow(answer, misfits) };
    return { kind: 'unreadable', problem: `its answer does not fit: ${problem}`, found: tightening(answer) };
  }
  const isSearched = mayTighten(text);
  const { objects, complete } =
    isSearched || maySayElse(text) ? findObjects(text) : { objects: [], complete: true };
  const answers = objects.map((object) => readAnswer(event, object));
  const found = answers
    .map((answer) => withheldOutput(tightening(answer)))
    .filter(tightens)
    .reduce<Answer | undefined>(
      (all, one) => (all === undefined ? one : stricterAnswer(all, one)),
      undefined,
    );
  if (text.startsWith('{'))
    return { kind: 'unreadable', problem: 'its answer is not one JSON object', found };
  if (!complete && isSearched)
    return { kind: 'unreadable', problem: 'its output cannot be searched for an answer', found };
  return { kind: 'text', text, found, isLost: answers.some((answer) => isLost(event, answer)) };
}

/** What stands among other text may be the words of the model: it hides an output, and puts nothing in its place. */
function withheldOutput(answer: Answer): Answer {
  return answer.updatedToolOutput === undefined ? answer : { ...answer, updatedToolOutput: null };
}

/** Most text needs no search. */
function mayTighten(text: string): boolean {
  return /"(?:decision|permissionDecision|continue|behavior|updatedToolOutput)"/.test(text);
}

const maySayElse = (text: string): boolean => /"(?:updatedInput|additionalContext)"/.test(text);

/** Text may be the words of the model, which must grant nothing. Where all text is context, an answer in it is read as such. */
function isLost(event: HookEvent, { verdict, updatedInput, additionalContext }: Answer): boolean {
  const isLostContext = additionalContext !== undefined && !eventRow(event).stdoutIsContext;
  return verdict === 'allow' || updatedInput !== undefined || isLostContext;
}

function stricterAnswer(left: Answer, right: Answer): Answer {
  const first = stricter(left.verdict, right.verdict) === left.verdict ? left : right;
  const { updatedToolOutput = right.updatedToolOutput } = left;
  return {
    ...first,
    ...present('stop', left.stop ?? right.stop),
    ...present('updatedToolOutput', updatedToolOutput),
  };
}
