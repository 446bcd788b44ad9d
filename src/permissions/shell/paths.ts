/** The absolute paths that a word of a command may name. */
import { resolve } from 'node:path';
import type { Place } from '../place.ts';
import { isGlob } from './glob.ts';

/** The system refuses a longer one. */
export const LONGEST_PATH = 4096;

/** For deny and ask rules: every directory the command may run in, globs expanded, `/proc/self/cwd` seen through. */
export function pathsNamed(word: string, cwds: readonly string[], place: Place): readonly string[] {
  return place.named(word, cwds, () => namedBy(word, cwds, place));
}

function namedBy(word: string, cwds: readonly string[], place: Place): readonly string[] {
  const found = new Set<string>();
  if (word.length > LONGEST_PATH) return [];
  for (const cwd of cwds) {
    const seen = seeThrough(word, cwd, place.workplace.home);
    const path = resolve(cwd, seen);
    found.add(path);
    found.add(place.follow(cwd, seen) ?? path);
    if (!isGlob(word) || place.isLiteral(word)) continue;
    for (const match of place.expand(path) ?? []) found.add(match);
  }
  return [...found];
}

function seeThrough(word: string, cwd: string, home: string): string {
  if (word === '~' || word.startsWith('~/')) return home + word.slice(1);
  const proc = /^\/proc\/(?:self|thread-self|\d+)\/(cwd|root)(?=\/|$)/.exec(word);
  if (proc === null) return word;
  return (proc[1] === 'cwd' ? cwd : '') + word.slice(proc[0].length) || '/';
}

/** True when the word is a pattern with more matches than are looked at. */
export function hasTooManyMatches(word: string, cwds: readonly string[], place: Place): boolean {
  return (
    isGlob(word) &&
    !place.isLiteral(word) &&
    cwds.some((cwd) => place.expand(resolve(cwd, seeThrough(word, cwd, place.workplace.home))) === undefined)
  );
}
