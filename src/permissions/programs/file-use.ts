/** Which files a program call names, by a table of programs. What is not in the table is only known to mention words. */
import { readAwk } from './awk-use.ts';
import { derivedUses } from './derived-uses.ts';
import { FILE_PROGRAMS, type FileRow, HARMLESS } from './file-programs.ts';
import {
  type FileUse,
  type FileUses,
  mentionsAmong,
  NO_FILES,
  onlyAsking,
  read,
  write,
} from './file-uses.ts';
import { gitUses } from './git-use.ts';
import { COMPLETE_TABLES, OPTION_TABLES } from './option-table.ts';
import { possibleValues, type ReadArguments, readOptions } from './options.ts';
import { tarUses, usesOfFind } from './own-grammar-use.ts';
import { nameOf } from './program-name.ts';
import { sedUses } from './sed-use.ts';
import { isShell } from './shells.ts';
import { treeUses } from './tree-use.ts';

export function fileUses(words: readonly string[]): FileUses {
  const name = nameOf(words[0] ?? '');
  const args = words.slice(1);
  if (name === 'git') return gitUses(args);
  if (name === 'find') return { ...NO_FILES, uses: usesOfFind(args) };
  if (name === 'sed') return sedUses(args);
  if (name === 'tar') return tarUses(args);
  const kind = FILE_PROGRAMS.get(name);
  const exact = exactOptions(name, args);
  const uses: FileUse[] = [];
  if (kind === undefined) {
    addOptionUses(uses, name, args, kind, exact, USED);
    const operands = args.filter((arg) => !/^-./.test(arg));
    uses.push(...treeUses(name, args, operands), ...derivedUses(name, args, operands));
    const mentions = HARMLESS.has(name) || name === 'xargs' ? [] : mentionsAmong(args);
    return { known: false, uses, recursive: false, mentions, unsure: isUnsure(exact) };
  }
  const recursive = isRecursive(name, args);
  const given = operandsOf(name, kind, args, exact);
  const operands = given.filter(isNamed);
  // What searches below a directory begins here when none is named.
  if (recursive && kind === 'search' && operands.length === 0) operands.push('.');
  const made = showsNames(name, args) ? NAMED : USED;
  // What is written is told by its place, also behind `-` for the standard input.
  const places = kind === 'copy' ? given : operands;
  for (let index = 0; index < places.length; index++) {
    const word = places[index] ?? '';
    if (isNamed(word)) addUses(uses, kind, word, index, made);
  }
  addOptionUses(uses, name, args, kind, exact, made);
  uses.push(...treeUses(name, args, operands), ...derivedUses(name, args, operands));
  // What awk writes and what is part of a text is told apart roughly: enough to ask.
  if (name.endsWith('awk')) for (const word of readAwk(args).writes) uses.push(onlyAsking(write(word)));
  const unsure = isUnsure(exact) || (name === 'strings' && args.some((arg) => arg.startsWith('@')));
  return { known: true, uses, recursive, mentions: [], unsure };
}

/** A table or a grammar of its own says which files its words name. */
export const hasFileGrammar = (name: string): boolean =>
  FILE_PROGRAMS.has(name) || OPTION_TABLES.has(name) || /^(?:git|find|sed|tar)$/.test(name);

function showsNames(name: string, args: readonly string[]): boolean {
  if (name === 'wc')
    return args.every((arg) => !arg.startsWith('-') || /^-c+$|^--bytes$/.test(arg)) && args.length > 1;
  return /^(?:ls|dir|vdir|stat|touch)$/.test(name);
}

type Made = (access: FileUse['access'], word: string) => FileUse;

const USED: Made = (access, word) => ({ access, word });
const NAMED: Made = (access, word) => ({ access, word, onlyNames: true });

function addUses(uses: FileUse[], kind: FileRow, word: string, index: number, made: Made): void {
  if (kind !== 'write') uses.push(made('read', word));
  // Some programs read a list of options or files from `@file`.
  if ((kind === 'read' || kind === 'search') && word.startsWith('@')) uses.push(made('read', word.slice(1)));
  if (kind === 'write' || kind === 'both' || (kind === 'copy' && index > 0)) uses.push(made('write', word));
}

/** What the program itself makes of its arguments, where all of its options are known. */
function exactOptions(name: string, args: readonly string[]): ReadArguments | undefined {
  const table = COMPLETE_TABLES.has(name) ? OPTION_TABLES.get(name) : undefined;
  return table === undefined ? undefined : readOptions(args, table);
}

const isUnsure = (exact: ReadArguments | undefined): boolean =>
  exact !== undefined && (exact.unsure || exact.values.some(({ role }) => role === 'run'));

/** The files that options name. Where the options of a program are all known, and these were understood, nothing else can be one. */
function addOptionUses(
  uses: FileUse[],
  name: string,
  args: readonly string[],
  kind: FileRow | undefined,
  exact: ReadArguments | undefined,
  made: Made,
): void {
  const table = OPTION_TABLES.get(name);
  if (table === undefined && kind === undefined) return;
  const use = (one: FileUse): void => {
    if (one.word !== '') uses.push(name === 'wget' ? onlyAsking(one) : one);
  };
  const takesAll = exact?.unsure ?? kind !== undefined;
  for (const { role, value } of possibleValues(args, table)) {
    if (role !== 'read' && role !== 'write' && !takesAll) continue;
    use(made('read', value));
    if (role === 'write' || ((kind === 'write' || kind === 'both') && role !== 'read'))
      use(made('write', value));
  }
  if (name !== 'dd') return;
  for (const arg of args) {
    const operand = /^(?:if|of)=(.+)$/s.exec(arg)?.[1];
    if (operand !== undefined) uses.push(read(operand), write(operand));
  }
}

function operandsOf(
  name: string,
  kind: FileRow,
  args: readonly string[],
  exact: ReadArguments | undefined,
): string[] {
  const isExact = exact !== undefined && !exact.unsure;
  const end = args.indexOf('--');
  const operands = isExact
    ? [...exact.operands]
    : args.filter(
        (arg, index) =>
          index !== end &&
          ((end >= 0 && index > end) || (!/^-./.test(arg) && !(index === 1 && isCodeOfShell(name, args)))),
      );
  if (kind === 'search' && !givesPattern(args) && (isExact || exact === undefined || operands.length > 1))
    operands.shift();
  // The mode of `chmod -x f` looks like an option, and `--reference` is given in place of one.
  const isFirstNoFile =
    /^ch(?:mod|own|grp)$/.test(name) && !args.some((arg) => /^-[rwxXst]|^--ref/.test(arg));
  if (isFirstNoFile) operands.shift();
  return operands;
}

/** `bash -c CODE`: what is run is looked at as commands. Behind other options or a script the words may be files. */
const isCodeOfShell = (name: string, [option = '']: readonly string[]): boolean =>
  isShell(name) && /^-[euxvl]*c$/.test(option);

/** Not standard input, and not the end of the options. */
const isNamed = (operand: string): boolean => operand !== '-' && operand !== '--';

/** An option may have given the pattern or program, or there is none: any letter of a cluster, any beginning of the long names. */
function givesPattern(args: readonly string[]): boolean {
  return args.some(
    (arg) =>
      /^-[^-]*[ef]/.test(arg) ||
      /^--(?:r|re|reg|rege|regex|regexp|f|fi|fil|file|files|from-file|type-list)(?:=|$)/.test(arg),
  );
}

function isRecursive(name: string, args: readonly string[]): boolean {
  switch (name) {
    case 'rg':
    case 'rgrep':
    case 'ag':
    case 'ack':
    case 'rsync':
      return true;
    case 'grep':
    case 'egrep':
    case 'fgrep':
      return has(args, /^-[^-]*[rR]|^--(?:rec|deref)|recurse$/);
    case 'diff':
      return has(args, /^-[^-]*r|^--rec/);
    case 'cp':
    case 'scp':
      return has(args, /^-[^-]*[rRa]|^--(?:rec|arc)/);
    default:
      return has(args, /^--files0-f/);
  }
}

const has = (args: readonly string[], pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));
