/**
 * Glob patterns, read and matched: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `{1..9}`, `**` as a whole segment, `\` before a
 * character that is meant as it is; everything else, parentheses too, stands for itself. Matched here and not by a
 * library's regular expression: a pattern that the model writes must not cost more than its length times the path's.
 */
import { endOfClass, expandBraces, MAX_ALTERNATIVES } from './glob-braces.ts';

const MAX_LENGTH = 1000;
/** Stars within one segment, and `**` within one pattern. */
const MAX_STARS = 10;

type Token =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'class';
      readonly ranges: readonly (readonly [string, string])[];
      readonly negated: boolean;
    };

/** One segment of a path; `deep` stands for any number of them. */
export type Segment =
  | { readonly kind: 'deep' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'tokens'; readonly tokens: readonly Token[] };

export type Alternative = readonly Segment[];

export type ParsedPattern =
  | {
      readonly ok: true;
      /** The leading names that all alternatives share: the directory to search. */
      readonly base: readonly string[];
      /** Without the base; never empty ones. */
      readonly alternatives: readonly Alternative[];
    }
  | { readonly ok: false; readonly leadsOut: boolean; readonly problem: string };

export function parsePattern(pattern: string): ParsedPattern {
  if (pattern.length > MAX_LENGTH) return refused(`is longer than ${MAX_LENGTH} characters`);
  const texts = expandBraces(pattern);
  if (texts === undefined) return refused(`has braces that stand for more than ${MAX_ALTERNATIVES} patterns`);
  if (texts.some((text) => text.startsWith('/') || text.split('/').includes('..')))
    return { ok: false, leadsOut: true, problem: 'leads out' };
  const alternatives = [...new Set(texts)].map(segmentsOf).filter((segments) => segments.length > 0);
  if (alternatives.some((segments) => segments.some(isUp)))
    return { ok: false, leadsOut: true, problem: 'leads out' };
  if (alternatives.some(hasTooManyStars))
    return refused(`has more than ${MAX_STARS} stars in one part, or more than ${MAX_STARS} times **`);
  const base = sharedNames(alternatives);
  return { ok: true, base, alternatives: alternatives.map((segments) => segments.slice(base.length)) };
}

function refused(problem: string): ParsedPattern {
  return { ok: false, leadsOut: false, problem };
}

function isUp(segment: Segment): boolean {
  return segment.kind === 'name' && segment.name === '..';
}

/** Empty where nothing can match: an empty pattern, or one that ends in a slash and so names a directory. */
function segmentsOf(text: string): Alternative {
  if (text.endsWith('/')) return [];
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  // What is looked for is a file below: `a/**` is `a/**/*`.
  if (parts.at(-1) === '**') parts.push('*');
  const segments = parts.map(segmentOf);
  return segments.filter(({ kind }, index) => kind !== 'deep' || segments[index - 1]?.kind !== 'deep');
}

function segmentOf(text: string): Segment {
  if (text === '**') return { kind: 'deep' };
  const tokens = tokensOf(text);
  const characters = tokens.flatMap((token) => (token.kind === 'character' ? [token.character] : []));
  return characters.length === tokens.length
    ? { kind: 'name', name: characters.join('') }
    : { kind: 'tokens', tokens };
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '[' ? endOfClass(text, at) : undefined;
    if (end !== undefined) {
      tokens.push(classOf(text.slice(at + 1, end - 1)));
      at = end;
      continue;
    }
    if (text[at] === '\\' && at + 1 < text.length) at += 1;
    else if (text[at] === '*' || text[at] === '?') {
      const kind = text[at] === '*' ? 'any' : 'one';
      if (kind !== 'any' || tokens.at(-1)?.kind !== 'any') tokens.push({ kind });
      at += 1;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    tokens.push({ kind: 'character', character });
    at += character.length;
  }
  return tokens;
}

/** `text` is what stands between the brackets. */
function classOf(text: string): Token {
  const negated = /^[!^]/.test(text);
  const members: string[] = [];
  const escaped = new Set<number>();
  const characters = Array.from(negated ? text.slice(1) : text);
  for (let at = 0; at < characters.length; at += 1) {
    if (characters[at] === '\\' && at + 1 < characters.length) {
      at += 1;
      escaped.add(members.length);
    }
    members.push(characters[at] ?? '');
  }
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const first = members[at] ?? '';
    const last = members[at + 2];
    if (members[at + 1] === '-' && !escaped.has(at + 1) && last !== undefined) {
      ranges.push([first, last]);
      at += 2;
    } else ranges.push([first, first]);
  }
  return { kind: 'class', ranges, negated };
}

function hasTooManyStars(segments: Alternative): boolean {
  if (segments.filter(({ kind }) => kind === 'deep').length > MAX_STARS) return true;
  return segments.some(
    (segment) =>
      segment.kind === 'tokens' && segment.tokens.filter(({ kind }) => kind === 'any').length > MAX_STARS,
  );
}

/** Never the last segment: that one is looked for in the directory. */
function sharedNames(alternatives: readonly Alternative[]): readonly string[] {
  const [first = [], ...others] = alternatives;
  const names: string[] = [];
  for (const [index, segment] of first.entries()) {
    if (segment.kind !== 'name') break;
    const isShared = others.every((other) => {
      const same = other[index];
      return same?.kind === 'name' && same.name === segment.name && index < other.length - 1;
    });
    if (!isShared || index === first.length - 1) break;
    names.push(segment.name);
  }
  return names;
}

/** `path` is relative, with slashes. */
export function fitsPattern(alternatives: readonly Alternative[], path: string): boolean {
  const names = path.split('/');
  const characters = names.map((name) => Array.from(name));
  return alternatives.some((segments) =>
    fitsGreedily(
      segments,
      names.length,
      (segment) => segment.kind === 'deep',
      (segment, index) => {
        if (segment.kind === 'name') return segment.name === names[index];
        return segment.kind === 'tokens' && fitsName(segment.tokens, characters[index] ?? []);
      },
    ),
  );
}

function fitsName(tokens: readonly Token[], name: readonly string[]): boolean {
  return fitsGreedily(
    tokens,
    name.length,
    ({ kind }) => kind === 'any',
    (token, index) => fitsCharacter(token, name[index] ?? ''),
  );
}

function fitsCharacter(token: Token, character: string): boolean {
  if (token.kind === 'character') return token.character === character;
  if (token.kind !== 'class') return true;
  const point = (text: string) => text.codePointAt(0) ?? 0;
  const isMember = token.ranges.some(
    ([first, last]) => point(first) <= point(character) && point(character) <= point(last),
  );
  return isMember !== token.negated;
}

/**
 * Wildcard matching without a stack of choices: after a wildcard the first fit of what follows is taken, and only the
 * last wildcard is ever extended. At most the product of the two lengths.
 */
function fitsGreedily<Part>(
  parts: readonly Part[],
  length: number,
  isWildcard: (part: Part) => boolean,
  fits: (part: Part, index: number) => boolean,
): boolean {
  let part = 0;
  let index = 0;
  let retryPart = -1;
  let retryIndex = 0;
  while (index < length) {
    const current = parts[part];
    if (current !== undefined && isWildcard(current)) {
      retryPart = part;
      retryIndex = index;
      part += 1;
    } else if (current !== undefined && fits(current, index)) {
      part += 1;
      index += 1;
    } else if (retryPart >= 0) {
      retryIndex += 1;
      index = retryIndex;
      part = retryPart + 1;
    } else return false;
  }
  return parts.slice(part).every(isWildcard);
}
