/** Several hooks, one outcome. Pure: the same outcomes in the same order give the same answer, whoever finished first. */
import type { HookOutcome } from './hook.ts';
import { present, stricter } from './read-answer.ts';

/**
 * Of outcomes in configured order: the strictest verdict with the reasons of all that share it, the first rewrite of an
 * input, the last replacement of an output, all contexts and messages. Who ends the turn ends it.
 */
export function mergeOutcomes(outcomes: readonly HookOutcome[]): HookOutcome {
  const verdict = outcomes.reduce<HookOutcome['verdict']>(
    (found, one) => stricter(found, one.verdict),
    'none',
  );
  const inForce = verdict === 'none' ? [] : outcomes.filter((one) => one.verdict === verdict);
  const stops = outcomes.flatMap(({ stop }) => (stop === undefined ? [] : [stop]));
  const rewrites = verdict === 'block' ? [] : outcomes.map(({ updatedInput }) => updatedInput);
  const failures = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  return {
    verdict,
    ...present('reason', joined(inForce.map(({ reason }) => reason))),
    ...present('updatedInput', rewrites.find(isPresent)),
    ...present(
      'updatedToolOutput',
      outcomes.map(({ updatedToolOutput }) => updatedToolOutput).findLast(isPresent),
    ),
    ...present('additionalContext', joined(outcomes.map(({ additionalContext }) => additionalContext))),
    ...present('systemMessage', joined(outcomes.map(({ systemMessage }) => systemMessage))),
    ...present('stop', stops.find(({ reason }) => isPresent(reason)) ?? stops[0]),
    ...(outcomes.some(({ interrupt }) => interrupt) ? { interrupt: true } : {}),
    ...present('failure', failures.find(({ became }) => became === verdict) ?? failures[0]),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
  };
}

/** Why all hooks say so that share a verdict: each reason is something that can be done better. */
export function reasonsOf(
  judged: readonly { readonly outcome: HookOutcome }[],
  verdict: HookOutcome['verdict'],
): string | undefined {
  return joined(judged.map(({ outcome }) => (outcome.verdict === verdict ? outcome.reason : undefined)));
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const there = texts.filter(isPresent);
  return there.length === 0 ? undefined : there.join('\n');
}

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
