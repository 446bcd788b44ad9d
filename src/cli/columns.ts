/** Text for terminals of 80 columns. */

export const COLUMNS = 80;

/** Lines of at most 80 columns, broken at blanks, all behind the same margin; a word that is longer stays whole. */
export function wrapped(text: string, margin: string, first = margin): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((word) => word !== '')) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = margin;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Cut to `width`, at its end or at its beginning, and filled up. */
export function cell(text: string, width: number, cut: 'end' | 'start' = 'end'): string {
  if (text.length <= width) return text.padEnd(width);
  return cut === 'end' ? `${text.slice(0, width - 1)}…` : `…${text.slice(text.length - width + 1)}`;
}

/** `1 rule`, `2 rules`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
