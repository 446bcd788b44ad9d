/** Patterns that may become options: bash puts names of files in place of them before the program sees its words. */
import { resolve } from 'node:path';
import type { Place } from './place.ts';
import { nameOf } from './programs/program-name.ts';

/**
 * True when a name that the pattern stands for now begins with a dash, or when it cannot be said; for `strings` also with an
 * `@`, by which it takes options from a file. A file that is made in between is not seen.
 */
export function mayBecomeOption(
  program: string,
  pattern: string,
  cwds: readonly string[],
  place: Place,
): boolean {
  const begins = nameOf(program) === 'strings' ? /^[-@]/ : /^-/;
  if (begins.test(pattern)) return true;
  if (!/^[*?[]/.test(pattern)) return false;
  return cwds.some((cwd) => {
    const below = cwd.endsWith('/') ? cwd : `${cwd}/`;
    return place.expand(resolve(cwd, pattern))?.some((path) => begins.test(path.slice(below.length))) ?? true;
  });
}
