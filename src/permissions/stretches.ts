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
    const tokens = text.split(/(&&|\|\||[;|])|[\n(){}`]/).map((token) => collapseBlanks(token ?? ';'));
    isCut ||= tokens.length > 2 * MOST_PARTS;
    const parts = tokens.slice(0, 2 * MOST_PARTS);
    for (let from = 0; from < parts.length; from += 2) {
      let stretch = parts[from]?.replace(KEYWORDS, '') ?? '';
      texts.add(stretch);
      for (let at = from + 2; at < parts.length; at += 2) {
        stretch += ` ${parts[at - 1]} ${parts[at]}`;
        texts.add(stretch);
      }
    }
  }
  return { texts: [...texts], isCut };
}

/** Words that a command follows. */
const KEYWORDS = /^(?:(?:if|then|elif|else|do|while|until|time|!) +)+/;

/** A rule, or a text, of more than one command. */
export const JOINS = /[;&|\n]/;
