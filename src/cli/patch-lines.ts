/** The change that an Edit or Write made, as short lines of a unified diff. */
import type { JsonObject } from '../core/vocabulary.ts';
import { type Colours, oneLine } from './output.ts';
import { at, list, text } from './record-words.ts';
import { shortened } from './width.ts';

/** A person who wants to see more of a change looks at the file. */
const MOST_LINES = 24;
const LONGEST_LINE = 400;
const INDENT = '    ';

interface Row {
  readonly mark: string;
  readonly number: number | undefined;
  readonly text: string;
}

/** Nothing where the response tells no change. `columns`: no line is wider. */
export function patchLines(
  response: JsonObject | undefined,
  columns: number,
  colours: Colours,
): readonly string[] {
  const rows = list(at(response, 'structuredPatch')).flatMap(hunkRows);
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MOST_LINES);
  const digits = Math.max(...shown.map(({ number }) => String(number ?? '').length));
  const added = rows.filter(({ mark }) => mark === '+').length;
  const removed = rows.filter(({ mark }) => mark === '-').length;
  const left = rows.length - shown.length;
  const paint = { '+': colours.green, '-': colours.red, ' ': colours.dim } as const;
  return [
    colours.dim(`${INDENT}+${added} -${removed}`),
    ...shown.map(({ mark, number, text }) => {
      const line = `${INDENT}${String(number ?? '').padStart(digits)} ${mark} ${oneLine(text, LONGEST_LINE)}`;
      return (paint[mark as '+'] ?? colours.dim)(shortened(line, columns));
    }),
    ...(left > 0 ? [colours.dim(`${INDENT}… ${left} more lines`)] : []),
  ];
}

/** Numbered as in the new file; lines that are gone, as in the old one. */
function hunkRows(hunk: unknown): readonly Row[] {
  let old = Number(at(hunk, 'oldStart'));
  let now = Number(at(hunk, 'newStart'));
  return list(at(hunk, 'lines')).map((line) => {
    const mark = text(line).slice(0, 1);
    const words = text(line).slice(1).replaceAll('\t', '    ').replace(/\r$/, '');
    const counted = mark === '-' ? old : mark === '+' || mark === ' ' ? now : undefined;
    if (mark === '-' || mark === ' ') old += 1;
    if (mark === '+' || mark === ' ') now += 1;
    return { mark, number: counted, text: words };
  });
}
