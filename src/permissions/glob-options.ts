/** Patterns that may become options: bash puts names of files in place of them before the program sees its words. */
import { resolve } from 'node:path';
import type { Place } from './place.ts';

/**
 * True when a name that the pattern stands for now begins with a dash, or when it cannot be said. A file that is made in
 * between is not seen.
 */
export function mayBecomeOption(pattern: string, cwds: readonly string[], place: Place): boolean {
  if (pattern.startsWith('-')) return true;
  if (!/^[*?[]/.test(pattern)) return false;
  return cwds.some((cwd) => {
    const below = cwd.endsWith('/') ? cwd : `${cwd}/`;
    return place.expand(resolve(cwd, pattern))?.some((path) => path.startsWith(`${below}-`)) ?? true;
  });
}
