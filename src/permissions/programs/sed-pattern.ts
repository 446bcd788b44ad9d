/** Where a pattern of sed ends, and a text between delimiters: as GNU sed finds it, before anything of it has a meaning. */

/** A mark: with letters, blanks and brackets for delimiters nobody can say what is what. */
const DELIMITER = /^[!-/:-@^-`{-~]$/;

/** Behind the delimiter that ends a replacement or a text of `y`: a backslash takes the next character. -1 without one. */
export function afterString(text: string, from: number, delimiter: string): number {
  return afterDelimiter(text, from, delimiter, false);
}

/** The same for a pattern, where a delimiter in brackets is none. */
export function afterPattern(text: string, from: number, delimiter: string): number {
  return afterDelimiter(text, from, delimiter, true);
}

function afterDelimiter(text: string, from: number, delimiter: string, isPattern: boolean): number {
  if (!DELIMITER.test(delimiter)) return -1;
  for (let at = from; at >= 0 && at < text.length; at++) {
    const char = text[at];
    if (char === delimiter) return at + 1;
    if (char === '\n') return -1;
    if (char === '\\') at++;
    else if (char === '[' && isPattern) at = closingBracket(text, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

/**
 * Where `[…]` closes; -1 without an end. A `]` that comes first is a member, and so is what `[:alpha:]`, `[.x.]` and `[=x=]`
 * hold. `[[:a::]` goes on: sed sees no end of a class there.
 */
function closingBracket(text: string, from: number): number {
  let at = from;
  if (text[at] === '^') at++;
  if (text[at] === ']') at++;
  let state: 'members' | 'opened' | 'class' | 'closing' = 'members';
  let kind = '';
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n') return -1;
    if (char === ']' && (state === 'members' || state === 'opened')) return at;
    if (char === '[' && state === 'members') state = 'opened';
    else if (state === 'opened' && ':.='.includes(char)) {
      state = 'class';
      kind = char;
    } else if (state === 'opened') state = char === '[' ? 'opened' : 'members';
    else if (state === 'class') state = char === kind ? 'closing' : 'class';
    else if (state === 'closing') state = char === ']' ? 'members' : char === '[' ? 'closing' : 'class';
  }
  return -1;
}
