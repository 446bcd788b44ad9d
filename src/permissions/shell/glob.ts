/** What an unquoted `*`, `?` or `[…]` of a command expands to: bash's own rules, on the names that are there now. */
import { join, resolve } from 'node:path';

const MOST_MATCHES = 1000;

export const isGlob = (text: string): boolean =>
  text.includes('*') || text.includes('?') || text.includes('[');

/** The paths that an absolute pattern names; `undefined` when there are too many to look at each. */
export function expandGlob(
  pattern: string,
  entries: (directory: string) => readonly string[],
): readonly string[] | undefined {
  let found: string[] = ['/'];
  for (const segment of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    if (!isGlob(segment)) {
      found = found.map((directory) => resolve(directory, segment));
      continue;
    }
    const next: string[] = [];
    for (const directory of found) {
      for (const name of entries(directory)) {
        // A leading dot must be written out.
        if (name.startsWith('.') && !segment.startsWith('.')) continue;
        if (matchesSegment(segment, name)) next.push(join(directory, name));
        if (next.length > MOST_MATCHES) return undefined;
      }
    }
    found = next;
  }
  return found;
}

/** By what the locale makes of it: `?` stands for one character, or for one byte of it. */
export function matchesSegment(pattern: string, name: string): boolean {
  if (isAscii(name) || !/[?[]/.test(pattern)) return matchesUnits(pattern, name);
  return matchesUnits(Array.from(pattern), Array.from(name)) || matchesUnits(bytesOf(pattern), bytesOf(name));
}

const isAscii = (name: string): boolean => !/[^\0-\x7f]/.test(name);

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** One path segment against a pattern; backtracks to the last star only, so it is linear times stars. */
function matchesUnits(pattern: ArrayLike<string>, name: ArrayLike<string>): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const unit = pattern[p] === '[' ? bracketAt(pattern, p) : undefined;
    if (unit === 'unclear') return true;
    if (pattern[p] === '*') {
      star = p++;
      mark = n;
    } else if (unit?.holds(name[n] ?? '')) {
      p = unit.end;
      n++;
    } else if (unit === undefined && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

interface Bracket {
  readonly end: number;
  readonly holds: (char: string) => boolean;
}

/**
 * `[abc]`, `[a-c]`, `[!a]`; a `]` in first place is one of the characters. With `[.a.]`, `[=a=]` or `[:alpha:]` in it, it
 * may fit any character: this is used to find what may be named. `unclear`: where it ends cannot be said.
 */
function bracketAt(pattern: ArrayLike<string>, at: number): Bracket | 'unclear' | undefined {
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const from = at + (negated ? 2 : 1);
  const set: string[] = [];
  let isVague = false;
  for (let i = from; i < pattern.length; i++) {
    const char = pattern[i] ?? '';
    if (char === ']' && i > from)
      return { end: i + 1, holds: isVague ? () => true : (one) => isOneOf(set, one) !== negated };
    set.push(char);
    if (char !== '[') continue;
    isVague = true;
    const mark = pattern[i + 1] ?? '';
    if (mark !== '.' && mark !== '=' && mark !== ':') continue;
    i = endOfUnit(pattern, i + 2, mark);
    if (i < 0) return 'unclear';
  }
  return undefined;
}

/** Where `.]` and its like end what `[.` began. */
function endOfUnit(pattern: ArrayLike<string>, from: number, mark: string): number {
  for (let i = from; i + 1 < pattern.length; i++)
    if (pattern[i] === mark && pattern[i + 1] === ']') return i + 1;
  return -1;
}

function isOneOf(set: readonly string[], char: string): boolean {
  const code = codeOf(char);
  for (let i = 0; i < set.length; i++) {
    const from = set[i] ?? '';
    if (set[i + 1] === '-' && i + 2 < set.length) {
      if (codeOf(from) <= code && code <= codeOf(set[i + 2] ?? '')) return true;
      i += 2;
    } else if (from === char) {
      return true;
    }
  }
  return false;
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;
