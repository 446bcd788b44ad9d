/** The absolute paths that a word of a command may name. */
import { resolve } from 'node:path';
import type { Place } from '../place.ts';
import { isGlob } from './glob.ts';

/** The system refuses a longer one. */
export const LONGEST_PATH = 4096;

/** For deny and ask rules: every directory the command may run in, globs expanded (`cd .g*`, too), `/proc/self/cwd` seen through. */
export function pathsNamed(word: string, cwds: readonly string[], place: Place): readonly string[] {
  return place.named(word, cwds, namedBy);
}

function namedBy(word: string, cwds: readonly string[], place: Place): readonly string[] {
  if (word.length > LONGEST_PATH) return [];
  const [cwd] = cwds;
  if (cwds.length === 1 && cwd !== undefined && PLAIN_NAME.test(word)) return [below(cwd, word)];
  const found = cwds.flatMap((cwd) => namedFrom(cwd, word, place));
  return found.length === 1 ? found : [...new Set(found)];
}

/** A name in the directory, and nothing that stands for another: no pattern, no `~`, no `..`. */
const PLAIN_NAME = /^\w[\w.-]*$/;

function namedFrom(cwd: string, word: string, place: Place): readonly string[] {
  const seen = seeThrough(word, cwd, place.workplace.home);
  const path = pathFrom(cwd, seen);
  const found = goesUp(seen) ? [path, place.follow(cwd, seen) ?? path] : [path];
  const isPattern = (isGlob(word) && !place.isLiteral(word)) || (cwd !== place.workplace.cwd && isGlob(cwd));
  return isPattern ? [...found, ...(place.expand(path) ?? [])] : found;
}

/** As `resolve`, for a directory that is absolute and normalised: most words are so, too, and need no second look. */
export function pathFrom(directory: string, word: string): string {
  if (NORMALISED.test(word)) return below(directory, word);
  return word.startsWith('/') && NORMALISED.test(word.slice(1)) ? word : resolve(directory, word);
}

const below = (directory: string, word: string): string =>
  directory === '/' ? `/${word}` : `${directory}/${word}`;

/** Relative, and no name in it of dots alone. */
const NORMALISED = /^\.*[^./][^/]*(?:\/\.*[^./][^/]*)*$/;

/** It has `..` for one of its names. */
export const goesUp = (word: string): boolean => word.includes('..') && /(?:^|\/)\.\.(?:\/|$)/.test(word);

const OWN_DIRECTORY = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(cwd|root)$/;
const MOST_SEEN_THROUGH = 4;

/** What the word means to a program that runs in the directory: `~`, and `/proc/self/cwd` however it is written. */
export function seeThrough(word: string, cwd: string, home: string): string {
  if (word === '~' || word.startsWith('~/')) return home + word.slice(1);
  if (!word.includes('/cwd') && !word.includes('/root')) return word;
  let seen = word;
  for (let round = 0; round < MOST_SEEN_THROUGH; round++) {
    const next = throughOwnDirectory(seen, cwd);
    if (next === undefined) break;
    seen = next;
  }
  return seen;
}

/** Our own process has others: what the system says of these links is not what the command will find. */
function throughOwnDirectory(word: string, cwd: string): string | undefined {
  for (const { index, 0: found } of word.matchAll(/\/(?:cwd|root)(?=\/|$)/g)) {
    const end = index + found.length;
    const which = OWN_DIRECTORY.exec(resolve(cwd, word.slice(0, end)))?.[1];
    if (which !== undefined) return (which === 'cwd' ? cwd : '') + word.slice(end) || '/';
  }
  return undefined;
}

/** True when the word is a pattern with more matches than are looked at. */
export function hasTooManyMatches(word: string, cwds: readonly string[], place: Place): boolean {
  return (
    isGlob(word) &&
    !place.isLiteral(word) &&
    cwds.some((cwd) => place.expand(pathFrom(cwd, seeThrough(word, cwd, place.workplace.home))) === undefined)
  );
}
