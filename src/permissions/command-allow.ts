/**
 * What allows a command without a rule for all of Bash: each of its parts is covered by a rule or only reads.
 * The order of the checks is the contract.
 */
import type { RuleSource } from '../core/vocabulary.ts';
import { allowRedirects } from './command-files.ts';
import { type Allowance, allowPart, filesOfRule, type Judged, no, yes } from './command-part.ts';
import { type ExactCommand, singleBlanks, spacedOperators, trimBlanks } from './command-rule.ts';
import { ruleFor } from './rule-for-part.ts';
import { isCodeVariable } from './shell/code-variables.ts';
import type { Analysis, SimpleCommand } from './shell/commands.ts';

const LONGEST_ALLOWED = 10_000;

/** `onPart` is told of every part, those after the first that is not allowed too. */
export function allowanceOf(
  judged: Judged,
  onPart?: (part: SimpleCommand, allowed: Allowance) => void,
): Allowance {
  const { analysis, command } = judged;
  if (analysis.why !== undefined) return no(`The command was not understood: ${analysis.why}`);
  if (command.length > LONGEST_ALLOWED) return no(`The command is longer than ${LONGEST_ALLOWED} characters`);
  if (analysis.commands.length === 0 && analysis.obstacles.length === 0) return yes();
  if (command.includes('\\\n')) return no('The command continues a line with a backslash');
  // In quotes blanks are part of a word.
  const collapsed = trimBlanks(/["'\\]/.test(command) ? command : singleBlanks(command));
  const raw = spacedOperators(collapsed.endsWith(';') ? trimBlanks(collapsed.slice(0, -1)) : collapsed);
  const whole: ExactCommand = { raw, rendered: '', words: undefined };
  const exact =
    ruleFor(judged, whole, 'exact') ?? ruleFor(judged, { ...whole, raw: trimBlanks(command) }, 'exact');
  // A pipe is judged part by part, even when it is written out in a rule.
  if (exact !== undefined && !analysis.commands.some(({ piped }) => piped))
    return filesOfAll(judged) ?? yes(exact);

  if (readsIntoVariable(judged)) return yes();
  const [obstacle] = analysis.obstacles;
  if (obstacle !== undefined) return no(`Rules for single commands do not cover ${obstacle}`);
  if (isLoneAssignment(analysis)) return yes();
  if (analysis.lostCwd && analysis.commands.length > 1)
    return no('The command changes to a directory that is known only when it runs');
  if (analysis.commands.length > 1 && analysis.commands.filter(mayMove).length > 1)
    return no('The command changes the directory more than once');
  let rule: RuleSource | undefined;
  let byMode = false;
  let refusal: Allowance | undefined;
  for (const part of analysis.commands) {
    const allowed = allowPart(judged, part);
    onPart?.(part, allowed);
    if (allowed.ok) {
      rule ??= allowed.rule;
      byMode ||= allowed.byMode;
      continue;
    }
    if (onPart === undefined) return allowed;
    refusal ??= allowed;
  }
  return refusal ?? yes(rule, byMode);
}

const mayMove = ({ words }: SimpleCommand): boolean =>
  words.slice(0, 4).some(({ value }) => /^(?:cd|pushd|popd)$/.test(value));

/** It does not outlive the call; one that a program or bash itself acts on is still worth a question. */
function isLoneAssignment({ commands: [command, ...more] }: Analysis): boolean {
  if (command === undefined || more.length > 0 || command.words.length > 0 || command.redirects.length > 0)
    return false;
  const [assignment, ...others] = command.assignments;
  return (
    assignment?.value !== undefined &&
    others.length === 0 &&
    !isCodeVariable(assignment.name) &&
    command.obstacle === undefined
  );
}

/** `a=$(date +%s)`: one plain command that only reads, into a variable that nothing uses. */
function readsIntoVariable(judged: Judged): boolean {
  const { commands, obstacles } = judged.analysis;
  const name = /^(\w+)=\$\([\w .,:@%+=/-]+\)$/.exec(trimBlanks(judged.command))?.[1];
  const [read, ...others] = commands;
  if (name === undefined || isCodeVariable(name) || read === undefined || others.length !== 1) return false;
  if (obstacles.length !== 1 || obstacles[0] !== 'a command substitution') return false;
  const allowed = allowPart(judged, read);
  return allowed.ok && allowed.rule === undefined && !allowed.byMode;
}

/** An exact rule for the whole text lifts the limits on its form, not those on the files it names. */
function filesOfAll(judged: Judged): Allowance | undefined {
  for (const part of judged.analysis.commands) {
    const problem = filesOfRule(judged, part, part.words, { taken: 0, wrappers: [] });
    if (problem !== undefined) return problem;
    const redirects = allowRedirects(judged, part);
    if (!redirects.ok) return redirects;
  }
  return undefined;
}
