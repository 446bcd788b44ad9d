/**
 * What stands between the operators of a text, alone and with what follows: a rule about `a | b` is about it wherever in a
 * command it stands. Only for rules that restrict: operators in quotes count, too.
 */
import { collapseBlanks } from './command-rule.ts';
import type { Reach } from './reach.ts';

/** The square of it is looked at. */
const MOST_PARTS = 64;

export interface Stretches {
  readonly texts: readonly string[];
  /** There are more than are looked at. */
  readonly isCut: boolean;
}

/** Of the whole text, and of code that it holds. */
export function stretchesOf(command: string, { readings }: Reach): Stretches {
  const inside = readings.flatMap(({ words }) => words.filter((word) => JOINS.test(word)));
  const texts = new Set<string>();
  let isCut = false;
  for (const text of new Set([command, ...inside])) {
    // Parts and the operators behind them take turns.
    const tokens = plainOperators(text)
      .split(/(&&|\|\||[;|])|[\n(){}`]/)
      .map((token) => collapseBlanks(token ?? ';'));
    isCut ||= tokens.length > 2 * MOST_PARTS;
    const parts = tokens.slice(0, 2 * MOST_PARTS);
    for (let from = 0; from < parts.length; from += 2) {
      let stretch = bare(parts[from] ?? '');
      texts.add(stretch);
      for (let at = from + 2; at < parts.length; at += 2) {
        stretch += ` ${parts[at - 1]} ${bare(parts[at] ?? '')}`;
        texts.add(stretch);
      }
    }
  }
  return { texts: [...texts], isCut };
}

/** Without what may stand behind an operator before its command: a comment, the end of the line, brackets. `&` parts, too. */
const plainOperators = (text: string): string =>
  text
    .replace(/\\\n/g, ' ')
    .replace(/(^|[\s;&|])#[^\n]*/g, '$1')
    .replace(/\|&/g, '|')
    .replace(/(?<![<>&])&(?![&>])/g, ';')
    .replace(/(&&|\|\||[;|])[\s({]+/g, '$1 ');

/** Without keywords and assignments, which a command follows. */
const bare = (part: string): string =>
  part.replace(/^(?:(?:if|then|elif|else|do|while|until|time(?: -p)?|!|[A-Za-z_]\w*=\S*) +)+/, '');

/** A rule, or a text, of more than one command. */
export const JOINS = /[;&|\n]/;
