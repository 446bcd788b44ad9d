/** The builtins that set variables without an assignment before a command, and what evaluates words. */
import { isCodeVariable } from './code-variables.ts';
import { evaluatedIn, type ShellWord } from './word.ts';

/** A name that no program gives a meaning to: what is set is for the command itself. */
export const isPlainVariable = (name: string): boolean => /^[a-z_][a-z0-9_]*$/.test(name);

const SETTERS = /^(?:read|mapfile|readarray|export|declare|typeset|local|readonly|unset|let|getopts|printf)$/;

/** Builtins that change the shell for what comes after them, or evaluate a word; or run another builtin. */
const BUILTINS = new Set(
  'read mapfile readarray export declare typeset local readonly unset let getopts printf test [ [[ wait trap eval source . alias complete exec cd pushd popd command builtin -p --'.split(
    ' ',
  ),
);

/** False where nothing of it concerns the shell itself: most programs. */
export const mayChangeShell = (words: readonly ShellWord[]): boolean =>
  words.some(({ value, text }, index) => (index === 0 && BUILTINS.has(value)) || text.includes('${'));
const NONE: readonly string[] = [];

/** Where the name of the program or builtin is among the words. */
export const placeOfName = (words: readonly ShellWord[]): number =>
  words.findIndex(({ value }) => !/^(?:command|builtin|-p|--)$/.test(value));

/** The variables that a builtin sets, as far as its words say so. */
export function variablesSet(words: readonly ShellWord[]): readonly string[] {
  const at = placeOfName(words);
  const name = words[at]?.value ?? '';
  if (!SETTERS.test(name)) return NONE;
  const args = words.slice(at + 1).map(({ value }) => value);
  const plain = args.filter((arg) => !/^[-+]./.test(arg)).map(nameIn);
  switch (name) {
    case 'read':
      return plain.length > 0 ? plain : ['REPLY'];
    case 'mapfile':
    case 'readarray':
      return plain.length > 0 ? plain : ['MAPFILE'];
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
    case 'unset':
    case 'let':
      return plain;
    case 'getopts':
      return plain.slice(1);
    case 'printf':
      return args.flatMap((arg, index) =>
        arg === '-v' ? [nameIn(args[index + 1] ?? '')] : /^-v./.test(arg) ? [nameIn(arg.slice(2))] : [],
      );
    default:
      return [];
  }
}

/** Without a subscript or a value. */
const nameIn = (word: string): string => /^(\w+)/.exec(word)?.[1] ?? word;

/** `export V=x` is an assignment as `V=x` is: names, and what they may hold. */
export function assignedByBuiltin(words: readonly ShellWord[]): readonly [string, string[]][] {
  if (!/^(?:export|declare|typeset|local|readonly)$/.test(words[0]?.value ?? '')) return [];
  return words.slice(1).flatMap(({ guesses }): [string, string[]][] => {
    const name = /^\w+(?==)/.exec(guesses[0] ?? '')?.[0];
    return name === undefined ? [] : [[name, guesses.map((guess) => guess.slice(name.length + 1))]];
  });
}

const NAMES_FIRST = /^(?:unset|read|declare|typeset|local|export|readonly|mapfile|readarray|getopts|let)$/;

/** They take the name of a variable as the value of an option. */
const NAMES_AFTER = /^(?:test|\[\[?|printf|wait)$/;

/** Why the words of a command may run code that is written in them as data. */
export function evaluations(words: readonly ShellWord[]): readonly string[] {
  const found: string[] = [];
  for (const { text } of words) {
    const why = evaluatedIn(text);
    if (why !== undefined) found.push(why);
    // `${PATH:=x}` sets it, where it is not set.
    if (text.includes('${'))
      for (const [, name = ''] of text.matchAll(/\$\{(\w+)(?:\[[^\]]*\])?:?=/g))
        if (isCodeVariable(name)) found.push(`${name} is set, which changes what commands mean`);
  }
  const why = evaluatedName(words);
  if (why !== undefined) found.push(why);
  return found;
}

/** Why a builtin may run code: the name of a variable is known only when it runs, and a subscript in it is evaluated. */
function evaluatedName(words: readonly ShellWord[]): string | undefined {
  const at = placeOfName(words);
  const name = words[at]?.value ?? '';
  if (!NAMES_FIRST.test(name) && !NAMES_AFTER.test(name)) return undefined;
  const args = words.slice(at + 1);
  const isUnknown = (word: ShellWord | undefined): boolean =>
    word?.kind === 'dynamic' && /[$`]/.test(name === 'let' ? word.text : (word.text.split('=', 1)[0] ?? ''));
  const evaluates =
    (NAMES_FIRST.test(name) && args.some(isUnknown)) ||
    (NAMES_AFTER.test(name) &&
      args.some((word, index) => isUnknown(word) && /^-[vRp]$/.test(args[index - 1]?.value ?? '')));
  return evaluates ? `${name} takes a name that is known only when it runs, and evaluates it` : undefined;
}
