/** The raw text cut at everything that may begin a command: what a parser that gave up leaves us. */
export function fragments(text: string): readonly (readonly string[])[] {
  return text
    .replace(/[<>]&\s*-/g, ' ')
    .split(/[;&|\n(){}`]+/)
    .map((piece) =>
      piece
        .trim()
        .split(/\s+/)
        .map((word) => word.replace(/["'\\$]/g, ''))
        .filter((word) => word !== ''),
    )
    .filter((words) => words.length > 0);
}
