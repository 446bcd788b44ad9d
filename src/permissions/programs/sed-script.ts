/**
 * What a script of sed reads, writes and runs: the file names and the shell code in it, found by walking it once, as GNU sed
 * does. No text, pattern or label may be taken for longer than sed takes it: a command would be hidden in it.
 */
import { afterPattern, afterString } from './sed-pattern.ts';

export interface SedScript {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Shell code that is written out in it. */
  readonly code: readonly string[];
  /** It runs what it edits. */
  readonly runs: boolean;
  /** Every command was understood, to the letter. */
  readonly sure: boolean;
}

interface Found {
  readonly reads: string[];
  readonly writes: string[];
  readonly code: string[];
  runs: boolean;
}

/** `parts` are the `-e` scripts, which sed joins by newlines; one that ends in a backslash is joined in ways of its own. */
export function readSedScript(parts: readonly string[]): SedScript {
  const text = parts.join('\n');
  const found: Found = { reads: [], writes: [], code: [], runs: false };
  let at = 0;
  while (at >= 0 && at < text.length) {
    at = skipAddresses(text, at);
    if (at >= 0 && at < text.length) at = readCommand(text, at, found);
  }
  const isOpen = parts.length > 1 && parts.some((part) => part.endsWith('\\'));
  // What is escaped in the text of `e` is another text.
  const isEscaped = found.code.some((code) => code.includes('\\'));
  return { ...found, sure: at >= 0 && !isOpen && !isEscaped };
}

/** Everything that may stand before a command; -1 when an address does not end. */
function skipAddresses(text: string, from: number): number {
  let at = from;
  while (at >= 0 && at < text.length) {
    const char = text[at] ?? '';
    if (char === '/') at = afterModifiers(text, afterPattern(text, at + 1, '/'));
    else if (char === '\\') at = afterModifiers(text, afterPattern(text, at + 2, text[at + 1] ?? ''));
    else if (/[ \t\r\n\v\f;{}0-9$~+,!]/.test(char)) at++;
    else break;
  }
  return at;
}

function afterModifiers(text: string, from: number): number {
  let at = from;
  while (at >= 0 && /[IM]/.test(text[at] ?? '')) at++;
  return at;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

/** A file name is the rest of its line, blanks at the end included. */
const nameFrom = (text: string, from: number): string =>
  text.slice(afterBlanks(text, from), endOfLine(text, from));

/** Where the command at this place ends; -1 when it is not understood. */
function readCommand(text: string, at: number, found: Found): number {
  switch (text[at]) {
    case 's':
      return readSubstitution(text, at, found);
    case 'y': {
      const delimiter = text[at + 1] ?? '';
      const middle = afterString(text, at + 2, delimiter);
      return middle < 0 ? -1 : afterString(text, middle, delimiter);
    }
    case 'e': {
      const begin = afterBlanks(text, at + 1);
      const end = afterText(text, begin);
      if (begin === end) found.runs = true;
      else found.code.push(text.slice(begin, end));
      return end;
    }
    case 'r':
    case 'R':
      found.reads.push(nameFrom(text, at + 1));
      return endOfLine(text, at);
    case 'w':
    case 'W':
      found.writes.push(nameFrom(text, at + 1));
      return endOfLine(text, at);
    case 'a':
    case 'i':
    case 'c':
      return afterAddedText(text, at + 1);
    case '#':
      return endOfLine(text, at);
    // A word follows, which a blank ends, too: other commands may come in the same line.
    case 'v':
    case ':':
    case 'b':
    case 't':
    case 'T': {
      let end = afterBlanks(text, at + 1);
      while (end < text.length && !/[\s;}]/.test(text[end] ?? '')) end++;
      return end;
    }
    default:
      return /[dDgGhHnNpPxz=FlqQL]/.test(text[at] ?? '') ? at + 1 : -1;
  }
}

/** `a text`, `a\text`, and `a\` with the text in the next line. */
function afterAddedText(text: string, from: number): number {
  const begin = afterBlanks(text, from);
  if (text[begin] !== '\\') return afterText(text, begin);
  if (text[begin + 1] === '\n') return afterText(text, begin + 2);
  const next = afterBlanks(text, begin + 1);
  // Whether this escapes what follows, and where the text begins, depends on the version.
  return /[\\\n]/.test(text[next] ?? '') ? -1 : afterText(text, next);
}

/** The end of a text: of its line, unless the newline is escaped. */
function afterText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

function readSubstitution(text: string, at: number, found: Found): number {
  const delimiter = text[at + 1] ?? '';
  const middle = afterPattern(text, at + 2, delimiter);
  let end = middle < 0 ? -1 : afterString(text, middle, delimiter);
  while (end >= 0 && end < text.length) {
    const flag = text[end] ?? '';
    if (flag === 'w') {
      found.writes.push(nameFrom(text, end + 1));
      return endOfLine(text, end);
    }
    if (flag === 'e') found.runs = true;
    // Blanks may stand between the flags.
    else if (!/[gpiImM0-9 \t]/.test(flag)) return /[\n;}#]/.test(flag) ? end : -1;
    end++;
  }
  return end;
}
