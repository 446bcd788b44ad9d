/** The files that an allowed command may use: being allowed to run is not being allowed every file. */
import { resolve } from 'node:path';
import type { Context } from './context.ts';
import { allowingPathRule, bareRule, type PathUse } from './rule-set.ts';
import type { SimpleCommand } from './shell/commands.ts';
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
  // Where `cd` may have failed, `..` leads to one of two places.
  if (cwds.length > 1 && /(?:^|\/)\.\.(?:\/|$)/.test(word)) return false;
  return cwds.every((cwd) => {
    const paths = glob ? place.expand(resolve(cwd, word)) : [resolve(cwd, word)];
    if (paths === undefined) return false;
    return (paths.length > 0 ? paths : [resolve(cwd, word)]).every(
      (path) => place.inWorkspace(path) || isAllowedFile(context, access, path),
    );
  });
}

/** A rule for the path as given and for what its links lead to. */
function isAllowedFile({ permissions, place }: Context, access: PathUse['access'], path: string): boolean {
  const { allow } = permissions.rules;
  const real = place.realPath(path);
  if (real === undefined) return false;
  if (access === 'read' && bareRule(allow, 'Read') !== undefined) return true;
  return [path, real].every(
    (one) =>
      allowingPathRule(
        allow,
        { access, tool: undefined, path: one, directory: false },
        permissions.workplace,
      ) !== undefined,
  );
}

/** Why a redirection is not allowed. Output goes only where an Edit rule allows it, whatever allows the command. */
export function redirectProblem(context: Context, { redirects, cwds }: SimpleCommand): string | undefined {
  for (const redirect of redirects) {
    const { operator, target } = redirect;
    const text = `"${operator} ${target.text}"`;
    if (target.kind === 'static' && target.value === '/dev/null') continue;
    if (target.kind !== 'static') return `The target of ${text} is known only when it runs`;
    if (operator === '<') {
      if (!mayUse(context, 'read', target.value, false, cwds)) return `${text} is outside the workspace`;
    } else if (!mayWriteTo(context, redirect, cwds)) {
      return `${text} is not covered by an Edit rule`;
    }
  }
  return undefined;
}

function mayWriteTo(context: Context, { target }: ShellRedirect, cwds: readonly string[]): boolean {
  const [cwd, ...others] = cwds;
  if (cwd === undefined || others.length > 0 || target.value.includes('..')) return false;
  return isAllowedFile(context, 'write', resolve(cwd, target.value));
}
