/** The files that an allowed command may use: being allowed to run is not being allowed every file. */
import { basename, join, resolve } from 'node:path';
import type { RuleSource } from '../core/vocabulary.ts';
import type { Context } from './context.ts';
import { mayCoverBelow } from './path-rule.ts';
import { allowingPathRule, type PathUse } from './rule-set.ts';
import type { SimpleCommand } from './shell/commands.ts';
import { goesUp, LONGEST_PATH, pathFrom } from './shell/paths.ts';
import type { ShellRedirect } from './shell/pieces.ts';

/** True when every path that the word may name lies in the workspace or is allowed by a path rule. */
export function mayUse(
  context: Context,
  access: PathUse['access'],
  word: string,
  glob: boolean,
  cwds: readonly string[],
): boolean {
  const { place } = context;
  if (word.length > LONGEST_PATH) return false;
  // Where `cd` may have failed, `..` leads to one of two places.
  if (cwds.length > 1 && goesUp(word)) return false;
  return cwds.every((cwd) => {
    const plain = pathFrom(cwd, word);
    const followed = goesUp(word) ? place.follow(cwd, word) : plain;
    if (followed === undefined) return false;
    const named = followed === plain ? [plain] : [plain, followed];
    const found = glob ? named.map((path) => place.expand(path)) : [];
    if (!found.every((paths) => paths !== undefined)) return false;
    const expanded = found.flat();
    return (expanded.length > 0 ? expanded : named).every(
      (path) => place.inWorkspace(path) || fileRule(context, access, path) !== undefined,
    );
  });
}

/**
 * What allows a file outside the workspace: a rule for the path as given and for what its links lead to. A rule for the
 * whole Read tool is about that tool alone, as observed: it frees no `cat`.
 */
function fileRule(context: Context, access: PathUse['access'], path: string): RuleSource | undefined {
  const { permissions, place } = context;
  const { allow } = permissions.rules;
  const real = place.realPath(path);
  if (real === undefined) return undefined;
  const rules = [path, real].map((one) =>
    allowingPathRule(allow, { access, tool: undefined, path: one, directory: false }, permissions.workplace),
  );
  if (rules.includes(undefined)) return undefined;
  return [path, real].some((one) => holdsException(context, access, one)) ? undefined : rules[0];
}

/** A directory below which an allow rule with `!` takes something out: what lists or searches it would show that, too. */
function holdsException({ permissions, place }: Context, access: PathUse['access'], path: string): boolean {
  const { paths } = permissions.rules.allow;
  return (
    paths.some((rule) => rule.pattern.negative) &&
    place.isDirectory(path) &&
    paths.some(
      (rule) =>
        rule.pattern.negative &&
        rule.access === access &&
        mayCoverBelow(rule.pattern, path, permissions.workplace),
    )
  );
}

export type RedirectsAllowed =
  /** `rule` allows a file that is written; without one, `byMode` tells that the mode does. */
  | { readonly ok: true; readonly rule: RuleSource | undefined; readonly byMode: boolean }
  | { readonly ok: false; readonly why: string };

/** bash opens no file there. */
const SOCKET = /^\/dev\/(?:tcp|udp)\//;

/** Output goes only where an Edit rule or the mode allows it, whatever allows the command. */
export function allowRedirects(context: Context, { redirects, cwds }: SimpleCommand): RedirectsAllowed {
  let rule: RuleSource | undefined;
  let byMode = false;
  for (const redirect of redirects) {
    const { operator, target } = redirect;
    const text = `"${operator} ${target.text}"`;
    if (target.kind === 'static' && target.value === '/dev/null') continue;
    if (target.kind !== 'static' || /\\\s/.test(target.text))
      return { ok: false, why: `The target of ${text} is known only when it runs` };
    if (SOCKET.test(target.value)) return { ok: false, why: `${text} connects to another machine` };
    if (operator === '<') {
      if (!mayUse(context, 'read', target.value, false, cwds))
        return { ok: false, why: `${text} is outside the workspace` };
      continue;
    }
    if (context.permissions.mode === 'plan') return { ok: false, why: `${text} writes` };
    const path = writtenPath(redirect, cwds);
    const allowed = path === undefined ? undefined : fileRule(context, 'write', path);
    if (allowed === undefined && !(path !== undefined && acceptsEdit(context, path)))
      return { ok: false, why: `${text} is not covered by an Edit rule` };
    rule ??= allowed;
    byMode ||= allowed === undefined;
  }
  return { ok: true, rule, byMode };
}

function writtenPath({ target }: ShellRedirect, cwds: readonly string[]): string | undefined {
  const [cwd, ...others] = cwds;
  return cwd === undefined || others.length > 0 || target.value.includes('..')
    ? undefined
    : resolve(cwd, target.value);
}

/** Mode acceptEdits: what an Edit could change, a command may change. */
export function acceptsEdit({ permissions, place }: Context, path: string): boolean {
  return (
    permissions.mode === 'acceptEdits' &&
    place.inWorkspace(path) &&
    !place.isLink(path) &&
    !place.isProtected(path) &&
    !place.holdsAgentFiles(path) &&
    !place.isCritical(path)
  );
}

/** The same for where files are copied or moved to: a directory takes each under its own name. */
export function acceptsDestination(context: Context, files: readonly string[], destination: string): boolean {
  const { place } = context;
  if (!place.isDirectory(destination)) return acceptsEdit(context, destination);
  return files.every((file) => acceptsEdit(context, join(destination, basename(file))));
}
