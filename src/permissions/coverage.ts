/** Which rules had a part in a decision, and which would have had one, were they the only ones. */
import type { RuleSource } from '../core/vocabulary.ts';
import { explain, type HookedQuestion } from './decide.ts';
import { matchesPath } from './path-rule.ts';
import type { Rule } from './rule.ts';
import { compileRules } from './rule-set.ts';
import type { Trace } from './trace.ts';

/** Rules that fit the call or a part of it: of several in one list that fit the same, the first. */
export function rulesThatFit(question: HookedQuestion): ReadonlySet<RuleSource> {
  const { decision, trace } = explain(question);
  const fitting = new Set(trace.hits.map(({ rule }) => rule));
  if (decision.cause.kind === 'rule') fitting.add(decision.cause.rule);
  for (const { allowance } of trace.parts)
    if (allowance.ok && allowance.rule !== undefined) fitting.add(allowance.rule);
  if (trace.whole?.ok === true && trace.whole.rule !== undefined) fitting.add(trace.whole.rule);
  return fitting;
}

/** True when the rule fits the call or a part of it, whatever others do. */
export function ruleFits(question: HookedQuestion, rule: Rule): boolean {
  const permissions = { ...question.permissions, rules: compileRules([rule]) };
  const alone = { ...question, permissions };
  return rulesThatFit(alone).has(rule.source) || takesOut(alone, explain(alone).trace, rule);
}

/** `!p` in an allow list allows nothing: it fits what it takes out. */
function takesOut({ permissions }: HookedQuestion, { files }: Trace, { parts }: Rule): boolean {
  return parts.some(
    (part) =>
      part.kind === 'path' &&
      part.pattern.negative &&
      files.some(({ path }) => matchesPath(part.pattern, path, permissions.workplace)),
  );
}
