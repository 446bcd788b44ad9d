/** What an unquoted `*`, `?` or `[…]` of a command expands to: bash's own rules, on the names that are there now. */
import { join, resolve } from 'node:path';

const MOST_MATCHES = 1000;

export const isGlob = (text: string): boolean => /[*?[]/.test(text);

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

/** One path segment against a pattern; backtracks to the last star only, so it is linear times stars. */
export function matchesSegment(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const unit = pattern[p] === '[' ? bracketAt(pattern, p) : undefined;
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

/** `[abc]`, `[a-c]`, `[!a]`. Character classes count as a match: this is used to find what may be named. */
function bracketAt(
  pattern: string,
  at: number,
): { end: number; holds: (char: string) => boolean } | undefined {
  const close = pattern.indexOf(']', at + 2);
  if (close < 0) return undefined;
  const body = pattern.slice(at + 1, close);
  if (body.includes('[')) return { end: close + 1, holds: () => true };
  const negated = /^[!^]/.test(body);
  const set = negated ? body.slice(1) : body;
  const holds = (char: string): boolean => {
    for (let i = 0; i < set.length; i++) {
      const from = set[i] ?? '';
      if (set[i + 1] === '-' && i + 2 < set.length) {
        if (from <= char && char <= (set[i + 2] ?? '')) return true;
        i += 2;
      } else if (from === char) {
        return true;
      }
    }
    return false;
  };
  return { end: close + 1, holds: (char) => holds(char) !== negated };
}
