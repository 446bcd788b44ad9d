/**
 * Shapes of tokens that a user wants masked: a fixed beginning, then classes of characters with counts, as in
 * `itk_[A-Za-z0-9]{32}`. Less than a regular expression, on purpose: matching takes time that grows with the text only, and
 * a match holds neither a blank nor a character that means something to a shell, so that masking hides nothing that ran.
 */

export interface TokenPattern {
  readonly name: string;
  /** As written. */
  readonly source: string;
  /** How each token begins. */
  readonly prefix: string;
  readonly parts: readonly Part[];
}

/** So many characters of this class, as many as there are; only the last part has no upper bound. */
interface Part {
  /** 1 for each code of a character that it has. */
  readonly codes: Uint8Array;
  readonly least: number;
  readonly most: number;
}

interface ReadPart extends Omit<Part, 'codes'> {
  readonly has: ReadonlySet<string>;
  /** Where it begins in the pattern. */
  readonly at: number;
}

export type ParsedPattern =
  | { readonly ok: true; readonly pattern: TokenPattern }
  /** `at` counts characters of the pattern from 0. */
  | { readonly ok: false; readonly at: number; readonly problem: string };

/** What tokens are made of. */
const TOKEN_CHARACTERS = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/=:@%,~');
const SHORTEST_PREFIX = 3;
/** Shorter ones are words. */
const SHORTEST_TOKEN = 8;
/** Of a part that is not the last one, and of all parts at least: what one try may cost. */
const LONGEST_PART = 256;

class Fault extends Error {
  readonly at: number;
  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

export function parseTokenPattern(name: string, source: string): ParsedPattern {
  try {
    return { ok: true, pattern: { name, source, ...parse(source) } };
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, at: fault.at, problem: fault.message };
    throw fault;
  }
}

function parse(source: string): { prefix: string; parts: readonly Part[] } {
  const parts: (ReadPart & { single: string | undefined })[] = [];
  for (let at = 0; at < source.length; ) {
    const atom = source[at] === '[' ? readClass(source, at) : readCharacter(source, at);
    const count = readCount(source, atom.end);
    const single = atom.has.size === 1 ? [...atom.has][0] : undefined;
    parts.push({ has: atom.has, least: count.least, most: count.most, at, single });
    at = count.end;
  }
  const isFixed = ({ single, least, most }: (typeof parts)[number]) =>
    single !== undefined && least === 1 && most === 1;
  const end = parts.findIndex((part) => !isFixed(part));
  const fixed = parts.slice(0, end === -1 ? parts.length : end);
  const rest = parts.slice(fixed.length);
  if (fixed.length < SHORTEST_PREFIX)
    throw new Fault(0, `a token's shape begins with at least ${SHORTEST_PREFIX} fixed characters`);
  for (const [index, part] of rest.entries()) checkPart(part, rest.slice(index + 1));
  const least = rest.reduce((sum, part) => sum + part.least, fixed.length);
  if (least < SHORTEST_TOKEN)
    throw new Fault(
      source.length,
      `it fits ${least} characters; what is masked has at least ${SHORTEST_TOKEN}`,
    );
  if (least > LONGEST_PART)
    throw new Fault(source.length, `it asks for more than ${LONGEST_PART} characters`);
  return {
    prefix: fixed.map(({ single }) => single).join(''),
    parts: rest.map(({ has, least: from, most }) => ({ codes: codesOf(has), least: from, most })),
  };
}

/** All token characters are ASCII. */
function codesOf(has: ReadonlySet<string>): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of has) codes[character.charCodeAt(0)] = 1;
  return codes;
}

/** As many as there are must be right: what follows may not begin with a character of the part itself. */
function checkPart(part: ReadPart, following: readonly ReadPart[]): void {
  if (following.length === 0) return;
  if (part.most > LONGEST_PART)
    throw new Fault(part.at, `only the last part may have more than ${LONGEST_PART} characters`);
  if (part.least === part.most) return;
  for (const next of following) {
    if ([...next.has].some((character) => part.has.has(character)))
      throw new Fault(
        part.at,
        'where this part ends cannot be told: what follows begins with the same characters',
      );
    if (next.least > 0) return;
  }
}

interface Atom {
  readonly has: ReadonlySet<string>;
  readonly end: number;
}

const NAMED_CLASSES: Readonly<Record<string, string>> = {
  d: '0123456789',
  w: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_',
};

function readCharacter(source: string, at: number): Atom {
  const character = source[at] ?? '';
  if (character !== '\\') {
    if ('.+'.includes(character))
      throw new Fault(at, `write ${JSON.stringify(`\\${character}`)} for the character itself`);
    return { has: new Set([checked(character, at)]), end: at + 1 };
  }
  const escaped = source[at + 1] ?? '';
  const named = NAMED_CLASSES[escaped];
  if (named !== undefined) return { has: new Set(named), end: at + 2 };
  if (/[A-Za-z0-9]/.test(escaped)) throw new Fault(at, `\\${escaped} is not known here; \\d and \\w are`);
  return { has: new Set([checked(escaped, at)]), end: at + 2 };
}

function readClass(source: string, begin: number): Atom {
  const has = new Set<string>();
  if (source[begin + 1] === '^') throw new Fault(begin, 'a class names the characters that it has');
  let at = begin + 1;
  while (source[at] !== ']') {
    if (at >= source.length) throw new Fault(begin, 'the class has no end');
    const from =
      source[at] === '\\'
        ? readCharacter(source, at)
        : { has: new Set([checked(source[at] ?? '', at)]), end: at + 1 };
    const isRange = source[from.end] === '-' && source[from.end + 1] !== ']' && from.has.size === 1;
    for (const character of isRange ? range(source, at, from.end + 1) : from.has) has.add(character);
    at = isRange ? from.end + 2 : from.end;
  }
  if (has.size === 0) throw new Fault(begin, 'the class is empty');
  return { has, end: at + 1 };
}

function range(source: string, from: number, to: number): readonly string[] {
  const [first = '', last = ''] = [source[from], source[to]];
  const isKnown = [/[a-z]/, /[A-Z]/, /[0-9]/].some((kind) => kind.test(first) && kind.test(last));
  if (!isKnown || first > last)
    throw new Fault(from, 'a range goes from a letter to a letter, or a digit to a digit');
  const start = first.charCodeAt(0);
  return Array.from({ length: last.charCodeAt(0) - start + 1 }, (_, index) =>
    String.fromCharCode(start + index),
  );
}

function checked(character: string, at: number): string {
  if (TOKEN_CHARACTERS.has(character)) return character;
  if ('()|*?{}^$'.includes(character) && character !== '')
    throw new Fault(
      at,
      `${JSON.stringify(character)} cannot stand here: a shape is characters, classes and counts`,
    );
  throw new Fault(at, `${JSON.stringify(character)} is in no token: masking must not hide what ran`);
}

function readCount(source: string, at: number): { least: number; most: number; end: number } {
  const sign = source[at];
  if (sign === '?') return { least: 0, most: 1, end: at + 1 };
  if (sign === '*' || sign === '+')
    return { least: sign === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY, end: at + 1 };
  if (sign !== '{') return { least: 1, most: 1, end: at };
  const braces = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(source.slice(at));
  if (braces === null) throw new Fault(at, 'a count is {n}, {n,} or {n,m}');
  const [text, least = '', more, most] = braces;
  const upper = more === undefined ? Number(least) : most ? Number(most) : Number.POSITIVE_INFINITY;
  if (upper < Number(least) || upper === 0) throw new Fault(at, 'the count fits nothing');
  return { least: Number(least), most: upper, end: at + text.length };
}

/** Puts `shown` in place of each token. */
export function maskPattern(
  text: string,
  { name, prefix, parts }: TokenPattern,
  shown: (name: string, token: string) => string,
): string {
  let masked = '';
  let kept = 0;
  for (let at = text.indexOf(prefix); at !== -1; ) {
    const end = matchEnd(text, at + prefix.length, parts);
    if (end !== undefined) {
      masked += text.slice(kept, at) + shown(name, text.slice(at, end));
      kept = end;
    }
    at = text.indexOf(prefix, end ?? at + 1);
  }
  return masked + text.slice(kept);
}

function matchEnd(text: string, from: number, parts: readonly Part[]): number | undefined {
  let at = from;
  for (const { codes, least, most } of parts) {
    let count = 0;
    while (count < most && codes[text.charCodeAt(at)] === 1) {
      at += 1;
      count += 1;
    }
    if (count < least) return undefined;
  }
  return at;
}
