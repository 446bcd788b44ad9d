/** Whether a deny or ask rule covers something below a directory: what removes, moves or copies it touches that, too. */
import { join } from 'node:path';
import type { RuleSource } from '../core/vocabulary.ts';
import type { Context } from './context.ts';
import { mayCoverBelow } from './path-rule.ts';
import type { PathRule } from './rule.ts';
import { type PathUse, type RuleList, restrictingPathRule } from './rule-set.ts';

export type Below =
  | { readonly kind: 'covered'; readonly rule: RuleSource; readonly path: string }
  /** More names than are looked at, or links that lead elsewhere. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'free' };

type Access = PathUse['access'];

/** Rules of the list for this access that may cover something below the directory, whether or not it is there. */
export function rulesBelow(
  { permissions, place }: Context,
  list: RuleList,
  access: Access,
  directory: string,
): readonly PathRule[] {
  if (list.paths.length === 0) return [];
  const directories = place.bothPaths(directory);
  return list.paths.filter(
    (rule) =>
      (rule.access === access || (rule.access === 'read' && access === 'write')) &&
      rule.onlyTool === undefined &&
      directories.some((one) => mayCoverBelow(rule.pattern, one, permissions.workplace)),
  );
}

/** Looks at what is there, only where a rule may reach. */
export function coveredBelow(context: Context, list: RuleList, access: Access, directory: string): Below {
  const { place, permissions } = context;
  if (!place.isDirectory(directory) || rulesBelow(context, list, access, directory).length === 0)
    return { kind: 'free' };
  const pending = [directory];
  let isKnown = true;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const names = place.namesIn(at);
    if (names === undefined) return { kind: 'unknown' };
    for (const name of names) {
      const path = join(at, name);
      const isLink = place.isLink(path);
      const isDirectory = place.isDirectory(path);
      for (const one of isLink ? place.bothPaths(path) : [path]) {
        const use: PathUse = { access, tool: undefined, path: one, directory: isDirectory };
        const rule = restrictingPathRule(list, use, permissions.workplace);
        if (rule !== undefined) return { kind: 'covered', rule, path: one };
      }
      if (!isDirectory || rulesBelow(context, list, access, path).length === 0) continue;
      if (isLink) isKnown = false;
      else pending.push(path);
    }
  }
  return isKnown ? { kind: 'free' } : { kind: 'unknown' };
}
