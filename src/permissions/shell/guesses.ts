/** What a word may be that bash makes something of: its variables, as far as they are known, and its lists in braces. */
import { dirname } from 'node:path';
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import type { ShellState } from './word.ts';

const MOST_GUESSES = 100;
/** From `a` to `z`, and in both cases with what stands between them. */
const LONGEST_SEQUENCE = 58;
/** A word of more pieces is not guessed. */
const MOST_PARTS = 200;

/** Every text that the word may be, as far as the text around it says; where there are more than are kept, `state.cut` says so. */
export function guessWord(word: Word, state: ShellState): readonly string[] {
  const alternatives = word.parts === undefined ? [word.value] : guessParts(word.parts, state);
  // Only what an expansion makes is split at its blanks; which of them were written with a backslash is not followed.
  const isQuoted = /["']/.test(word.text);
  const isWhole = isQuoted || !/[$`]/.test(word.text);
  const words = alternatives.flatMap((text) => {
    if (isWhole) return text === '' && !isQuoted ? [] : [text];
    const pieces = text.split(/\s+/).filter((piece) => piece !== '');
    return pieces.length > 1 && /\\\s/.test(word.text) ? [text, ...pieces] : pieces;
  });
  return words.map((text) => expandTilde(word.text, text, state));
}

function expandTilde(raw: string, text: string, { home, cwd }: ShellState): string {
  if (raw.startsWith('~+')) return cwd + text.slice(2);
  if (/^~(?:\/|$)/.test(raw)) return home + text.slice(1);
  // Homes lie side by side, but for that of root.
  const user = /^~[A-Za-z_][\w.-]*(?=\/|$)/.exec(raw)?.[0];
  if (user === undefined || !text.startsWith(user)) return text;
  const homes = user === '~root' ? '' : dirname(home);
  return `${homes === '/' ? '' : homes}/${text.slice(1)}`;
}

function guessParts(parts: readonly (WordPart | DoubleQuotedChild)[], state: ShellState): readonly string[] {
  let texts: readonly string[] = [''];
  if (parts.length > MOST_PARTS) {
    state.cut.is = true;
    return texts;
  }
  for (const part of parts) {
    const next = guessPart(part, state);
    texts = kept(
      texts.flatMap((text) => next.map((more) => text + more)),
      state,
    );
  }
  return texts;
}

function guessPart(part: WordPart | DoubleQuotedChild, state: ShellState): readonly string[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'DoubleQuoted':
    case 'LocaleString':
      return guessParts(part.parts, state);
    case 'SimpleExpansion':
      return variable(part.text.slice(1), state);
    case 'ParameterExpansion': {
      const { operation } = part;
      if (operation?.type !== 'Default') return variable(part.parameter, state);
      const operand = guessWord(operation.operand, state);
      return [...new Set([...variable(part.parameter, state), ...operand])].filter((text) => text !== '');
    }
    case 'BraceExpansion':
      // A mark of a list that is quoted is none: which one it is is not followed.
      if (QUOTED_MARK.test(part.text)) state.cut.is = true;
      return kept(braceAlternatives(part.text), state);
    case 'CommandExpansion':
      return /^(?:\$\(\s*pwd(?:\s+-[LP])?\s*\)|`\s*pwd(?:\s+-[LP])?\s*`)$/.test(part.text)
        ? [state.cwd]
        : [''];
    case 'Glob':
    case 'ExtendedGlob':
      return [part.text];
    default:
      return [''];
  }
}

export function restsOnUnknown(parts: readonly (WordPart | DoubleQuotedChild)[], state: ShellState): boolean {
  return parts.slice(0, MOST_PARTS).some((part) => {
    if (part.type === 'DoubleQuoted') return restsOnUnknown(part.parts, state);
    if (part.type === 'SimpleExpansion') return !isKnown(part.text.slice(1), state);
    return (
      part.type === 'ParameterExpansion' && part.operation === undefined && !isKnown(part.parameter, state)
    );
  });
}

const isKnown = (name: string, { variables }: ShellState): boolean =>
  variables.has(name) || name === 'PWD' || name === 'HOME';

function variable(name: string, { variables, cwd, home }: ShellState): readonly string[] {
  const known = variables.get(name);
  if (known !== undefined) return known;
  if (name === 'PWD') return [cwd];
  return name === 'HOME' ? [home] : [''];
}

const QUOTED_MARK = /\\[{},.]|"[^"]*[{},.][^"]*"|'[^']*[{},.][^']*'/;

function kept(texts: readonly string[], { cut }: ShellState): readonly string[] {
  if (texts.length <= MOST_GUESSES) return texts;
  cut.is = true;
  return texts.slice(0, MOST_GUESSES);
}

/** `{a,b{c,d}}` → a, bc, bd; quotes are how it is written, and no part of it. No more than one too many. */
const braceAlternatives = (text: string): readonly string[] => expanded(text.replace(/["'\\]/g, ''));

function expanded(text: string): readonly string[] {
  const open = text.indexOf('{');
  const group = open < 0 ? undefined : groupAt(text, open);
  if (group === undefined) return [text];
  const { pieces, end } = group;
  const inner = pieces.length > 1 ? pieces.flatMap(expanded) : sequence(pieces[0] ?? '');
  const alternatives = inner ?? expanded(text.slice(open + 1, end)).map((one) => `{${one}}`);
  const rest = expanded(text.slice(end + 1));
  return alternatives
    .slice(0, MOST_GUESSES + 1)
    .flatMap((one) => rest.map((more) => text.slice(0, open) + one + more))
    .slice(0, MOST_GUESSES + 1);
}

/** What stands between the commas of a group, and where it ends; `undefined` where it does not. */
function groupAt(text: string, open: number): { pieces: readonly string[]; end: number } | undefined {
  const pieces: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === '{') depth++;
    else if (char === '}') depth--;
    if (depth > 1 || (char !== ',' && depth > 0)) continue;
    pieces.push(text.slice(from, at));
    from = at + 1;
    if (depth === 0) return { pieces, end: at };
  }
  return undefined;
}

/** `{a..e}`. One of numbers stays as it is where it is long: no name that matters is a row of digits. */
function sequence(text: string): readonly string[] | undefined {
  const [, from = '', to = '', step = '1'] =
    /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.-?(\d{1,6}))?$/.exec(text) ?? [];
  const areLetters = /^[A-Za-z]$/.test(from);
  if (from === '' || areLetters !== /^[A-Za-z]$/.test(to)) return undefined;
  const [first, last] = areLetters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const by = Math.max(Number(step), 1);
  const count = Math.floor(Math.abs(last - first) / by) + 1;
  if (count > LONGEST_SEQUENCE) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -by : by) * index;
    return areLetters ? String.fromCharCode(value) : String(value);
  });
}
