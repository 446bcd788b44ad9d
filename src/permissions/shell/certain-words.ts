/** Words that are no plain text and yet known for certain: an unset variable, a list in braces, characters that no rule is written with. */
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import type { ShellState } from './word.ts';

/** No mark that bash acts on; beyond ASCII it acts on none. Control characters are refused before. */
const UNUSUAL_TEXT = /^(?:[\p{L}\p{N}_.,:/@%+=^\-!\]]|[\u00a0-\u{10ffff}])+$/u;

/** `"a$"`, `^a$`: a dollar that no name, bracket or mark of a parameter follows is itself, and all else is plain or quoted. */
const LONE_DOLLAR =
  /^(?:[\p{L}\p{N}_.,:/@%+=^-]|\\[^\n]|'[^']*'|"(?:[^"\\$`]|\\[^\n]|\$(?![\w{([*@#?$!'-]))*"|\$$)*$/u;

/** Nothing but plain names and lists of them in braces, one level deep. */
const BRACES = /^(?:[\w./:@%+-]|\{[\w./:@%+-]*(?:,[\w./:@%+-]*)+\})+$/;
const MOST_WORDS = 32;

/** The words that bash makes of it, also none; `undefined` where that is known only when it runs. */
export function certainWords(
  { text, value, parts = [] }: Word,
  { unset, braces }: Pick<ShellState, 'unset' | 'braces'>,
): readonly string[] | undefined {
  if (UNUSUAL_TEXT.test(text)) return [text];
  if (LONE_DOLLAR.test(text)) return [value];
  if (braces && BRACES.test(text)) return alternatives(text);
  const [part, ...more] = parts;
  if (part === undefined || more.length > 0) return undefined;
  if (part.type !== 'DoubleQuoted') return isUnset(part, unset) ? [] : undefined;
  const [inner, ...others] = part.parts;
  return inner !== undefined && others.length === 0 && isUnset(inner, unset) ? [''] : undefined;
}

/** `a{b,c}{d,e}` → abd, abe, acd, ace. */
function alternatives(text: string): readonly string[] | undefined {
  let words: readonly string[] = [''];
  for (const piece of text.split(/(?=\{)|(?<=\})/)) {
    const choices = piece.startsWith('{') ? piece.slice(1, -1).split(',') : [piece];
    if (words.length * choices.length > MOST_WORDS) return undefined;
    words = words.flatMap((word) => choices.map((choice) => word + choice));
  }
  return words.filter((word) => word !== '');
}

function isUnset(part: WordPart | DoubleQuotedChild, unset: ReadonlySet<string>): boolean {
  if (part.type === 'SimpleExpansion') return unset.has(part.text.slice(1));
  return (
    part.type === 'ParameterExpansion' &&
    part.operation === undefined &&
    part.text === `\${${part.parameter}}` &&
    unset.has(part.parameter)
  );
}

/** Ends with a part of a variable's value, which nobody cuts here; only `${dir%/}` is as good as the whole. */
export const cutsValue = (text: string): boolean => CUTS.test(text);

const CUTS = /\$\{!?\w+(?!%%?\/\})(?:[%#/^,@]|:[\d -])[^}]*\}["/*.]*$/;
