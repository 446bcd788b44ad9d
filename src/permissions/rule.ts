/**
 * One permission rule: `Tool` or `Tool(content)`, as it is written in the allow, ask and deny lists.
 * A malformed entry is a problem for the loader to report; an entry that can never match is kept and explained in a warning.
 */
import type { RuleSource } from '../core/vocabulary.ts';
import { type CommandPattern, compileCommandPattern } from './command-rule.ts';
import { compilePathPattern, type PathPattern } from './path-rule.ts';
import { problemOfName, warningOfName } from './tool-name.ts';
import { compileWildcard, type Wildcard } from './wildcard.ts';

interface RuleBase {
  readonly source: RuleSource;
}

/** The whole tool. In deny and ask lists `tool` may hold stars. */
export interface BareRule extends RuleBase {
  readonly kind: 'bare';
  readonly tool: string;
  readonly pattern: Wildcard;
}

export interface CommandRule extends RuleBase {
  readonly kind: 'command';
  readonly tool: string;
  readonly pattern: CommandPattern;
}

export interface PathRule extends RuleBase {
  readonly kind: 'path';
  /** `Edit(p)` governs every write, `Read(p)` every read. */
  readonly access: 'read' | 'write';
  /** Set for `Write(p)` and `Glob(p)`, which hold for calls of that one tool and nothing else. */
  readonly onlyTool: string | undefined;
  readonly pattern: PathPattern;
}

/** `Tool(name:value)` in deny and ask lists: compares an input field, when the field was sent. */
export interface ParameterRule extends RuleBase {
  readonly kind: 'parameter';
  readonly tool: string;
  readonly name: string;
  readonly value: Wildcard;
}

/** Kept for display; matches nothing. */
export interface InertRule extends RuleBase {
  readonly kind: 'inert';
}

export type RulePart = BareRule | CommandRule | PathRule | ParameterRule | InertRule;

/** One entry of a list. An entry that can be read in two ways (a command prefix, an input field) has two parts. */
export interface Rule {
  readonly source: RuleSource;
  readonly parts: readonly RulePart[];
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule; readonly warning?: string }
  | { readonly ok: false; readonly problem: string };

/** What the content in parentheses means for each tool. A tool that is not here only knows bare rules. */
const CONTENT: Readonly<Record<string, 'command' | 'read' | 'write' | 'only-read' | 'only-write'>> = {
  Bash: 'command',
  Read: 'read',
  Edit: 'write',
  Write: 'only-write',
  Glob: 'only-read',
};

const OWN_TOOLS: ReadonlySet<string> = new Set(Object.keys(CONTENT));

/** Input fields that rules match in other ways, so that comparing them as text would only look like a guard. */
const JUDGED_FIELDS = new Set(['command', 'file_path', 'path', 'pattern', 'notebook_path']);

const LONGEST_RULE = 4096;

/**
 * `root` anchors `/p` patterns of the file the rule stands in. `knownTools` are the tools that exist;
 * a rule for another one is kept and warned about.
 */
export function parseRule(
  text: string,
  source: RuleSource,
  root: string,
  knownTools: ReadonlySet<string> = OWN_TOOLS,
): ParsedRule {
  if (text.length > LONGEST_RULE) return malformed(text, `longer than ${LONGEST_RULE} characters`);
  const open = text.indexOf('(');
  const name = open < 0 ? text : text.slice(0, open);
  const nameProblem = problemOfName(name, source.list, knownTools);
  if (nameProblem !== undefined) return malformed(text, nameProblem);
  if (open >= 0 && !text.endsWith(')')) {
    return malformed(text, text.includes(')') ? 'there is text after the last ")"' : 'the ")" is missing');
  }
  const content = open < 0 ? undefined : text.slice(open + 1, -1);
  if (content === '' || content === ':*')
    return malformed(text, `nothing is named in the parentheses (for every call write ${name})`);
  if (content !== undefined && name.startsWith('mcp__'))
    return malformed(text, 'a rule for an MCP tool takes no parentheses');
  if (content !== undefined && name.includes('*'))
    return malformed(text, 'a tool name with a star takes no parentheses');

  const unknown = warningOfName(name, knownTools);
  if (content === undefined || content === '*') {
    const rule = one({ kind: 'bare', source, tool: name, pattern: compileWildcard(name) });
    return unknown === undefined ? { ok: true, rule } : { ok: true, rule, warning: `${text}: ${unknown}` };
  }
  if (unknown !== undefined) return inert(source, `${text}: ${unknown}`);
  return parseContent({ text, name, content, source, root });
}

interface Content {
  readonly text: string;
  readonly name: string;
  readonly content: string;
  readonly source: RuleSource;
  readonly root: string;
}

function parseContent({ text, name, content, source, root }: Content): ParsedRule {
  const parameter = source.list === 'allow' ? undefined : parameterRule(name, content, source);
  const extra = parameter === undefined ? [] : [parameter];
  switch (CONTENT[name]) {
    case 'command': {
      if (content.startsWith('command:')) {
        const rule: Rule = { source, parts: [commandRule(name, content, source)] };
        return { ok: true, rule, warning: `${text}: write the command itself, without "command:".` };
      }
      return { ok: true, rule: { source, parts: [commandRule(name, content, source), ...extra] } };
    }
    case 'read':
    case 'write':
    case 'only-read':
    case 'only-write': {
      const access = CONTENT[name] === 'read' || CONTENT[name] === 'only-read' ? 'read' : 'write';
      const onlyTool = name === 'Write' || name === 'Glob' ? name : undefined;
      if (onlyTool !== undefined && parameter !== undefined)
        return { ok: true, rule: { source, parts: extra } };
      if (onlyTool !== undefined && source.list === 'allow') {
        return inert(
          source,
          `${text} allows nothing: write ${governing(name)}(${content}), which governs ${name} too.`,
        );
      }
      const compiled = compilePathPattern({ text: content, list: source.list, root });
      const rule: Rule = {
        source,
        parts: [{ kind: 'path', source, access, onlyTool, pattern: compiled.pattern }, ...extra],
      };
      const warning =
        onlyTool === undefined
          ? compiled.warning
          : `it holds for the ${name} tool alone; ${governing(name)}(${content}) covers every way to the file.`;
      return warning === undefined ? { ok: true, rule } : { ok: true, rule, warning: `${text}: ${warning}` };
    }
    default:
      if (parameter !== undefined) return { ok: true, rule: { source, parts: extra } };
      return inert(source, `${text}: rules for ${name} take no parentheses, so this one matches nothing.`);
  }
}

const governing = (name: string): string => (name === 'Glob' ? 'Read' : 'Edit');

function commandRule(tool: string, content: string, source: RuleSource): CommandRule {
  return { kind: 'command', source, tool, pattern: compileCommandPattern(content, source.list) };
}

function parameterRule(tool: string, content: string, source: RuleSource): ParameterRule | undefined {
  const colon = content.indexOf(':');
  const name = content.slice(0, Math.max(colon, 0)).trim();
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || JUDGED_FIELDS.has(name)) return undefined;
  return { kind: 'parameter', source, tool, name, value: compileWildcard(content.slice(colon + 1).trim()) };
}

const one = (part: RulePart): Rule => ({ source: part.source, parts: [part] });

function inert(source: RuleSource, warning: string): ParsedRule {
  return { ok: true, rule: one({ kind: 'inert', source }), warning };
}

function malformed(text: string, why: string): ParsedRule {
  return { ok: false, problem: `${JSON.stringify(text)} is not a permission rule: ${why}.` };
}
