/**
 * Patterns with `*` (any run of characters, also none), matched in time linear in text times stars.
 * Settings text never becomes a regular expression: nobody can write a rule that hangs the gate.
 */

export interface Wildcard {
  /** The literal runs between the stars; one more than there are stars. */
  readonly pieces: readonly string[];
}

/** `\*` is a literal star; everything else stands for itself. */
export function compileWildcard(pattern: string): Wildcard {
  const pieces: string[] = [];
  let piece = '';
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === '\\' && pattern[i + 1] === '*') {
      piece += '*';
      i++;
    } else if (pattern[i] === '*') {
      pieces.push(piece);
      piece = '';
    } else {
      piece += pattern[i];
    }
  }
  pieces.push(piece);
  return { pieces };
}

/** How many stars of the pattern are not escaped. */
export function starsIn(pattern: string): number {
  return compileWildcard(pattern).pieces.length - 1;
}

export function matchesWildcard({ pieces }: Wildcard, text: string): boolean {
  const first = pieces[0] ?? '';
  if (pieces.length === 1) return text === first;
  const last = pieces[pieces.length - 1] ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  // Each middle piece at its earliest place leaves the most room for the rest, so no backtracking is needed.
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
