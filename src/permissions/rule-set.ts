/** The rules of all settings files, sorted once by list and kind so that a decision only looks at what can concern it. */
import type { Behavior, RuleSource, ToolCall, Workplace } from '../core/vocabulary.ts';
import type { CommandPattern } from './command-rule.ts';
import { hostOf, matchesDomain } from './domain-rule.ts';
import { coversDirectory, exempting, matchesPath, type PathPattern } from './path-rule.ts';
import type { BareRule, CommandRule, DomainRule, ParameterRule, PathRule, Rule } from './rule.ts';
import { keysOfCommand, keysOfPath, keysOfPathPattern, RuleIndex } from './rule-index.ts';
import { JOINS } from './stretches.ts';
import { matchesWildcard } from './wildcard.ts';

export interface RuleList {
  readonly bare: readonly BareRule[];
  readonly commands: readonly CommandRule[];
  /** Those about several commands in a row. */
  readonly joined: readonly CommandRule[];
  readonly paths: readonly PathRule[];
  readonly parameters: readonly ParameterRule[];
  readonly domains: readonly DomainRule[];
  readonly index: {
    /** By the first word. */
    readonly commands: RuleIndex<CommandRule>;
    /** By a segment of the path. */
    readonly paths: RuleIndex<PathRule>;
    /** By tool and field. */
    readonly parameters: RuleIndex<ParameterRule>;
  };
}

export type RuleSet = Readonly<Record<Behavior, RuleList>>;

export function compileRules(rules: readonly Rule[]): RuleSet {
  return {
    allow: compileList(rules, 'allow'),
    ask: compileList(rules, 'ask'),
    deny: compileList(rules, 'deny'),
  };
}

/** One list of the set. */
export function compileList(rules: readonly Rule[], list: Behavior): RuleList {
  const parts = rules.filter((rule) => rule.source.list === list).flatMap((rule) => rule.parts);
  const commands = parts.filter((part) => part.kind === 'command');
  const paths = withExemptions(parts.filter((part) => part.kind === 'path'));
  const parameters = parts.filter((part) => part.kind === 'parameter');
  return {
    bare: parts.filter((part) => part.kind === 'bare'),
    commands,
    joined: commands.filter(({ source }) => JOINS.test(source.text)),
    paths,
    parameters,
    domains: parts.filter((part) => part.kind === 'domain'),
    index: {
      commands: new RuleIndex(commands, ({ pattern }) => keysOfCommand(pattern)),
      paths: new RuleIndex(paths, ({ pattern }) => keysOfPathPattern(pattern)),
      parameters: new RuleIndex(parameters, ({ tool, name }) => [`${tool} ${name}`]),
    },
  };
}

/** The one thing that order matters for: `!p` takes back what stands before it, in one list of one file. */
function withExemptions(rules: readonly PathRule[]): readonly PathRule[] {
  if (!rules.some(({ pattern }) => pattern.exemption !== undefined)) return rules;
  return rules.map((rule, index) => {
    const later = rules
      .slice(index + 1)
      .filter(
        ({ source, access, onlyTool }) =>
          source.file === rule.source.file && access === rule.access && onlyTool === rule.onlyTool,
      );
    return {
      ...rule,
      pattern: exempting(
        rule.pattern,
        later.map(({ pattern }) => pattern),
      ),
    };
  });
}

export function bareRule(list: RuleList, tool: string): RuleSource | undefined {
  return list.bare.find(
    (rule) => rule.tool === tool || coversServer(rule.tool, tool) || matchesWildcard(rule.pattern, tool),
  )?.source;
}

/** `mcp__srv` stands for every tool of that server. */
function coversServer(rule: string, tool: string): boolean {
  return (
    rule.startsWith('mcp__') &&
    !rule.includes('*') &&
    !rule.slice(5).includes('__') &&
    tool.startsWith(`${rule}__`)
  );
}

/** A rule on an input field: it fires only when the field was sent, and only on plain values. */
export function parameterRule(list: RuleList, { tool, input }: ToolCall): RuleSource | undefined {
  if (list.parameters.length === 0) return undefined;
  const keys = Object.keys(input).map((name) => `${tool.name} ${name}`);
  return list.index.parameters.candidates(keys).find((rule) => {
    const value = rule.tool === tool.name ? input[rule.name] : undefined;
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return (
      plain &&
      (matchesWildcard(rule.value, String(value)) || matchesWildcard(rule.value, String(value).trim()))
    );
  })?.source;
}

/** A rule on the host of an address. */
export function domainRule(list: RuleList, { tool, input }: ToolCall): RuleSource | undefined {
  const { url } = input;
  if (list.domains.length === 0 || typeof url !== 'string') return undefined;
  const host = hostOf(url);
  if (host === undefined) return undefined;
  const isWeb = /^https?:/i.test(url);
  return list.domains.find(
    (rule) =>
      rule.tool === tool.name && (isWeb || rule.source.list !== 'allow') && matchesDomain(rule.pattern, host),
  )?.source;
}

export function commandRule(
  list: RuleList,
  tool: string,
  /** The first words that a rule must begin with to fit. */
  keys: readonly string[],
  fits: (pattern: CommandPattern) => boolean,
): RuleSource | undefined {
  if (list.commands.length === 0) return undefined;
  return list.index.commands.candidates(keys).find((rule) => rule.tool === tool && fits(rule.pattern))
    ?.source;
}

/** What a path is used for. A command may be one of many programs, so it has no tool of its own. */
export interface PathUse {
  readonly access: 'read' | 'write';
  readonly tool: string | undefined;
  readonly path: string;
  /** Also ask whether a rule covers all that is in it. */
  readonly directory: boolean;
  /** Rules about reading say nothing about this write. */
  readonly onlyWrites?: true;
}

/** False when no path rule of the list can cover the path or anything in it: told without a look at the disk. */
export function mayRestrictPath(list: RuleList, path: string): boolean {
  return list.index.paths.mayFitPath(path);
}

/** The first deny or ask rule that covers the path. A restricted read also restricts the write. */
export function restrictingPathRule(
  list: RuleList,
  use: PathUse,
  workplace: Workplace,
): RuleSource | undefined {
  const covers = (pattern: PathPattern): boolean =>
    matchesPath(pattern, use.path, workplace) ||
    (use.directory && coversDirectory(pattern, use.path, workplace));
  return list.index.paths
    .candidates(keysOfPath(use.path))
    .find(
      (rule) =>
        (rule.access === use.access ||
          (rule.access === 'read' && use.access === 'write' && use.onlyWrites === undefined)) &&
        (rule.onlyTool === undefined || rule.onlyTool === use.tool) &&
        covers(rule.pattern),
    )?.source;
}

/**
 * The allow rule that covers the path, unless an allow rule that begins with `!` takes it out again. To a tool an allowed
 * write allows the read; to a command it does not: what a command reads may go anywhere.
 */
export function allowingPathRule(list: RuleList, use: PathUse, workplace: Workplace): RuleSource | undefined {
  const covering = list.index.paths
    .candidates(keysOfPath(use.path))
    .filter(
      (rule) =>
        (rule.access === use.access ||
          (rule.access === 'write' && use.access === 'read' && use.tool !== undefined)) &&
        matchesPath(rule.pattern, use.path, workplace),
    );
  return covering.some((rule) => rule.pattern.negative) ? undefined : covering[0]?.source;
}
