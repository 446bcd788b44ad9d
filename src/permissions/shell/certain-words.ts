/** Words that are no plain text and yet known for certain: an unset variable, characters that no rule is written with. */
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';

/** No mark that bash acts on; beyond ASCII it acts on none. Control characters are refused before. */
const UNUSUAL_TEXT = /^(?:[\p{L}\p{N}_.,:/@%+=^\-!\]]|[\u00a0-\u{10ffff}])+$/u;

/** The words that bash makes of it, also none; `undefined` where that is known only when it runs. */
export function certainWords(
  { text, parts = [] }: Word,
  unset: ReadonlySet<string>,
): readonly string[] | undefined {
  if (UNUSUAL_TEXT.test(text)) return [text];
  const [part, ...more] = parts;
  if (part === undefined || more.length > 0) return undefined;
  if (part.type !== 'DoubleQuoted') return isUnset(part, unset) ? [] : undefined;
  const [inner, ...others] = part.parts;
  return inner !== undefined && others.length === 0 && isUnset(inner, unset) ? [''] : undefined;
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
