/** Whether a call only reads: by the table, and a few forms that are more than options and operands. */
import { ROWS, type Row } from './read-only-table.ts';

export interface ReadOnlyCall {
  /** Operands that name files: each must lie in the workspace. */
  readonly files: readonly string[];
  /** It reads what is below them; without any, below the directory it runs in. */
  readonly recursive: boolean;
  /** None of them may be a directory. */
  readonly noDirectories: boolean;
}

const only = (files: readonly string[]): ReadOnlyCall => ({ files, recursive: false, noDirectories: false });

const FIND_OPTIONS = new Set(
  [
    '-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin -atime -ctime -newer -empty -not -a -o -and -or',
    '-print -print0 -prune -perm -user -group -regex -iregex -links -readable -writable -executable -quit -ls -depth -mount -xdev',
  ]
    .join(' ')
    .split(' '),
);

/** Programs whose globs are not judged: their arguments can become options. */
const NO_GLOBS = new Set([
  'file',
  'tree',
  'ps',
  'find',
  'sort',
  'sed',
  'git',
  'fd',
  'rg',
  'xargs',
  'date',
  'hostname',
  'cd',
]);

/** `words` are exact values; `globbed` tells that one of them was a pattern. Nothing when the call is not known to only read. */
export function readOnlyCall(words: readonly string[], globbed: boolean): ReadOnlyCall | undefined {
  const [name = '', ...args] = words;
  if (globbed && NO_GLOBS.has(name)) return undefined;
  switch (name) {
    case 'echo':
      // What is not an option of echo is text.
      return only(globbed ? args : []);
    case 'find':
      return readOnlyFind(args);
    case 'sed':
      return args[0] === '-n' && /^\d+(?:,\d+)?p$/.test(args[1] ?? '') && noOptions(args.slice(2))
        ? only(args.slice(2))
        : undefined;
    case 'jq':
      return args.length === 2 && args[0] === '.' && noOptions(args) ? only(args.slice(1)) : undefined;
    case 'node':
    case 'python3':
      return args.length === 1 && (args[0] === '--version' || (name === 'node' && args[0] === '-v'))
        ? only([])
        : undefined;
    case 'cd':
      // `cd -` goes where an inherited variable says; nothing may follow it, which is looked after elsewhere.
      if (args.length === 1 && args[0] === '-') return only([]);
      return args.length === 1 && noOptions(args) ? only(args) : undefined;
    case 'test':
    case '[':
    case '[[':
      return harmlessTest(args) ? only(args.filter((arg) => /\/|^\.\.$/.test(arg))) : undefined;
    default:
      return tabled(words, globbed);
  }
}

/** Rows of several words (`git stash list`) are tried first. */
function tabled(words: readonly string[], globbed: boolean): ReadOnlyCall | undefined {
  // A row of several words is not one word with blanks in it.
  if (words[0]?.includes(' ')) return undefined;
  const [name = '', second, third] = words;
  if (name !== 'git' && name !== 'docker') return judged(ROWS.get(name), words, 1, globbed);
  if (second === undefined) return undefined;
  const two = `${name} ${second}`;
  const long = third === undefined || !LONGER.has(two) ? undefined : ROWS.get(`${two} ${third}`);
  return long === undefined ? judged(ROWS.get(two), words, 2, globbed) : judged(long, words, 3, globbed);
}

/** Two words that rows of three begin with. */
const LONGER: ReadonlySet<string> = new Set(
  [...ROWS.keys()].flatMap((key) => /^\S+ \S+(?= )/.exec(key)?.[0] ?? []),
);

const judged = (
  row: Row | undefined,
  words: readonly string[],
  length: number,
  globbed: boolean,
): ReadOnlyCall | undefined => (row === undefined ? undefined : judge(row, words.slice(length), globbed));

/** Long options that take a value, which may be the next argument. */
const LONG_WITH_VALUE = new Set(
  [
    'include exclude exclude-dir max-count context after-context before-context glob type extension max-depth key',
    'field-separator bytes lines characters delimiter fields output-delimiter sort time wrap to from suffix padding format',
    'printf author since until after before grep pretty date diff-filter rfc-3339 size',
  ]
    .join(' ')
    .split(' '),
);

function judge(row: Row, args: readonly string[], globbed: boolean): ReadOnlyCall | undefined {
  const { only, never, follows, recursive } = row;
  if (never !== undefined && has(args, never)) return undefined;
  const operands: string[] = [];
  let isValue = false;
  let options = true;
  let patternGiven = false;
  /** Operands that are no values of options. */
  let own = 0;
  for (const arg of args) {
    const looksLikeOption = isOption(arg);
    if (isValue) {
      // Whoever reads the options otherwise would see an option here.
      if (arg.startsWith('-')) return undefined;
      operands.push(arg);
      isValue = false;
      continue;
    }
    if (only !== undefined && !looksLikeOption && !only.test(arg)) return undefined;
    if (options && arg === '--') {
      options = false;
    } else if (!options || !looksLikeOption) {
      operands.push(arg);
      own++;
    } else {
      const read = readOption(row, arg);
      if (read === undefined) return undefined;
      isValue = read.takesNext;
      patternGiven ||= read.givesPattern;
    }
  }
  const isRecursive = recursive === true || (recursive !== undefined && has(args, recursive));
  if (isRecursive && follows !== undefined && has(args, follows)) return undefined;
  const named = operands.includes('-') ? operands.filter((operand) => operand !== '-') : operands;
  const files = filesAmong(named, row.operands, globbed, patternGiven);
  if (row.operands === 'none' && operands.length > 0) return undefined;
  // Where no file is named it begins where it runs; the value of an option is none.
  const isHere = isRecursive && own <= (row.operands === 'search' && !patternGiven ? 1 : 0);
  return {
    files: isHere ? [...files, '.'] : files,
    recursive: isRecursive,
    noDirectories: row.noDirectories === true,
  };
}

function filesAmong(
  named: readonly string[],
  operands: Row['operands'],
  globbed: boolean,
  patternGiven: boolean,
): readonly string[] {
  switch (operands) {
    case 'none':
      return [];
    case 'text':
      // A pattern shows the names in a directory, whatever prints them.
      return globbed ? named : [];
    case 'files':
      return named;
    case 'search':
      return patternGiven ? named : named.slice(1);
  }
}

const has = (args: readonly string[], pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));

const isOption = (arg: string): boolean => arg.startsWith('-') && arg !== '-';

interface ReadOption {
  /** The next argument is its value. */
  readonly takesNext: boolean;
  /** Of a search: it gives the pattern, or there is none. */
  readonly givesPattern: boolean;
}

/** Nothing for an option that the row does not admit. */
function readOption(
  { flags = '', valued = '', optional = '', long = '', operands }: Row,
  option: string,
): ReadOption | undefined {
  if (option.startsWith('--')) {
    const [name = ''] = option.slice(2).split('=', 1);
    const value = option.slice(name.length + 2);
    // `%G?` of git has a signature checked by a program.
    if (!long.split(' ').includes(name) || /[/~]|%[-+ ]?G/.test(value)) return undefined;
    return { takesNext: value === '' && LONG_WITH_VALUE.has(name), givesPattern: name === 'files' };
  }
  for (const [index, letter] of [...option.slice(1)].entries()) {
    const value = option.slice(index + 2);
    if (valued.includes(letter) || optional.includes(letter)) {
      // A file that is named in an option is not looked at.
      if (/[/~]/.test(value) || (operands === 'search' && letter === 'f' && value !== '')) return undefined;
      return { takesNext: value === '' && valued.includes(letter), givesPattern: /[ef]/.test(letter) };
    }
    if (!flags.includes(letter)) return undefined;
  }
  return { takesNext: false, givesPattern: false };
}

const TAKES_NUMBER = /^-(?:[amc](?:time|min)|size|links|perm)$/;

function readOnlyFind(args: readonly string[]): ReadOnlyCall | undefined {
  const operands: string[] = [];
  for (const [index, arg] of args.entries()) {
    // `-mtime -1`, `-size -10k`: less than that.
    if (/^-\d+[a-zA-Z]?$/.test(arg) && TAKES_NUMBER.test(args[index - 1] ?? '')) continue;
    if (arg.startsWith('-')) {
      if (!FIND_OPTIONS.has(arg)) return undefined;
    } else if (!/^[!(),]$/.test(arg)) operands.push(arg);
  }
  const isHere = /^(?:-.*|[!(),])?$/.test(args[0] ?? '');
  return { files: isHere ? [...operands, '.'] : operands, recursive: true, noDirectories: false };
}

/** No operand of a test may be arithmetic or a subscript: bash would evaluate what is in it. */
function harmlessTest(args: readonly string[]): boolean {
  return args.every(
    (arg) => /^[\w.,:/@%+=!<>-]*\]?\]?$/.test(arg) && !/^-(?:eq|ne|lt|le|gt|ge|v|R|o|a)$/.test(arg),
  );
}

const noOptions = (args: readonly string[]): boolean => args.every((arg) => !arg.startsWith('-'));
