/** The absolute paths that a word of a command may name. */
import { resolve } from 'node:path';
import type { Place } from '../place.ts';
import { isGlob } from './glob.ts';

/** The system refuses a longer one. */
export const LONGEST_PATH = 4096;

/** For deny and ask rules: every directory the command may run in, globs expanded, `/proc/self/cwd` seen through. */
export function pathsNamed(word: string, cwds: readonly string[], place: Place): readonly string[] {
  return place.named(word, cwds, namedBy);
}

function namedBy(word: string, cwds: readonly string[], place: Place): readonly string[] {
  if (word.length > LONGEST_PATH) return [];
  const found = cwds.flatMap((cwd) => namedFrom(cwd, word, place));
  return found.length === 1 ? found : [...new Set(found)];
}

function namedFrom(cwd: string, word: string, place: Place): readonly string[] {
  const seen = seeThrough(word, cwd, place.workplace.home);
  const path = pathFrom(cwd, seen);
  const found = goesUp(seen) ? [path, place.follow(cwd, seen) ?? path] : [path];
  return isGlob(word) && !place.isLiteral(word) ? [...found, ...(place.expand(path) ?? [])] : found;
}

/** As `resolve`, for a directory that is absolute and normalised: most words are so, too, and need no second look. */
export function pathFrom(directory: string, word: string): string {
  if (!NORMALISED.test(word)) return resolve(directory, word);
  return directory === '/' ? `/${word}` : `${directory}/${word}`;
}

/** Relative, and no name in it of dots alone. */
const NORMALISED = /^\.*[^./][^/]*(?:\/\.*[^./][^/]*)*$/;

/** It has `..` for one of its names. */
export const goesUp = (word: string): boolean => word.includes('..') && /(?:^|\/)\.\.(?:\/|$)/.test(word);

function seeThrough(word: string, cwd: string, home: string): string {
  if (word === '~' || word.startsWith('~/')) return home + word.slice(1);
  if (!word.startsWith('/proc/')) return word;
  const proc = /^\/proc\/(?:self|thread-self|\d+)\/(cwd|root)(?=\/|$)/.exec(word);
  if (proc === null) return word;
  return (proc[1] === 'cwd' ? cwd : '') + word.slice(proc[0].length) || '/';
}

/** True when the word is a pattern with more matches than are looked at. */
export function hasTooManyMatches(word: string, cwds: readonly string[], place: Place): boolean {
  return (
    isGlob(word) &&
    !place.isLiteral(word) &&
    cwds.some((cwd) => place.expand(pathFrom(cwd, seeThrough(word, cwd, place.workplace.home))) === undefined)
  );
}
