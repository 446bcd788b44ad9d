/** Managed drop-ins that are saved while a session runs: they take their place among the layers like every saved rule. */
import { basename } from 'node:path';
import { type Layer, unseen } from './layer.ts';
import { type ManagedPlace, managedFiles } from './managed.ts';
import type { SettingsOrigin } from './origin.ts';

export interface ManagedScope {
  readonly place: ManagedPlace;
  /** Whose files are read. */
  readonly dialects: readonly SettingsOrigin['dialect'][];
}

/**
 * The same list when there is no new file. One that is gone stays, for its layer to notice; a directory that cannot be
 * listed any more changes nothing.
 */
export function withDropIns(layers: readonly Layer[], { place, dialects }: ManagedScope): readonly Layer[] {
  const known = new Set(layers.map((layer) => layer.place.origin.file));
  const fresh = dialects
    .flatMap((dialect) => {
      const files = managedFiles(place, dialect);
      return files.ok ? files.places : [];
    })
    .filter(({ origin }) => !known.has(origin.file))
    .map(unseen);
  if (fresh.length === 0) return layers;
  const isManaged = (layer: Layer): boolean => layer.place.origin.scope === 'managed';
  const managed = [...layers.filter(isManaged), ...fresh].sort(byPrecedence);
  return [...managed, ...layers.filter((layer) => !isManaged(layer))];
}

/** Ours before Claude Code's; of each the drop-ins, the last name first, then the file itself. */
function byPrecedence(one: Layer, other: Layer): number {
  const [a, b] = [one.place.origin, other.place.origin];
  if (a.dialect !== b.dialect) return a.dialect === 'hookd' ? -1 : 1;
  if (isDropIn(a) !== isDropIn(b)) return isDropIn(a) ? -1 : 1;
  return basename(a.file) < basename(b.file) ? 1 : -1;
}

const isDropIn = ({ file, root }: SettingsOrigin): boolean => file !== `${root}/${basename(file)}`;
