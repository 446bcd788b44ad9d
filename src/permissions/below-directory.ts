/** Whether a deny or ask rule covers something below a directory: what removes, moves or copies it touches that, too. */
import { join } from 'node:path';
import type { RuleSource, Workplace } from '../core/vocabulary.ts';
import { BelowIndex } from './below-index.ts';
import type { Context } from './context.ts';
import { mayCoverBelow } from './path-rule.ts';
import { type PathUse, type RuleList, restrictingPathRule } from './rule-set.ts';

export type Below =
  | { readonly kind: 'covered'; readonly rule: RuleSource; readonly path: string }
  /** More names than are looked at, or links that lead elsewhere. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'free' };

type Access = PathUse['access'];

/** True when a rule of the list for this access may cover something below the directory, whether or not it is there. */
export function mayCoverSomethingBelow(
  { permissions, place }: Context,
  list: RuleList,
  access: Access,
  directory: string,
): boolean {
  if (list.paths.length === 0) return false;
  const { workplace } = permissions;
  const index = indexOf(list, workplace);
  return place
    .bothPaths(directory)
    .some((one) =>
      index.some(
        one,
        (rule) =>
          (rule.access === access || (rule.access === 'read' && access === 'write')) &&
          rule.onlyTool === undefined &&
          mayCoverBelow(rule.pattern, one, workplace),
      ),
    );
}

/** Made when it is first asked for: once for each snapshot of the settings and each workplace under it. */
function indexOf(list: RuleList, workplace: Workplace): BelowIndex {
  const byWorkplace = indexes.get(list) ?? new WeakMap<Workplace, BelowIndex>();
  let index = byWorkplace.get(workplace);
  if (index === undefined) {
    index = new BelowIndex(list.paths, workplace);
    byWorkplace.set(workplace, index);
    indexes.set(list, byWorkplace);
  }
  return index;
}

const indexes = new WeakMap<RuleList, WeakMap<Workplace, BelowIndex>>();

/** Looks at what is there, only where a rule may reach; of that only what `fits`. */
export function coveredBelow(
  context: Context,
  list: RuleList,
  access: Access,
  directory: string,
  fits?: RegExp,
): Below {
  const { place, permissions } = context;
  if (!place.isDirectory(directory) || !mayCoverSomethingBelow(context, list, access, directory))
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
        if (rule !== undefined && fits?.test(one) !== false) return { kind: 'covered', rule, path: one };
      }
      if (!isDirectory || !mayCoverSomethingBelow(context, list, access, path)) continue;
      // git follows none.
      if (isLink) isKnown &&= fits !== undefined;
      else pending.push(path);
    }
  }
  return isKnown ? { kind: 'free' } : { kind: 'unknown' };
}
