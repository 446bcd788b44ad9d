/** One word of a command: what it is exactly, where that can be said, and what it may become, for deny rules. */
import type { Command, ParsedScript, Word } from 'unbash';
import { certainWords } from './certain-words.ts';
import { guessWord, restsOnUnknown } from './guesses.ts';
import { printed } from './printed.ts';

export interface ShellWord {
  /** As written. */
  readonly text: string;
  /**
   * `static`: `value` is the word. `home`: the same after tilde expansion. `glob`: `value` is the pattern, unquoted.
   * `number`: plain arithmetic. `dynamic`: anything else; bash may make several words of it, or none.
   */
  readonly kind: 'static' | 'home' | 'glob' | 'number' | 'dynamic';
  readonly value: string;
  /** The words that bash may make of it, as far as one can see. Never a reason to allow. */
  readonly guesses: readonly string[];
  /** For `<(echo text)`: the text that a reader of the word gets. */
  readonly produced: string | undefined;
  /** The guesses take a variable that the text does not set for empty, as it is when nothing else sets it. */
  readonly assumesEmpty?: true;
  /** For rules that restrict: the words that bash makes of a `dynamic` word, for certain. */
  readonly certain?: readonly string[];
}

/** Known only when it runs. */
export const isOpen = ({ kind, certain }: ShellWord): boolean => kind === 'dynamic' && certain === undefined;

/** Each word as the words that bash makes of it, where they are certain: a builtin's name may come out of braces. */
export function wordsMade(words: readonly ShellWord[]): readonly ShellWord[] {
  if (words.every(({ certain }) => certain === undefined)) return words;
  return words.flatMap((word) =>
    word.certain === undefined
      ? [word]
      : word.certain.map((value) => ({ ...word, text: value, value, guesses: [value], certain: [value] })),
  );
}

/** What is known about the shell at a point of the text. */
export interface ShellState {
  readonly home: string;
  readonly cwd: string;
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** Variables that are empty for certain. */
  readonly unset: ReadonlySet<string>;
  /** Braces are expanded: no option of the shell was touched. */
  readonly braces: boolean;
  /** Set where a word may be more than is kept of it: then what it may be is not known. */
  readonly cut: { is: boolean };
}

/**
 * The exact value of a word, `undefined` when bash may make something else of it.
 * Trusts the raw text only: letters, digits, harmless marks, escapes and quotes without expansions.
 */
export function staticValue(word: Word): string | undefined {
  if (LITERAL_WORDS.has(word.text)) return word.text;
  return STATIC_WORD.test(word.text) ? word.value : undefined;
}

// An exclamation mark means something to interactive shells only, and before a parenthesis, which is not here.
// A tilde after a letter or digit is no expansion: HEAD~1. A comment begins where a word may: a#b is none.
// Of what is not ASCII, blanks of another kind are left out.
const STATIC_WORD =
  /^(?:[\p{L}\p{N}_.,:/@%+=^\-!\u00a0\]]|(?![\0-\x7f])[\p{S}\p{P}\p{M}]|(?<=[\p{L}\p{N}_./:=-])#|(?<=[\p{L}\p{N}^])~|\\[^\n]|'[^']*'|"(?:[^"\\$`]|\\[^\n])*")*$/u;
const LITERAL_WORDS = new Set(['[', '{}', '{', '}', '!', '$']);
const HOME_WORD = /^~(?:\/[\p{L}\p{N}_.,/@%+=^-]*)?$/u;
const GLOB_WORD = /^[\p{L}\p{N}_.,:/@%+=^\-*?[\]]+$/u;
const NUMBER_WORD = /^\$\(\([0-9 +\-*/%()]+\)\)$/;

export function shellWord(word: Word, state: ShellState): ShellWord {
  const { text } = word;
  const value = staticValue(word);
  if (value !== undefined) return { text, kind: 'static', value, guesses: [value], produced: undefined };
  if (HOME_WORD.test(text)) {
    const path = state.home + text.slice(1);
    return { text, kind: 'home', value: path, guesses: [path], produced: undefined };
  }
  const guesses = guessWord(word, state);
  if (GLOB_WORD.test(text)) return { text, kind: 'glob', value: text, guesses, produced: undefined };
  if (NUMBER_WORD.test(text))
    return { text, kind: 'number', value: text, guesses: [text], produced: undefined };
  const certain = certainWords(word, state);
  if (certain !== undefined)
    return { text, kind: 'dynamic', value: text, guesses: certain, produced: undefined, certain };
  const assumes = restsOnUnknown(word.parts ?? [], state) ? { assumesEmpty: true as const } : {};
  return { text, kind: 'dynamic', value: text, guesses, produced: producedText(word), ...assumes };
}

/** Why bash may run what is written in the word as data: in a prompt, a subscript or an offset. */
export function evaluatedIn(text: string): string | undefined {
  if (!text.includes('${')) return undefined;
  if (text.includes('@P}')) return 'a variable is expanded as a prompt';
  for (const [, subscript = ''] of text.matchAll(/\$\{[!#]?\w+\[([^\]]*)/g))
    if (/["'\\`]|\$\(/.test(subscript)) return 'a subscript is evaluated';
  // `${x:offset}` is arithmetic; `${x:-word}` and its like are not.
  for (const [, offset = ''] of text.matchAll(/\$\{[!#]?\w+(?:\[[^\]]*\])?:([^-+=?}][^}]*)/g))
    if (/["'\\`[]|\$\(/.test(offset)) return 'an offset is evaluated';
  return undefined;
}

/** A word that is not in the text as such (the text of a script handed to another shell, a word on stdin). */
export function literalWord(value: string): ShellWord {
  return { text: value, kind: 'static', value, guesses: [value], produced: undefined };
}

function producedText(word: Word): string | undefined {
  const [part, ...more] = word.parts ?? [];
  if (part?.type !== 'ProcessSubstitution' || part.operator !== '<' || more.length > 0) return undefined;
  const command = onlyCommand(part.script);
  return command === undefined ? undefined : printedText(command);
}

function onlyCommand(script: ParsedScript | undefined): Command | undefined {
  const [statement, ...more] = script?.commands ?? [];
  return more.length === 0 && statement?.command.type === 'Command' ? statement.command : undefined;
}

/** What `echo` or `printf` prints, roughly: enough to look for commands in it. */
function printedText(command: Command): string | undefined {
  const name = command.name === undefined ? undefined : staticValue(command.name);
  if (name !== 'echo' && name !== 'printf') return undefined;
  const words = command.args.map((word) => (word.type === 'Word' ? staticValue(word) : undefined));
  return words.every((word) => word !== undefined) ? printed(name, words) : undefined;
}
