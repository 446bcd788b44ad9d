/**
 * A path pattern with several `**`, segment by segment. As one regular expression each of them multiplies the work, so that
 * a line in a settings file could hold the gate up for hours; here the work is at most segments of the pattern times
 * segments of the path.
 */
import ignore from 'ignore';

interface Segment {
  /** `**`: any number of directories. */
  readonly any: boolean;
  matches(name: string): boolean;
}

/** Two and more: what the library does with one is quick. */
export function hasManyStars(pattern: string): boolean {
  const first = pattern.indexOf('**');
  if (first < 0 || pattern.indexOf('**', first + 2) < 0) return false;
  return segmentsOf(pattern).filter((segment) => segment === '**').length > 1;
}

/** Gitignore's answer for a pattern with a slash before its end: true when it covers the path or a directory above it. */
export function compileDeepPattern(pattern: string): (path: string) => boolean {
  const onlyDirectories = pattern.endsWith('/');
  const texts = segmentsOf(pattern);
  // `a/**` covers what is in `a`, not `a` itself.
  if (texts[texts.length - 1] === '**') texts.push('*');
  const segments = texts.map(compileSegment);
  return (path) => {
    const names = path.split('/').filter((name) => name !== '');
    // Places in the pattern that what was looked at so far may have led to.
    let places = reachedFrom([0], segments);
    for (const [index, name] of names.entries()) {
      const next = places.flatMap((place) => {
        const segment = segments[place];
        if (segment === undefined) return [];
        if (segment.any) return [place];
        return segment.matches(name) ? [place + 1] : [];
      });
      places = reachedFrom(next, segments);
      const isDirectory = index + 1 < names.length;
      if (places.includes(segments.length) && (isDirectory || !onlyDirectories)) return true;
    }
    return false;
  };
}

/** `**` may also stand for nothing. */
function reachedFrom(places: readonly number[], segments: readonly Segment[]): readonly number[] {
  const reached = new Set(places);
  for (const place of reached) if (segments[place]?.any) reached.add(place + 1);
  return [...reached];
}

/** `**` twice is `**` once. */
function segmentsOf(pattern: string): string[] {
  return pattern
    .split('/')
    .filter((segment) => segment !== '')
    .filter((segment, index, all) => segment !== '**' || all[index - 1] !== '**');
}

function compileSegment(text: string): Segment {
  if (text === '**') return { any: true, matches: () => true };
  // Blanks at the end of a whole pattern are dropped; of a segment they are a part.
  const pattern = `/${text.replace(/(?<!\\)(?: +)$/, (blanks) => '\\ '.repeat(blanks.length))}`;
  let one = ignore().add({ pattern });
  let asked = 0;
  return {
    any: false,
    matches(name) {
      // The library remembers every name.
      if (++asked > 2000) {
        one = ignore().add({ pattern });
        asked = 0;
      }
      return one.ignores(name);
    },
  };
}
