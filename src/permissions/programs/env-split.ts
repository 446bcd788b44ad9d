/** `env -S TEXT`: it takes the text apart by rules of its own, and goes on with the words as if they stood there. */
import type { InnerCall, Inside } from './inside-call.ts';

interface Split {
  readonly text: string;
  /** The words of env before it, and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Nothing when no word is such a text. */
export function envSplits(words: readonly string[]): Inside | undefined {
  const splits = words.flatMap((word, index) => splitAt(words, word, index));
  if (splits.length === 0) return undefined;
  return {
    calls: splits.map((split) => callOf(split, words.length)),
    code: splits.map(({ text }) => text),
    // Quotes are those of the shell, but escapes and variables are not.
    unresolved: splits.some(({ text }) => /[\\$#]/.test(text))
      ? 'env takes a text apart in its own way'
      : undefined,
  };
}

function splitAt(words: readonly string[], word: string, index: number): readonly Split[] {
  if (index === 0 || !word.startsWith('-')) return [];
  const before = words.slice(0, index);
  const next = words[index + 1];
  const separate = next === undefined ? [] : [{ text: next, before, after: words.slice(index + 2) }];
  const [, long = '', equals, value = ''] = /^--(\w[\w-]*)(=(.*))?$/s.exec(word) ?? [];
  if (long !== '') {
    if (!'split-string'.startsWith(long)) return [];
    return equals === undefined ? separate : [{ text: value, before, after: words.slice(index + 1) }];
  }
  const glued = /^-[a-zA-Z0-9]*?S(.*)$/s.exec(word)?.[1];
  if (glued === undefined) return [];
  return glued === '' ? separate : [{ text: glued, before, after: words.slice(index + 1) }];
}

/** `env A=1 git push` for `env -S 'A=1 git' push`; `\_` is a blank. */
function callOf({ text, before, after }: Split, length: number): InnerCall {
  const made = text
    .replaceAll('\\_', ' ')
    .replace(/["']/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const call = [...before, ...made, ...after];
  return { words: call, openEnded: false, before: Math.max(0, length - call.length) };
}
