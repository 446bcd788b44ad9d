/**
 * The content of `Bash(…)`: an exact command, a prefix (`x:*`, `x *`) or a text with stars.
 * Allow patterns meet one exact rendering of a command; deny and ask patterns meet every way to read it.
 */
import type { Behavior } from '../core/vocabulary.ts';
import { plainWords } from './shell/parse.ts';
import { compileWildcard, matchesWildcard, starsIn, type Wildcard } from './wildcard.ts';

export type CommandPattern =
  | { readonly kind: 'exact'; readonly text: string; readonly words: readonly string[] | undefined }
  /** The prefix alone, or the prefix, a blank and anything. */
  | { readonly kind: 'prefix'; readonly prefixes: readonly string[]; readonly plain: readonly string[] }
  | { readonly kind: 'stars'; readonly wildcard: Wildcard };

export function compileCommandPattern(content: string, list: Behavior): CommandPattern {
  // Blanks around an allow pattern are part of it and match nothing; a deny pattern must not be lost to one.
  const text = list === 'allow' ? content : collapseBlanks(content);
  if (text.endsWith(':*')) {
    const prefix = text.slice(0, -2);
    if (starsIn(prefix) === 0) return prefixPattern(prefix);
    // A star inside says nothing about what is allowed; what is denied is not to be lost to it.
    return list === 'allow' ? NOTHING : { kind: 'stars', wildcard: compileWildcard(`${prefix}*`) };
  }
  const stars = starsIn(text);
  if (stars === 0) {
    // An escaped star, or blanks that are not single, are compared as they are written.
    const literal = text.includes('\\*') || text !== collapseBlanks(text);
    return {
      kind: 'exact',
      text: list === 'allow' ? spacedOperators(text) : text,
      words: literal ? undefined : plainWords(text),
    };
  }
  if (stars === 1 && text.endsWith(' *')) {
    const prefix = text.slice(0, -2);
    // Beside the star at the end an escaped one is a star.
    return prefix.includes('\\*') ? plainPrefix(prefix.replaceAll('\\*', '*')) : prefixPattern(prefix);
  }
  return { kind: 'stars', wildcard: compileWildcard(text) };
}

const NOTHING: CommandPattern = { kind: 'prefix', prefixes: [], plain: [] };

const plainPrefix = (prefix: string): CommandPattern => ({
  kind: 'prefix',
  prefixes: [prefix],
  plain: [prefix],
});

function prefixPattern(prefix: string): CommandPattern {
  const words = prefix === collapseBlanks(prefix) ? plainWords(prefix) : undefined;
  return {
    kind: 'prefix',
    prefixes: words === undefined ? [prefix] : [...new Set([renderWords(words), prefix])],
    // For deny and ask: quotes are how a word is written, and no part of it.
    plain: [...new Set([prefix, ...(words === undefined ? [] : [words.join(' ')])])],
  };
}

/** One command as allow rules see it: `words` only where each is known exactly. */
export interface ExactCommand {
  /** As written, blanks between words collapsed. */
  readonly raw: string;
  /** Words after quote removal, quoted again where that is needed. */
  readonly rendered: string;
  readonly words: readonly string[] | undefined;
}

export function allowsCommand(pattern: CommandPattern, command: ExactCommand): boolean {
  switch (pattern.kind) {
    case 'exact':
      // What is quoted in the rule is quoted so in the command. Else the words decide: blanks in quotes are no blanks between words.
      if (/["'\\]/.test(pattern.text)) return pattern.text === command.raw;
      return pattern.words !== undefined && command.words !== undefined
        ? sameWords(pattern.words, command.words)
        : pattern.text === command.raw;
    case 'prefix':
      return pattern.prefixes.some((prefix) => hasPrefix(command.rendered, prefix));
    case 'stars':
      return (
        matchesWildcard(pattern.wildcard, command.rendered) ||
        (command.words !== undefined &&
          (matchesWildcard(pattern.wildcard, command.words.map(renderOption).join(' ')) ||
            fitsAsWritten(pattern.wildcard, command.raw)))
      );
  }
}

/** `Bash(x -m "*")` and `x -m "a b"`: with all quotes that the command has in the rule, the star stands for what is in them. */
function fitsAsWritten(wildcard: Wildcard, raw: string): boolean {
  const quotes = (text: string): number => text.replace(/[^"'\\]/g, '').length;
  const written = wildcard.pieces.join('*');
  return quotes(written) > 0 && quotes(written) === quotes(raw) && matchesWildcard(wildcard, raw);
}

/** `--message="a b"`: what is quoted of an option is its value. */
function renderOption(word: string): string {
  const name = /^--?[\w-]+=/.exec(word)?.[0] ?? '';
  return name + renderWord(word.slice(name.length));
}

/** For deny and ask: true when any of the texts fits. */
export function hitsCommand(pattern: CommandPattern, texts: readonly string[]): boolean {
  switch (pattern.kind) {
    case 'exact': {
      const plain = pattern.words?.join(' ');
      return texts.some((text) => text === pattern.text || text === plain);
    }
    case 'prefix':
      return texts.some((text) => pattern.plain.some((prefix) => hasPrefix(text, prefix)));
    case 'stars':
      return texts.some((text) => matchesWildcard(pattern.wildcard, text));
  }
}

/** For deny and ask: true when the pattern may fit a command that begins with this text and goes on in a way that is not known. */
export function mayHitCommand(pattern: CommandPattern, begin: string): boolean {
  const open = `${begin} `;
  // What is not known may be nothing at all.
  const goesOn = (text: string): boolean => text === begin || text.startsWith(open);
  switch (pattern.kind) {
    case 'exact':
      return goesOn(pattern.text) || goesOn(pattern.words?.join(' ') ?? pattern.text);
    case 'prefix':
      return pattern.plain.some(goesOn);
    case 'stars': {
      const first = pattern.wildcard.pieces[0] ?? '';
      return first.startsWith(open) || open.startsWith(first);
    }
  }
}

function hasPrefix(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && (text.length === prefix.length || text[prefix.length] === ' ');
}

function sameWords(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return (
    a !== undefined && b !== undefined && a.length === b.length && a.every((word, index) => word === b[index])
  );
}

export const collapseBlanks = (text: string): string => singleBlanks(text).trim();

/** Most texts have lone blanks alone, and stay. */
export const singleBlanks = (text: string): string =>
  /[ \t]{2}|\t/.test(text) ? text.replace(/[ \t]+/g, ' ') : text;

/** For what allows: to bash other blanks (U+00A0, U+FEFF, a carriage return) are part of a word. */
export function trimBlanks(text: string): string {
  const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\n';
  let from = 0;
  let end = text.length;
  while (from < end && isBlank(text[from])) from++;
  while (end > from && isBlank(text[end - 1])) end--;
  return text.slice(from, end);
}

/** Nothing in it is quoted or expanded, so that an operator is one wherever it stands. */
const PLAIN_TEXT = /^[\w .,:/@%+=;&|-]+$/;

/** `a&&b`, `a  && b` and `a && b` are one command. */
export function spacedOperators(text: string): string {
  return /[;&|]/.test(text) && PLAIN_TEXT.test(text)
    ? text.replace(/ *(&&|\|\||;) */g, (_, operator) => (operator === ';' ? '; ' : ` ${operator} `))
    : text;
}

/** The same for what restricts, which also holds for what is quoted: a blank on each side. */
export function paddedOperators(text: string): string {
  return /[;&|]/.test(text) ? collapseBlanks(text.replace(/&&|\|\||[;|]/g, ' $& ')) : text;
}

/** Words as one line that reads back as the same words. */
function renderWords(words: readonly string[]): string {
  return words.map(renderWord).join(' ');
}

export function renderWord(word: string): string {
  return /^[\p{L}\p{N}_.,:/@%+=^{}\-[\]!]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
