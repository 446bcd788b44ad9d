/** `{a,b}` and `{1..9}` in a glob pattern → one pattern for each choice. Counted before anything is written out. */

/** Of one pattern; a product that grows beyond it is refused. */
export const MAX_ALTERNATIVES = 1000;

/** A run of pieces; each is a text, or a choice between runs. */
type Run = readonly (string | readonly Run[])[];

/** Undefined when there would be more than MAX_ALTERNATIVES. What is no choice (`{a}`, `{` alone) stays text. */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const run = readRun(pattern);
  return run === undefined || countOf(run) > MAX_ALTERNATIVES ? undefined : textsOf(run);
}

function readRun(text: string): Run | undefined {
  const pieces: (string | readonly Run[])[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const parts = text[at] === '{' ? partsAt(text, at) : undefined;
    const choices = parts === undefined ? [] : choicesOf(parts.texts);
    if (choices === undefined) return undefined;
    if (parts !== undefined && choices.length > 0) {
      pieces.push(plain, choices);
      plain = '';
      at = parts.end;
    } else {
      const end = endOfUnit(text, at);
      plain += text.slice(at, end);
      at = end;
    }
  }
  return [...pieces, plain];
}

/** Empty for one text that is no range. */
function choicesOf(texts: readonly string[]): readonly Run[] | undefined {
  const [only = '', ...others] = texts;
  if (others.length === 0) return rangeOf(only);
  const runs = texts.map(readRun);
  return runs.every((run) => run !== undefined) ? runs : undefined;
}

/** The texts between the brace at `start`, its commas and its end; undefined when it does not end. */
function partsAt(text: string, start: number): { texts: readonly string[]; end: number } | undefined {
  const texts: string[] = [];
  let depth = 1;
  let from = start + 1;
  for (let at = from; at < text.length; at = endOfUnit(text, at)) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && text[at] === ',')) {
      texts.push(text.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { texts, end: from };
  }
  return undefined;
}

/** After one character, an escaped one, or a whole `[…]`, in which braces and commas are plain characters. */
function endOfUnit(text: string, at: number): number {
  if (text[at] === '\\') return Math.min(text.length, at + 2);
  return text[at] === '[' ? (endOfClass(text, at) ?? at + 1) : at + 1;
}

/** After the `]` of a class that begins at `start`; a `]` that stands first is a member. */
export function endOfClass(text: string, start: number): number | undefined {
  const first = text[start + 1] === '!' || text[start + 1] === '^' ? start + 2 : start + 1;
  for (let at = first; at < text.length && text[at] !== '/'; at += 1) {
    if (text[at] === ']' && at > first) return at + 1;
    if (text[at] === '\\') at += 1;
  }
  return undefined;
}

/** Empty for a text that is no range; undefined for one that is too long. */
function rangeOf(text: string): readonly Run[] | undefined {
  const [, first, last] = /^(-?\d{1,9}|[a-zA-Z])\.\.(-?\d{1,9}|[a-zA-Z])$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return [];
  const isNumber = /\d/.test(first);
  if (isNumber !== /\d/.test(last)) return [];
  const [from, to] = [first, last].map((end) => (isNumber ? Number(end) : end.charCodeAt(0))) as [
    number,
    number,
  ];
  const length = Math.abs(to - from) + 1;
  if (length > MAX_ALTERNATIVES) return undefined;
  const step = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => {
    const value = from + step * index;
    return [isNumber ? String(value) : String.fromCharCode(value)];
  });
}

/** Grows no further than just beyond the limit. */
function countOf(run: Run): number {
  let count = 1;
  for (const piece of run) {
    if (typeof piece === 'string') continue;
    let choices = 0;
    for (const choice of piece) choices = Math.min(choices + countOf(choice), MAX_ALTERNATIVES + 1);
    count = Math.min(count * choices, MAX_ALTERNATIVES + 1);
  }
  return count;
}

function textsOf(run: Run): readonly string[] {
  let texts: readonly string[] = [''];
  for (const piece of run) {
    const choices = typeof piece === 'string' ? [piece] : piece.flatMap(textsOf);
    texts = texts.flatMap((text) => choices.map((choice) => text + choice));
  }
  return texts;
}
