/** Which hooks an occasion concerns: matchers, and what is wrong with those that can never match. */
import { messageOf } from '../core/errors.ts';
import { TOOLS } from '../tools/registry.ts';
import { findTool } from '../tools/tool.ts';
import { testPattern } from './bounded-pattern.ts';
import { eventRow, type HookEvent } from './events.ts';
import type { Hook } from './hook.ts';

export interface Matcher {
  matches(subject: string): boolean;
  /** Why it can never match anything. */
  readonly problem?: string;
}

/** Names, one or several: `Bash`, `Edit|Write`, `Edit, Write`. Anything else is a regular expression. */
const NAMES = /^[A-Za-z0-9_\-|, ]*$/;
const MOST_CACHED = 1_000;

/** The canonical name that another name stands for, if it stands for one. */
export type ResolveAlias = (name: string) => string | undefined;

/** Names of the registry, and the two that Claude Code has for one of its tools. */
function toolAlias(name: string): string | undefined {
  if (name === 'Task') return 'Agent';
  return findTool(TOOLS, name)?.name;
}

export function compileMatcher(matcher: string | undefined, resolve: ResolveAlias = toolAlias): Matcher {
  if (matchesAll(matcher)) return { matches: () => true };
  return NAMES.test(matcher) ? nameList(matcher, resolve) : regularExpression(matcher);
}

function matchesAll(matcher: string | undefined): matcher is undefined {
  return matcher === undefined || matcher === '' || matcher === '*';
}

function nameList(matcher: string, resolve: ResolveAlias): Matcher {
  const names = namesIn(matcher);
  if (names.length === 0) return { matches: () => false, problem: 'it names nothing, so it never matches' };
  const known = new Set(names.flatMap((name) => [name, resolve(name) ?? name]));
  return { matches: (subject) => known.has(subject) };
}

function namesIn(matcher: string): string[] {
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Unanchored. One that takes too long counts as matching: a guard rather runs once too often. */
function regularExpression(pattern: string): Matcher {
  try {
    new RegExp(pattern);
  } catch (error) {
    return { matches: () => false, problem: `it never matches: ${messageOf(error)}` };
  }
  const known = new Map<string, boolean>();
  return {
    matches(subject) {
      const before = known.get(subject);
      if (before !== undefined) return before;
      // Twice, because a machine that was busy elsewhere must not decide for good.
      const matches = testPattern(pattern, subject) ?? testPattern(pattern, subject, 1_000) ?? true;
      if (known.size >= MOST_CACHED) known.clear();
      known.set(subject, matches);
      return matches;
    },
  };
}

/** Why no occasion of this event can fit the matcher, as far as can be told; undefined when one can. */
export function deadMatcher(
  event: HookEvent,
  matcher: string | undefined,
  tools: readonly string[] = TOOLS.map(({ name }) => name),
): string | undefined {
  const { subject, words } = eventRow(event);
  if (matchesAll(matcher) || subject === undefined) return undefined;
  const compiled = compileMatcher(matcher);
  if ((words ?? tools).some((name) => compiled.matches(name))) return undefined;
  if (/^[A-Za-z_]\w*\(.*\)$/.test(matcher))
    return `it never matches: ${JSON.stringify(matcher)} is a permission rule, which belongs into "if"; a matcher is a tool’s name`;
  if (compiled.problem !== undefined) return compiled.problem;
  if (words !== undefined) return `it never matches: ${subject} is ${anyOf(words)} here`;
  const hint = matcher.startsWith('mcp__') ? '; MCP is not supported' : '';
  return `it never matches: no tool is called so (there are ${tools.join(', ')})${hint}`;
}

function anyOf(words: readonly string[]): string {
  return words.length === 1
    ? `always ${words.join()}`
    : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

let compiled = new Map<string, Matcher>();

/** The hooks of an event whose matcher fits, in configured order. Of exact duplicates the first stays: it has the most authority. */
export function selectHooks(
  hooks: readonly Hook[],
  event: HookEvent,
  subject: string | undefined,
): readonly Hook[] {
  const takesMatcher = eventRow(event).subject !== undefined;
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    if (hook.event !== event) return false;
    if (takesMatcher && !matcherOf(hook).matches(subject ?? '')) return false;
    const key = identityOf(hook);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function matcherOf({ matcher }: Hook): Matcher {
  const key = matcher ?? '';
  let found = compiled.get(key);
  if (found === undefined) {
    if (compiled.size >= MOST_CACHED) compiled = new Map();
    found = compileMatcher(key);
    compiled.set(key, found);
  }
  return found;
}

const identities = new WeakMap<Hook, string>();

/** All that a repetition could change. Where a hook was written, and for which matcher, changes nothing about its run. */
function identityOf(hook: Hook): string {
  const known = identities.get(hook);
  if (known !== undefined) return known;
  const { handler, timeoutMs, condition, isAsync, onFailure } = hook;
  const identity = JSON.stringify([
    handler,
    timeoutMs ?? null,
    condition || null,
    isAsync,
    onFailure ?? null,
  ]);
  identities.set(hook, identity);
  return identity;
}
