/** What stands in the parentheses of a rule: a command, a path, a domain, an input field. */
import type { RuleSource } from '../core/vocabulary.ts';
import { compileCommandPattern, paddedOperators } from './command-rule.ts';
import { compileDomain, DOMAIN_PREFIX, EVERY_DOMAIN } from './domain-rule.ts';
import { otherGrammar } from './other-grammar.ts';
import { compilePathPattern } from './path-rule.ts';
import type { CommandRule, ParameterRule, ParsedRule, Rule, RulePart } from './rule.ts';
import { compileWildcard } from './wildcard.ts';

/** What the content in parentheses means for each tool. A tool that is not here knows bare rules and input fields. */
type Meaning = 'command' | 'read' | 'write' | 'only-read' | 'only-write' | 'domain';

const CONTENT: Readonly<Record<string, Meaning | undefined>> = {
  Bash: 'command',
  Read: 'read',
  Edit: 'write',
  Write: 'only-write',
  Glob: 'only-read',
  WebFetch: 'domain',
};

/** Input fields that the content of a rule is about anyway, in another way than as text. */
const JUDGED_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  Bash: ['command'],
  Read: ['file_path'],
  Edit: ['file_path'],
  Write: ['file_path'],
  Glob: ['path', 'pattern'],
};

export interface Content {
  readonly text: string;
  readonly name: string;
  readonly content: string;
  readonly source: RuleSource;
  readonly root: string;
}

export function parseContent(entry: Content): ParsedRule {
  const { text, name, content, source } = entry;
  const parsed = parseMeaning(entry);
  // What allows too little is asked about; what restricts too little is seen by nobody.
  const told = source.list === 'allow' ? undefined : mistakenContent(name, content);
  return parsed.ok && told !== undefined ? { ...parsed, warning: `${text}: ${told}.` } : parsed;
}

/** Why the content visibly means something else than it says, if so. */
export function mistakenContent(name: string, content: string): string | undefined {
  const meaning = CONTENT[name];
  if (meaning === undefined || meaning === 'domain') return undefined;
  return otherGrammar(name, content, meaning === 'command' ? 'command' : 'path');
}

function parseMeaning(entry: Content): ParsedRule {
  const { text, name, content, source } = entry;
  const judged = judgedField(name, content);
  const parameters =
    source.list === 'allow' || judged !== undefined ? [] : parameterRules(name, content, source);
  switch (CONTENT[name]) {
    case 'command':
      return kept(
        source,
        [...commandReadings(content, source).map((one) => commandRule(name, one, source)), ...parameters],
        judged === undefined ? undefined : `${text}: write the command itself, without "${judged}:".`,
      );
    case 'read':
    case 'write':
      return parsePath(entry, parameters);
    case 'only-read':
    case 'only-write':
      return parseOwnPath(entry, parameters);
    case 'domain':
      return parseDomain(entry, parameters);
    default:
      if (parameters.length > 0) return kept(source, parameters);
      return inert(source, `${text}: rules for ${name} take no parentheses, so this one matches nothing.`);
  }
}

function parsePath(
  { text, name, content, source, root }: Content,
  parameters: readonly RulePart[],
): ParsedRule {
  const access = CONTENT[name] === 'read' ? 'read' : 'write';
  const { pattern, warning } = compilePathPattern({ text: content, list: source.list, root });
  const judged = judgedField(name, content);
  const told = judged === undefined ? warning : `write the path itself, without "${judged}:".`;
  return kept(
    source,
    [{ kind: 'path', source, access, onlyTool: undefined, pattern }, ...parameters],
    told === undefined ? undefined : `${text}: ${told}`,
  );
}

/** `Write(p)` and `Glob(p)`: another rule governs every way to the file. What restricts still holds for that one tool. */
function parseOwnPath(
  { text, name, content, source, root }: Content,
  parameters: readonly RulePart[],
): ParsedRule {
  if (parameters.length > 0) return kept(source, parameters);
  const governing = `${name === 'Glob' ? 'Read' : 'Edit'}(${content})`;
  if (source.list === 'allow')
    return inert(source, `${text} allows nothing: write ${governing}, which governs ${name} too.`);
  const { pattern } = compilePathPattern({ text: content, list: source.list, root });
  const access = name === 'Glob' ? 'read' : 'write';
  return kept(
    source,
    [{ kind: 'path', source, access, onlyTool: name, pattern }],
    `${text}: it holds for the ${name} tool alone; ${governing} covers every way to the file.`,
  );
}

function parseDomain({ text, name, content, source }: Content, parameters: readonly RulePart[]): ParsedRule {
  if (!content.startsWith(DOMAIN_PREFIX)) {
    if (/^[a-z]+:\/\//i.test(content)) return malformed(text, `write the host alone: ${name}(domain:HOST)`);
    if (parameters.length > 0) return kept(source, parameters);
    return inert(source, `${text} matches nothing: write ${name}(domain:${content}).`);
  }
  const host = content.slice(DOMAIN_PREFIX.length);
  const restrictsAll = host.trim() === '*' && source.list !== 'allow';
  const pattern = restrictsAll ? EVERY_DOMAIN : compileDomain(host);
  if (pattern === undefined) return malformed(text, 'a domain is a host name alone, such as *.example.org');
  return kept(source, [{ kind: 'domain', source, tool: name, pattern }]);
}

/** `\(`, `\)` and `\\` stand for the second character. What restricts is also taken as it is written. */
function readings(content: string, { list }: RuleSource): readonly string[] {
  const meant = content.replace(/\\([()\\])/g, '$1');
  return list === 'allow' ? [meant] : [...new Set([meant, content])];
}

/** Who denies `a; b` means `a ;b`, too. */
function commandReadings(content: string, source: RuleSource): readonly string[] {
  const texts = readings(content, source);
  return source.list === 'allow' ? texts : [...new Set([...texts, ...texts.map(paddedOperators)])];
}

function commandRule(tool: string, content: string, source: RuleSource): CommandRule {
  return { kind: 'command', source, tool, pattern: compileCommandPattern(content, source.list) };
}

function parameterRules(tool: string, content: string, source: RuleSource): readonly ParameterRule[] {
  const field = fieldNamed(content);
  if (field === undefined) return [];
  return readings(content.slice(content.indexOf(':') + 1).trim(), source).map((value) => ({
    ...{ kind: 'parameter', source, tool, name: field, value: compileWildcard(value) },
  }));
}

/** The input field that comes before the first colon, if one may. */
function fieldNamed(content: string): string | undefined {
  const name = content.slice(0, Math.max(content.indexOf(':'), 0)).trim();
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : undefined;
}

/** A field that rules match in other ways: comparing it as text would only look like a guard. */
function judgedField(tool: string, content: string): string | undefined {
  const field = fieldNamed(content);
  return field !== undefined && JUDGED_FIELDS[tool]?.includes(field) ? field : undefined;
}

function inert(source: RuleSource, warning: string): ParsedRule {
  return kept(source, [{ kind: 'inert', source }], warning);
}

export function kept(source: RuleSource, parts: readonly RulePart[], warning?: string): ParsedRule {
  const rule: Rule = { source, parts };
  return warning === undefined ? { ok: true, rule } : { ok: true, rule, warning };
}

export function malformed(text: string, why: string): ParsedRule {
  return { ok: false, problem: `${JSON.stringify(text)} is not a permission rule: ${why}.` };
}
