/** How wide text is on a terminal, and text cut to a width. */

/** At most: what is not ASCII may take two columns, so a row is cut too early rather than too late. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

function widthOf(character: string): number {
  return character <= '\u007e' ? 1 : 2;
}

/** All of the line, in rows of at most so many columns. */
export function cut(line: string, columns: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const width = widthOf(character);
    if (used + width > columns && row !== '') {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += character;
    used += width;
  }
  return [...rows, row];
}

/** The beginning of the line, with a sign where something is left out. */
export function shortened(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  return `${cut(line, Math.max(1, columns - 2))[0] ?? ''}…`;
}
