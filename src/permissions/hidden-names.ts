/** Names that no list of files may show, because a deny rule covers reading them. */
import type { Permissions } from './context.ts';
import type { FilesView } from './files-view.ts';
import { Place } from './place.ts';
import { restrictingPathRule } from './rule-set.ts';

export type HidesName = (path: string) => boolean;

export function hidesNames({ rules, workplace }: Permissions, files: FilesView): HidesName {
  if (rules.deny.paths.length === 0) return () => false;
  const place = new Place(workplace, files);
  return (path) =>
    place
      .bothPaths(path)
      .some(
        (one) =>
          restrictingPathRule(
            rules.deny,
            { access: 'read', tool: 'Glob', path: one, directory: false },
            workplace,
          ) !== undefined,
      );
}
