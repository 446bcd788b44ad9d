/**
 * Replaces text exactly: what is outside a match stays as it is, byte for byte.
 * A line end that the model wrote as \n stands for \r\n too, and what replaces it ends its lines like the match did.
 * Where the old text itself holds a \r, both texts are taken as they are.
 */

export type Replacement =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly matches: number };

/** `ok` when there is one match, or with `all` at least one. `oldText` must not be empty. */
export function replaceText(text: string, oldText: string, newText: string, all: boolean): Replacement {
  const isLiteral = oldText.includes('\r');
  const found = isLiteral ? findAll(text, oldText) : findAcrossLineEnds(text, oldText);
  if (found.length === 0 || (found.length > 1 && !all)) return { ok: false, matches: found.length };

  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of found) {
    const matched = text.slice(start, end);
    const nearby = lineEndNear(text, start, end);
    parts.push(
      text.slice(position, start),
      isLiteral ? newText : withLineEnds(newText, oldText, matched, nearby),
    );
    position = end;
  }
  return { ok: true, text: parts.join('') + text.slice(position) };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function findAll(text: string, wanted: string): Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + wanted.length)) {
    spans.push({ start, end: start + wanted.length });
  }
  return spans;
}

/** Searches the text with all its \r\n made \n, and says where in the text itself that is. */
function findAcrossLineEnds(text: string, wanted: string): Span[] {
  const found = findAll(text.replaceAll('\r\n', '\n'), wanted);
  let removed = 0;
  let next = text.indexOf('\r\n');
  // Called with growing positions only.
  const original = (position: number) => {
    while (next !== -1 && next - removed < position) {
      removed += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return position + removed;
  };
  return found.map(({ start, end }) => ({ start: original(start), end: original(end) }));
}

/** Lines that the old and the new text share at their start or end keep each its own end; new ones take the style nearby. */
function withLineEnds(newText: string, oldText: string, matched: string, nearby: string): string {
  const ends = matched.match(/\r?\n/g) ?? [];
  const oldLines = oldText.split('\n');
  const newLines = newText.split('\n');
  const leading = sharedLines(oldLines, newLines);
  const trailing = sharedLines(oldLines.toReversed(), newLines.toReversed());
  const sameCount = oldLines.length === newLines.length;

  let result = newLines[0] ?? '';
  for (let index = 1; index < newLines.length; index += 1) {
    const line = newLines[index - 1] ?? '';
    const fromEnd = newLines.length - index;
    const own =
      sameCount || index <= leading ? ends[index - 1] : fromEnd < trailing ? ends.at(-fromEnd) : undefined;
    // A \r that the model wrote itself is already there.
    result += line.endsWith('\r') ? '\n' : (own ?? ends.at(-1) ?? nearby);
    result += newLines[index] ?? '';
  }
  return result;
}

function sharedLines(a: readonly string[], b: readonly string[]): number {
  const difference = a.findIndex((line, index) => line !== b[index]);
  return difference === -1 ? a.length : difference;
}

/** The end of the line that holds the match; in the last line, that of the line before. */
function lineEndNear(text: string, start: number, end: number): string {
  const next = text.indexOf('\n', end);
  const newline = next === -1 ? text.lastIndexOf('\n', start) : next;
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
}

/** The line at which the text stands when blanks and line ends are not compared; undefined where it does not. */
export function lineButForBlanks(text: string, wanted: string): number | undefined {
  const bare = wanted.replace(/\s+/g, '');
  if (bare === '') return undefined;
  const at = text.replace(/\s+/g, '').indexOf(bare);
  if (at === -1) return undefined;
  let passed = 0;
  let line = 1;
  for (const character of text) {
    if (character === '\n') line += 1;
    if (/\s/.test(character)) continue;
    passed += character.length;
    if (passed > at) return line;
  }
  return undefined;
}
