/** Variables that change what other words mean, and the builtins that set one without an assignment before a command. */
import { evaluatedIn, type ShellWord } from './word.ts';

/** Variables whose value some program or bash itself runs, or where programs are looked for. */
export function isCodeVariable(name: string): boolean {
  return CODE_VARIABLES.test(name);
}

const CODE_VARIABLES = new RegExp(
  `^(?:${[
    'GIT_\\w+|\\w*PAGER|\\w*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|MANOPT|LESS',
    'BASH_ENV|BASHOPTS|SHELLOPTS|BASH_FUNC_.*|ENV|PATH|IFS|PS[0-4]|PROMPT_COMMAND|HOME|CDPATH|OLDPWD|PWD|SHELL|EXECIGNORE|GLOBIGNORE',
    'LD_\\w+|DYLD_\\w+|PERL5OPT|PERL5LIB|PERL5DB|PERLLIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PYTHONINSPECT',
    'MAKEFLAGS|MAKEFILES|GOFLAGS|CC|CXX|RUSTC\\w*|CARGO_BUILD_RUSTC\\w*|(?:NPM|npm)_(?:CONFIG|config)_\\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS',
    'TAR_OPTIONS|RSYNC_RSH|RIPGREP_CONFIG_PATH|GREP_OPTIONS|\\w*_ASKPASS|SSH_\\w*COMMAND|HOOKD_\\w+|DOCKER_HOST|KUBECONFIG',
  ].join('|')})$`,
);

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
  const plain = args.filter((arg) => !/^[-+]./.test(arg)).map((arg) => /^(\w+)/.exec(arg)?.[1] ?? arg);
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
        arg === '-v' ? [args[index + 1] ?? ''] : /^-v./.test(arg) ? [arg.slice(2)] : [],
      );
    default:
      return [];
  }
}

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
