/** The tool's name in a rule: exact, and in deny and ask rules not a slip of one, which would guard nothing. */
import type { Behavior } from '../core/vocabulary.ts';

/** Claude Code's tools that this product has not: a rule that names one is understood, and inert. */
const KNOWN_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['Agent', 'AskUserQuestion', 'BashOutput', 'EnterPlanMode', 'ExitPlanMode', 'Grep', 'KillShell', 'LSP'],
  ...['MultiEdit', 'NotebookEdit', 'NotebookRead', 'Skill', 'SlashCommand', 'Task', 'TaskOutput', 'TaskStop'],
  ...['TodoWrite', 'ToolSearch', 'WebFetch', 'WebSearch'],
]);

export function isToolElsewhere(name: string): boolean {
  return KNOWN_ELSEWHERE.has(name);
}

/** A tool of ours or of Claude Code. */
export function isKnownTool(name: string, knownTools: ReadonlySet<string>): boolean {
  return knownTools.has(name) || isToolElsewhere(name);
}

/** Why the name is malformed. */
export function problemOfName(
  name: string,
  list: Behavior,
  knownTools: ReadonlySet<string>,
): string | undefined {
  if (name === '') return 'a tool name is missing';
  if (name !== name.trim()) return 'there are blanks around the tool name';
  if (name === 'mcp__') return 'the server name is missing';
  if (/^mcp__.*__$/.test(name))
    return `the name of a tool is missing (for all tools of the server write ${name.slice(0, -2)})`;
  const meant = withColon(name, knownTools);
  if (meant !== undefined) return `what a rule is about stands in parentheses: write ${meant}`;
  if (name.includes('*')) {
    if (!/^[A-Za-z0-9_*-]+$/.test(name)) return `"${name}" is not a tool name`;
    // mcp__server__* names tools of one server; anything wider would allow tools that nobody has seen.
    if (list === 'allow' && !/^mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__[A-Za-z0-9_*-]*$/.test(name)) {
      return 'a tool name with a star may deny or ask, not allow';
    }
    return undefined;
  }
  if (name.startsWith('mcp__'))
    return /^[A-Za-z0-9_-]+$/.test(name) ? undefined : `"${name}" is not a tool name`;
  if (isKnownTool(name, knownTools)) return undefined;
  const same = [...knownTools, ...KNOWN_ELSEWHERE].find(
    (known) => known.toLowerCase() === name.toLowerCase(),
  );
  if (same !== undefined) return `tool names are exact: write ${same}`;
  if (/^[a-z]/.test(name)) return 'tool names begin with a capital letter';
  if (!/^[A-Z][A-Za-z0-9_-]*$/.test(name)) return `"${name}" is not a tool name`;
  const near = list === 'allow' ? undefined : [...knownTools].find((known) => isOneSlip(name, known));
  return near === undefined ? undefined : `no tool is called ${name}; did you mean ${near}?`;
}

/** `Skill:brainstorming` as it was meant. */
function withColon(name: string, knownTools: ReadonlySet<string>): string | undefined {
  const [, tool = '', content] = /^(\w+):(.+)$/.exec(name) ?? [];
  return isKnownTool(tool, knownTools) ? `${tool}(${content})` : undefined;
}

/** Why a well-formed name matches nothing. */
export function warningOfName(name: string, knownTools: ReadonlySet<string>): string | undefined {
  if (!isAbsentTool(name, knownTools)) return undefined;
  if (isToolElsewhere(name)) return `there is no tool ${name} here, so the rule matches nothing.`;
  return `no tool is called ${name}; the rule matches nothing (tools: ${[...knownTools].join(', ')}).`;
}

/** No tool here has the name, which is well-formed. */
export function isAbsentTool(name: string, knownTools: ReadonlySet<string>): boolean {
  return !knownTools.has(name) && !name.includes('*') && !name.startsWith('mcp__');
}

/** What stands before the parentheses of a rule. */
export function toolOf(rule: string): string {
  const open = rule.indexOf('(');
  return open < 0 ? rule : rule.slice(0, open);
}

/** One letter too many, too few or another, or two neighbours swapped. Two slips in a name of four letters make another word. */
function isOneSlip(name: string, known: string): boolean {
  let start = 0;
  while (start < name.length && name[start] === known[start]) start++;
  let end = 0;
  const most = Math.min(name.length, known.length) - start;
  while (end < most && name[name.length - 1 - end] === known[known.length - 1 - end]) end++;
  const typed = name.slice(start, name.length - end);
  const meant = known.slice(start, known.length - end);
  if (typed.length <= 1 && meant.length <= 1) return true;
  return typed.length === 2 && meant.length === 2 && typed[0] === meant[1] && typed[1] === meant[0];
}
