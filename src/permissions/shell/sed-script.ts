/** What a script of sed reads, writes and runs: the file names and the shell code in it, found by walking it once. */

export interface SedScript {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Shell code that is written out in it. */
  readonly code: readonly string[];
  /** It runs what it edits. */
  readonly runs: boolean;
  /** Every command was understood. */
  readonly sure: boolean;
}

interface Found {
  readonly reads: string[];
  readonly writes: string[];
  readonly code: string[];
  runs: boolean;
}

/** `parts` are the `-e` scripts, which sed joins by newlines. */
export function readSedScript(parts: readonly string[]): SedScript {
  const text = parts.join('\n');
  const found: Found = { reads: [], writes: [], code: [], runs: false };
  let at = 0;
  while (at >= 0 && at < text.length) {
    at = skipAddresses(text, at);
    if (at >= 0 && at < text.length) at = readCommand(text, at, found);
  }
  return { ...found, sure: at >= 0 };
}

/** Everything that may stand before a command; -1 when an address does not end. */
function skipAddresses(text: string, from: number): number {
  let at = from;
  while (at >= 0 && at < text.length) {
    const char = text[at] ?? '';
    if (char === '/') at = afterModifiers(text, afterDelimiter(text, at + 1, '/'));
    else if (char === '\\') at = afterModifiers(text, afterDelimiter(text, at + 2, text[at + 1] ?? ''));
    else if (/[\s;{}0-9$~+,!]/.test(char)) at++;
    else break;
  }
  return at;
}

function afterModifiers(text: string, from: number): number {
  let at = from;
  while (at >= 0 && /[IM]/.test(text[at] ?? '')) at++;
  return at;
}

/** Behind the next delimiter that is not escaped; -1 when there is none. */
function afterDelimiter(text: string, from: number, delimiter: string): number {
  if (delimiter === '' || delimiter === '\n' || delimiter === '\\') return -1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === delimiter) return at + 1;
  }
  return -1;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Where the command at this place ends; -1 when it is not understood. */
function readCommand(text: string, at: number, found: Found): number {
  const rest = (): string => text.slice(at + 1, endOfLine(text, at)).trim();
  switch (text[at]) {
    case 's':
      return readSubstitution(text, at, found);
    case 'y': {
      const delimiter = text[at + 1] ?? '';
      const middle = afterDelimiter(text, at + 2, delimiter);
      return middle < 0 ? -1 : afterDelimiter(text, middle, delimiter);
    }
    case 'e':
      if (rest() === '') found.runs = true;
      else found.code.push(rest());
      return endOfLine(text, at);
    case 'r':
    case 'R':
      found.reads.push(rest());
      return endOfLine(text, at);
    case 'w':
    case 'W':
      found.writes.push(rest());
      return endOfLine(text, at);
    case 'a':
    case 'i':
    case 'c':
      return afterText(text, at);
    case '#':
    case 'v':
      return endOfLine(text, at);
    case ':':
    case 'b':
    case 't':
    case 'T': {
      let end = at + 1;
      while (end < text.length && !/[;\n}]/.test(text[end] ?? '')) end++;
      return end;
    }
    default:
      return /[dDgGhHnNpPxz=FlqQL]/.test(text[at] ?? '') ? at + 1 : -1;
  }
}

/** The text of `a`, `i` and `c`: this line, and each next one while a backslash ends it. */
function afterText(text: string, from: number): number {
  let end = endOfLine(text, from);
  while (end < text.length && /(?:^|[^\\])(?:\\\\)*\\$/.test(text.slice(Math.max(from, end - 8), end)))
    end = endOfLine(text, end + 1);
  return end;
}

function readSubstitution(text: string, at: number, found: Found): number {
  const delimiter = text[at + 1] ?? '';
  const middle = afterDelimiter(text, at + 2, delimiter);
  let end = middle < 0 ? -1 : afterDelimiter(text, middle, delimiter);
  while (end >= 0 && end < text.length) {
    const flag = text[end] ?? '';
    if (flag === 'w') {
      found.writes.push(text.slice(end + 1, endOfLine(text, end)).trim());
      return endOfLine(text, end);
    }
    if (flag === 'e') found.runs = true;
    else if (!/[gpiImM0-9]/.test(flag)) return /[\s;}#]/.test(flag) ? end : -1;
    end++;
  }
  return end;
}
