/** A directory that git takes for a repository because of what lies in it: its settings have git run what they say. */
import { dirname, join } from 'node:path';
import { isInside } from './path-rule.ts';
import type { Place } from './place.ts';

/** True where HEAD and the rest lie in the directory itself, or above it in the workspace, and no `.git` comes first. */
export function isPlantedRepository(cwd: string, place: Place): boolean {
  const { project } = place.workplace;
  for (let at = cwd; ; at = dirname(at)) {
    // Nearly everywhere this is all that is asked.
    if (!place.isMissing(join(at, 'HEAD')) && isRepository(at, place)) return !hasOwn(cwd, at, place);
    if (at === project || !isInside(project, at) || at === '/') return false;
  }
}

function isRepository(directory: string, place: Place): boolean {
  const isThere = (name: string): boolean => !place.isMissing(join(directory, name));
  return isThere('commondir') || (isThere('objects') && isThere('refs'));
}

/** A `.git` that is one; an empty directory is none. */
function hasOwn(from: string, to: string, place: Place): boolean {
  for (let at = from; ; at = dirname(at)) {
    const own = join(at, '.git');
    if (!place.isMissing(own) && !(place.isDirectory(own) && place.isMissing(join(own, 'HEAD')))) return true;
    if (at === to || at === '/') return false;
  }
}
