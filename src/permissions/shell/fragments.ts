/** The raw text cut at everything that may begin a command: what a parser that gave up leaves us. */
export interface Fragments {
  /** Each once. */
  readonly all: readonly (readonly string[])[];
  /** There are more than were looked at. */
  readonly isCut: boolean;
}

export function fragments(text: string, most: number): Fragments {
  const found = new Map<string, readonly string[]>();
  let count = 0;
  for (const piece of text.replace(/[<>]&\s*-/g, ' ').split(/[;&|\n(){}`]+/)) {
    const words = wordsOf(piece);
    if (words.length === 0) continue;
    if (++count > most) return { all: [...found.values()], isCut: true };
    found.set(words.join(' '), words);
  }
  return { all: [...found.values()], isCut: false };
}

const wordsOf = (piece: string): readonly string[] =>
  piece
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/["'\\$]/g, ''))
    .filter((word) => word !== '');
