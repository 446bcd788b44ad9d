/** The raw text cut at everything that may begin a command: what a parser that gave up leaves us. */
export interface Fragments {
  /** Each once, the shortest first: a very long one uses up what is looked at. */
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
    if (++count > most) return { all: shortestFirst(found), isCut: true };
    found.set(words.join(' '), words);
    const command = words.slice(words.findIndex((word) => !BEFORE_COMMANDS.test(word)));
    if (command.length < words.length) found.set(command.join(' '), command);
  }
  return { all: shortestFirst(found), isCut: false };
}

const shortestFirst = (found: ReadonlyMap<string, readonly string[]>): Fragments['all'] =>
  [...found.values()].sort((one, other) => one.length - other.length);

/** Keywords that a command follows. */
const BEFORE_COMMANDS = /^(?:if|then|elif|else|do|while|until|time|!)$/;

const wordsOf = (piece: string): readonly string[] =>
  piece
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/["'\\$]/g, ''))
    .filter((word) => word !== '');
