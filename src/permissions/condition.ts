/**
 * The `if` of a hook: one permission rule that a tool call must fit, so that the hook runs. Read generously, as deny rules
 * are, since most hooks guard: what cannot be parsed fits every condition about commands. A condition that can never fit
 * would be a guard that is silently absent: `conditionProblem` is for the loader to report it, `conditionFits` says no.
 */
import type { RuleSource, ToolCall, Workplace } from '../core/vocabulary.ts';
import { hitByCommandRule } from './command-hit.ts';
import { type FilesView, realFiles } from './files-view.ts';
import { Place } from './place.ts';
import { type ParsedRule, parseRule, type Rule } from './rule.ts';
import { mistakenContent } from './rule-content.ts';
import { bareRule, compileRules, parameterRule, type RuleList, restrictingPathRule } from './rule-set.ts';
import { isToolElsewhere } from './tool-name.ts';
import { understandCommand } from './understanding.ts';

interface Condition {
  readonly tool: string;
  readonly rules: RuleList;
}

/** True when a hook with this condition runs for the call. An empty condition fits every call. */
export function conditionFits(
  condition: string,
  call: ToolCall,
  workplace: Workplace,
  files: FilesView = realFiles,
): boolean {
  if (condition === '') return true;
  const compiled = compileCondition(condition, workplace.project);
  if (compiled === undefined) return false;
  const { tool, rules } = compiled;
  if (bareRule(rules, call.tool.name) !== undefined || parameterRule(rules, call) !== undefined) return true;
  if (tool !== call.tool.name) return false;
  const { specifier } = call;
  switch (specifier.kind) {
    case 'command':
      return rules.commands.length > 0 && fitsCommand(compiled, specifier.command, workplace);
    case 'path':
      return rules.paths.length > 0 && fitsPath(compiled, specifier.path, new Place(workplace, files));
    case 'none':
      return false;
  }
}

function fitsCommand({ tool, rules }: Condition, command: string, workplace: Workplace): boolean {
  const { reach } = understandCommand(command, { cwd: workplace.cwd, home: workplace.home });
  return (
    reach.unread ||
    reach.exhausted ||
    hitByCommandRule({ list: rules, tool, command, reach, workplace, exactAnyOptions: true }) !== undefined
  );
}

function fitsPath({ tool, rules }: Condition, path: string, place: Place): boolean {
  // `Edit(p)` is about writes and `Read(p)` about reads for rules; here the tool's name has said that already.
  const accesses = new Set(rules.paths.map(({ access }) => access));
  return place.bothPaths(path).some((one) => {
    const directory = tool === 'Glob' || place.isDirectory(one);
    return [...accesses].some(
      (access) =>
        restrictingPathRule(rules, { access, tool, path: one, directory }, place.workplace) !== undefined,
    );
  });
}

/** Compiled once for each text and project; settings come and go, so the store is emptied when it has grown. */
const compiledConditions = new Map<string, Condition | undefined>();
const MOST_COMPILED = 1000;

function compileCondition(text: string, project: string): Condition | undefined {
  const key = `${project}\n${text}`;
  if (!compiledConditions.has(key)) {
    if (compiledConditions.size >= MOST_COMPILED) compiledConditions.clear();
    compiledConditions.set(key, compile(text, project));
  }
  return compiledConditions.get(key);
}

function compile(text: string, project: string): Condition | undefined {
  const tool = toolOf(text);
  const rules: Rule[] = [];
  // An absolute path is written with one slash as often as with two: both are meant.
  for (const one of [text, text.replace('(/', '(//')].slice(0, text.startsWith(`${tool}(/`) ? 2 : 1)) {
    const parsed = parse(one, 'ask', project, new Set([tool]));
    if (!parsed.ok || problemOfName(one) !== undefined) return undefined;
    rules.push(parsed.rule);
  }
  return { tool, rules: compileRules(rules).ask };
}

/**
 * Why a condition can never fit as it is meant, if so. `knownTools` as in `parseRule`.
 * A rule for one of Claude Code's tools that is not here is no problem: there is nothing to guard.
 */
export function conditionProblem(condition: string, knownTools?: ReadonlySet<string>): string | undefined {
  if (condition === '') return undefined;
  const quoted = JSON.stringify(condition);
  if (/\)\s*[|,]\s*[A-Z]\w*(?:\(|$)/.test(condition))
    return `${quoted} is more than one rule; a condition is one: write a hook for each.`;
  const parsed = parse(condition, 'ask', '/', knownTools);
  if (!parsed.ok) return parsed.problem;
  const problem = problemOfName(condition);
  if (problem !== undefined) return problem;
  if (isToolElsewhere(toolOf(condition))) return undefined;
  const { parts } = parsed.rule;
  const canFit = parts.some(
    (part) => part.kind !== 'inert' && (part.kind !== 'path' || part.pattern.matcher !== undefined),
  );
  const mistaken = mistakenContent(toolOf(condition), condition.slice(condition.indexOf('(') + 1, -1));
  if (mistaken !== undefined) return `${quoted} fits no call as it is meant: ${mistaken}.`;
  const isUnknownTool = parsed.warning?.includes('no tool is called') === true;
  return canFit && !isUnknownTool && !condition.startsWith('Bash(command:')
    ? undefined
    : `${quoted} fits no call: ${parsed.warning ?? 'it matches nothing.'}`;
}

/** A star in a tool's name may deny, but a condition names its tool, or those of one MCP server. */
function problemOfName(text: string): string | undefined {
  const tool = toolOf(text);
  if (!tool.includes('*') || parse(tool, 'allow', '/').ok) return undefined;
  return `${JSON.stringify(text)} is no condition: a tool name with a star fits nothing. Without an "if" a hook runs for every call that its matcher selects.`;
}

function toolOf(text: string): string {
  return text.split('(', 1)[0] ?? text;
}

function parse(
  text: string,
  list: RuleSource['list'],
  root: string,
  knownTools?: ReadonlySet<string>,
): ParsedRule {
  return parseRule(text, { text, list, file: '', line: 0, column: 0 }, root, knownTools);
}
