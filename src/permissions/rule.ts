/**
 * One permission rule: `Tool` or `Tool(content)`, as it is written in the allow, ask and deny lists.
 * A malformed entry is a problem for the loader to report; an entry that can never match is kept and explained in a warning.
 */
import type { RuleSource } from '../core/vocabulary.ts';
import type { CommandPattern } from './command-rule.ts';
import type { DomainPattern } from './domain-rule.ts';
import type { PathPattern } from './path-rule.ts';
import { kept, malformed, parseContent } from './rule-content.ts';
import { isKnownTool, problemOfName, toolOf, warningOfName } from './tool-name.ts';
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

/** `WebFetch(domain:HOST)`: compares the host of the address. */
export interface DomainRule extends RuleBase {
  readonly kind: 'domain';
  readonly tool: string;
  readonly pattern: DomainPattern;
}

/** Kept for display; matches nothing. */
export interface InertRule extends RuleBase {
  readonly kind: 'inert';
}

export type RulePart = BareRule | CommandRule | PathRule | ParameterRule | DomainRule | InertRule;

/** One entry of a list. An entry that can be read in two ways (a command prefix, an input field) has two parts. */
export interface Rule {
  readonly source: RuleSource;
  readonly parts: readonly RulePart[];
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule; readonly warning?: string }
  | { readonly ok: false; readonly problem: string };

const OWN_TOOLS: ReadonlySet<string> = new Set(['Bash', 'Read', 'Edit', 'Write', 'Glob']);

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
  const name = toolOf(text);
  const nameProblem = problemOfName(name, source.list, knownTools);
  if (nameProblem !== undefined) return malformed(text, nameProblem);
  if (open >= 0 && !text.endsWith(')')) {
    return malformed(text, text.includes(')') ? 'there is text after the last ")"' : 'the ")" is missing');
  }
  const content = open < 0 ? undefined : text.slice(open + 1, -1);
  if (content === '' || content === ':*')
    return malformed(text, `nothing is named in the parentheses (for every call write ${name})`);
  if (content !== undefined && endsInEscape(content))
    return malformed(text, 'the last ")" is escaped with a backslash, so that the parentheses do not close');
  if (content !== undefined && name.startsWith('mcp__'))
    return malformed(text, 'a rule for an MCP tool takes no parentheses');
  if (content !== undefined && name.includes('*'))
    return malformed(text, 'a tool name with a star takes no parentheses');

  const parsed =
    content === undefined || content === '*'
      ? whole(source, name)
      : parseContent({ text, name, content, source, root });
  if (!parsed.ok) return parsed;
  const suspicion = warningOfName(name, knownTools) ?? severalRules(content ?? '', knownTools);
  return suspicion === undefined ? parsed : { ...parsed, warning: `${text}: ${suspicion}` };
}

/** The closing parenthesis itself is escaped. */
const endsInEscape = (content: string): boolean => (/\\*$/.exec(content)?.[0].length ?? 0) % 2 === 1;

function whole(source: RuleSource, tool: string): ParsedRule {
  return kept(source, [{ kind: 'bare', source, tool, pattern: compileWildcard(tool) }]);
}

/** `Bash(a), Bash(b)` is one rule for the command `a), Bash(b`. */
function severalRules(content: string, knownTools: ReadonlySet<string>): string | undefined {
  const joined = [...content.matchAll(/\)\s*[,;|&]*\s*(\w+)\(/g)].some(([, name = '']) =>
    isKnownTool(name, knownTools),
  );
  return joined
    ? 'it looks like several rules in one text, of which none holds: write each as an entry of its own.'
    : undefined;
}
