/** Which files a program call names, by a table of programs. What is not in the table is only known to mention words. */
import { basename } from 'node:path';
import { readAwk } from './awk-use.ts';
import { FILE_PROGRAMS, type FileRow, HARMLESS } from './file-programs.ts';
import { type FileUse, type FileUses, mentionsIn, NO_FILES, onlyAsking, read, write } from './file-uses.ts';
import { COMPLETE_TABLES, OPTION_TABLES } from './option-table.ts';
import { possibleValues, readOptions } from './options.ts';
import { gitUses, tarUses, usesOfFind } from './own-grammar-use.ts';
import { sedUses } from './sed-use.ts';
import { treeUses } from './tree-use.ts';

/** Several checks of one decision ask about the same words. */
const known = new WeakMap<readonly string[], FileUses>();

export function fileUses(words: readonly string[]): FileUses {
  let uses = known.get(words);
  if (uses === undefined) {
    uses = usesOfCall(words);
    known.set(words, uses);
  }
  return uses;
}

function usesOfCall(words: readonly string[]): FileUses {
  const name = basename(words[0] ?? '');
  const args = words.slice(1);
  if (name === 'git') return gitUses(args);
  if (name === 'find') return { ...NO_FILES, uses: usesOfFind(args) };
  if (name === 'sed') return sedUses(args);
  if (name === 'tar') return tarUses(args);
  const kind = FILE_PROGRAMS.get(name);
  const fromOptions = optionUses(name, args, kind);
  if (kind === undefined) {
    const mentions = HARMLESS.has(name) || name === 'xargs' ? [] : args.flatMap(mentionsIn);
    const trees = treeUses(
      name,
      args,
      args.filter((arg) => !/^-./.test(arg)),
    );
    return { ...NO_FILES, ...fromOptions, uses: [...fromOptions.uses, ...trees], mentions };
  }
  const recursive = isRecursive(name, args);
  // What awk writes and what is part of a text is told apart roughly: enough to ask.
  const printed = /awk$/.test(name) ? readAwk(args).writes.map((word) => onlyAsking(write(word))) : [];
  const operands = operandsOf(name, kind, args);
  // What searches below a directory begins here when none is named.
  if (recursive && kind === 'search' && operands.length === 0) operands.push('.');
  return {
    known: true,
    uses: [
      ...operands
        .flatMap((word, index) => usesOf(kind, word, index))
        .map((use) => (showsNames(name, args) ? { ...use, onlyNames: true as const } : use)),
      ...fromOptions.uses,
      ...treeUses(name, args, operands),
      ...printed,
    ],
    recursive,
    mentions: [],
    unsure: fromOptions.unsure || (name === 'strings' && args.some((arg) => arg.startsWith('@'))),
  };
}

function showsNames(name: string, args: readonly string[]): boolean {
  if (name === 'wc')
    return args.every((arg) => !arg.startsWith('-') || /^-c+$|^--bytes$/.test(arg)) && args.length > 1;
  return /^(?:ls|dir|vdir|stat|touch)$/.test(name);
}

function usesOf(kind: FileRow, word: string, index: number): readonly FileUse[] {
  switch (kind) {
    case 'read':
    case 'search':
      // Some programs read a list of options or files from `@file`.
      return word.startsWith('@') ? [read(word), read(word.slice(1))] : [read(word)];
    case 'write':
      return [write(word)];
    case 'both':
      return [read(word), write(word)];
    case 'copy':
      return index === 0 ? [read(word)] : [read(word), write(word)];
  }
}

/** The files that options name. Where the options of a program are all known, and these were understood, nothing else can be one. */
function optionUses(
  name: string,
  args: readonly string[],
  kind: FileRow | undefined,
): Pick<FileUses, 'uses' | 'unsure'> {
  const table = OPTION_TABLES.get(name);
  if (table === undefined && kind === undefined) return { uses: [], unsure: false };
  const exact = table !== undefined && COMPLETE_TABLES.has(name) ? readOptions(args, table) : undefined;
  const values = possibleValues(args, table).filter(
    ({ role }) => role === 'read' || role === 'write' || (exact?.unsure ?? kind !== undefined),
  );
  const uses = values.flatMap(({ role, value }) =>
    role === 'write' || ((kind === 'write' || kind === 'both') && role !== 'read')
      ? [read(value), write(value)]
      : [read(value)],
  );
  const operands = name === 'dd' ? args.flatMap((arg) => /^(?:if|of)=(.+)$/s.exec(arg)?.[1] ?? []) : [];
  const used = uses.filter(({ word }) => word !== '');
  return {
    uses: [
      ...(name === 'wget' ? used.map(onlyAsking) : used),
      ...operands.flatMap((word) => [read(word), write(word)]),
    ],
    unsure: exact !== undefined && (exact.unsure || exact.values.some(({ role }) => role === 'run')),
  };
}

function operandsOf(name: string, kind: FileRow, args: readonly string[]): string[] {
  const table = COMPLETE_TABLES.has(name) ? OPTION_TABLES.get(name) : undefined;
  const exact = table === undefined ? undefined : readOptions(args, table);
  const isExact = exact !== undefined && !exact.unsure;
  const end = args.indexOf('--');
  const plain = isExact
    ? exact.operands
    : args.filter((arg, index) => (end >= 0 && index > end) || !/^-./.test(arg));
  const operands = plain.filter((arg) => arg !== '-' && arg !== '--');
  if (kind === 'search' && !givesPattern(args) && (isExact || exact === undefined || operands.length > 1))
    operands.shift();
  // The mode of `chmod -x f` looks like an option, and `--reference` is given in place of one.
  const isFirstNoFile =
    /^ch(?:mod|own|grp)$/.test(name) && !args.some((arg) => /^-[rwxXst]|^--ref/.test(arg));
  if (isFirstNoFile) operands.shift();
  return operands;
}

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
