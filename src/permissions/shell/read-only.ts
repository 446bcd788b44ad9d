/** Whether a call only reads: by the table, and a few forms that are more than options and operands. */
import { ROWS, type Row } from './read-only-table.ts';

export interface ReadOnlyCall {
  /** Operands that name files: each must lie in the workspace. */
  readonly files: readonly string[];
}

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
]);

/** `words` are exact values; `globbed` tells that one of them was a pattern. Nothing when the call is not known to only read. */
export function readOnlyCall(words: readonly string[], globbed: boolean): ReadOnlyCall | undefined {
  const [name = '', ...args] = words;
  if (globbed && NO_GLOBS.has(name)) return undefined;
  switch (name) {
    case 'echo':
      // What is not an option of echo is text.
      return { files: globbed ? args : [] };
    case 'find':
      return readOnlyFind(args);
    case 'sed':
      return args[0] === '-n' && /^\d+(?:,\d+)?p$/.test(args[1] ?? '') && noOptions(args.slice(2))
        ? { files: args.slice(2) }
        : undefined;
    case 'jq':
      return args.length === 2 && args[0] === '.' && noOptions(args) ? { files: args.slice(1) } : undefined;
    case 'node':
    case 'python3':
      return args.length === 1 && (args[0] === '--version' || (name === 'node' && args[0] === '-v'))
        ? { files: [] }
        : undefined;
    case 'cd':
      return args.length === 1 && (args[0] === '-' || noOptions(args))
        ? { files: args[0] === '-' ? [] : args }
        : undefined;
    case 'test':
    case '[':
    case '[[':
      return harmlessTest(args) ? { files: args.filter((arg) => arg.includes('/')) } : undefined;
    default:
      return tabled(words, globbed);
  }
}

/** Rows of several words (`git stash list`) are tried first. */
function tabled(words: readonly string[], globbed: boolean): ReadOnlyCall | undefined {
  const lengths = words[0] === 'git' || words[0] === 'docker' ? [3, 2] : [1];
  for (const length of lengths) {
    const key = words.slice(0, length).join(' ');
    const row = Object.hasOwn(ROWS, key) ? ROWS[key] : undefined;
    if (row !== undefined) return judge(row, words.slice(length), globbed);
  }
  return undefined;
}

function judge(row: Row, args: readonly string[], globbed: boolean): ReadOnlyCall | undefined {
  const operands: string[] = [];
  let options = true;
  let patternGiven = false;
  for (const arg of args) {
    if (options && arg === '--') options = false;
    else if (!options || arg === '-' || !arg.startsWith('-')) operands.push(arg);
    else if (!admits(row, arg)) return undefined;
    else patternGiven ||= /^-[A-Za-z]*[ef]/.test(arg);
  }
  if (row.only !== undefined && !operands.every((operand) => row.only?.test(operand))) return undefined;
  const named = operands.filter((operand) => operand !== '-');
  switch (row.operands) {
    case 'none':
      return operands.length === 0 ? { files: [] } : undefined;
    case 'text':
      // A pattern shows the names in a directory, whatever prints them.
      return { files: globbed ? named : [] };
    case 'files':
      return { files: named };
    case 'search':
      return { files: patternGiven ? named : named.slice(1) };
  }
}

function admits({ flags = '', valued = '', long = '' }: Row, option: string): boolean {
  if (option.startsWith('--')) {
    const name = option.slice(2).split('=', 1)[0] ?? '';
    return long.split(' ').includes(name) && !/[/~]/.test(option.slice(name.length + 2));
  }
  for (const [index, letter] of [...option.slice(1)].entries()) {
    if (valued.includes(letter)) return !/[/~]/.test(option.slice(index + 2));
    if (!flags.includes(letter)) return false;
  }
  return true;
}

function readOnlyFind(args: readonly string[]): ReadOnlyCall | undefined {
  const operands: string[] = [];
  for (const arg of args) {
    if (arg.startsWith('-')) {
      if (!FIND_OPTIONS.has(arg)) return undefined;
    } else if (!/^[!(),]$/.test(arg)) operands.push(arg);
  }
  return { files: operands };
}

/** No operand of a test may be arithmetic or a subscript: bash would evaluate what is in it. */
function harmlessTest(args: readonly string[]): boolean {
  return args.every(
    (arg) => /^[\w.,:/@%+=!<>-]*\]?\]?$/.test(arg) && !/^-(?:eq|ne|lt|le|gt|ge|v|R|o|a)$/.test(arg),
  );
}

const noOptions = (args: readonly string[]): boolean => args.every((arg) => !arg.startsWith('-'));
