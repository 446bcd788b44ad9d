/**
 * Which files a program call names, by a table of programs. What is not in the table is only known to mention words.
 * Long because programs with a grammar of their own (sed, tar, find, git) stand beside the table.
 */
import { basename } from 'node:path';
import { COMPLETE_TABLES, OPTION_TABLES } from './option-table.ts';
import { possibleValues, readOptions } from './options.ts';
import { readSedScript } from './sed-script.ts';

export interface FileUse {
  readonly access: 'read' | 'write';
  readonly word: string;
}

export interface FileUses {
  /** The program is in the table: its operands are files, used as said. */
  readonly known: boolean;
  readonly uses: readonly FileUse[];
  /** Reads whatever is below a directory. */
  readonly recursive: boolean;
  /** Words that may hold the name of a file all the same. */
  readonly mentions: readonly string[];
  /** An option was not understood, or names a program to run: no rule for the program alone covers the call. */
  readonly unsure: boolean;
}

/** `search`: the first operand is a pattern or a program unless an option gave it. `both`: read and written. `copy`: the last is written. */
type Row = 'read' | 'write' | 'both' | 'search' | 'copy';

const row = (kind: Row, names: string): readonly (readonly [string, Row])[] =>
  names.split(' ').map((name) => [name, kind] as const);

const PROGRAMS: ReadonlyMap<string, Row> = new Map([
  ...row(
    'read',
    'cat head tail less more od hexdump hd strings base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum',
  ),
  ...row(
    'read',
    'sha512sum b2sum cksum sum wc cut paste column fold fmt pr nl tac rev diff cmp comm join stat file ls dir sort',
  ),
  ...row(
    'read',
    'vdir iconv shuf tsort look expand unexpand source . bash sh dash zsh ksh cd pushd mapfile readarray',
  ),
  ...row('read', 'zcat bat view bzcat xzcat'),
  ...row('search', 'grep egrep fgrep rg ag ack awk gawk mawk nawk jq yq'),
  ...row('write', 'tee touch mkdir rm rmdir unlink shred truncate chmod chown chgrp mkfifo mknod sponge'),
  ...row('both', 'cp mv ln install dd vim vi nano ed ex emacs rsync scp patch'),
  ...row('copy', 'uniq xxd split csplit'),
]);

/** Programs that show names or words, not contents. */
const HARMLESS = new Set(
  'echo printf du readlink realpath test [ [[ find pwd which basename dirname true false seq date tree df type hash export'.split(
    ' ',
  ),
);

const NONE: FileUses = { known: false, uses: [], recursive: false, mentions: [], unsure: false };
const read = (word: string): FileUse => ({ access: 'read', word });
const write = (word: string): FileUse => ({ access: 'write', word });

export function fileUses(words: readonly string[]): FileUses {
  const name = basename(words[0] ?? '');
  const args = words.slice(1);
  if (name === 'git') return gitUses(args);
  if (name === 'find') return { ...NONE, uses: usesOfFind(args) };
  if (name === 'sed') return sedUses(args);
  if (name === 'tar') return tarUses(args);
  const kind = PROGRAMS.get(name);
  const fromOptions = optionUses(name, args, kind);
  if (kind === undefined) {
    const mentions = HARMLESS.has(name) || name === 'xargs' ? [] : args.flatMap(mentionsIn);
    return { ...NONE, ...fromOptions, mentions };
  }
  const recursive = isRecursive(name, args);
  const operands = operandsOf(name, kind, args);
  // What searches below a directory begins here when none is named.
  if (recursive && kind === 'search' && operands.length === 0) operands.push('.');
  return {
    known: true,
    uses: [...operands.flatMap((word, index) => usesOf(kind, word, index)), ...fromOptions.uses],
    recursive,
    mentions: [],
    unsure: fromOptions.unsure || (name === 'strings' && args.some((arg) => arg.startsWith('@'))),
  };
}

function usesOf(kind: Row, word: string, index: number): readonly FileUse[] {
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
  kind: Row | undefined,
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
  return {
    uses: [
      ...uses.filter(({ word }) => word !== ''),
      ...operands.flatMap((word) => [read(word), write(word)]),
    ],
    unsure: exact !== undefined && (exact.unsure || exact.values.some(({ role }) => role === 'run')),
  };
}

function operandsOf(name: string, kind: Row, args: readonly string[]): string[] {
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
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));
  switch (name) {
    case 'rg':
    case 'ag':
    case 'ack':
    case 'rsync':
      return true;
    case 'grep':
    case 'egrep':
    case 'fgrep':
      return has(/^-[^-]*[rR]|^--(?:rec|deref)|recurse$/);
    case 'diff':
      return has(/^-[^-]*r|^--rec/);
    case 'cp':
    case 'scp':
      return has(/^-[^-]*[rRa]|^--(?:rec|arc)/);
    default:
      return has(/^--files0-f/);
  }
}

/** The scripts and the files of a call of sed. */
export function readSed(args: readonly string[]): {
  readonly scripts: readonly string[];
  readonly files: readonly string[];
  readonly scriptFiles: readonly string[];
  readonly inPlace: boolean;
  readonly unsure: boolean;
} {
  const table = OPTION_TABLES.get('sed') ?? { flags: '', long: '' };
  const { values, operands, unsure } = readOptions(args, table);
  const scripts = values.filter(({ name }) => /^e(?:xpression)?$/.test(name)).map(({ value }) => value);
  const scriptFiles = values.filter(({ role }) => role === 'read').map(({ value }) => value);
  const isFirstScript = scripts.length + scriptFiles.length === 0;
  return {
    scripts: isFirstScript ? operands.slice(0, 1) : scripts,
    files: (isFirstScript ? operands.slice(1) : operands).filter((file) => file !== '-'),
    scriptFiles,
    inPlace: args.some((arg) => /^-[^-]*i|^--i/.test(arg)),
    unsure,
  };
}

function sedUses(args: readonly string[]): FileUses {
  const { scripts, files, scriptFiles, inPlace, unsure } = readSed(args);
  const script = readSedScript(scripts);
  // What was not understood may name a file in any place.
  const others = unsure ? args.filter((arg) => !arg.startsWith('-')) : [];
  const named = [...files, ...others];
  return {
    known: true,
    uses: [
      ...named.map(read),
      ...(inPlace ? named.map(write) : []),
      ...[...scriptFiles, ...script.reads].map(read),
      ...script.writes.map(write),
    ],
    recursive: false,
    mentions: [],
    unsure: unsure || !script.sure || script.runs || script.code.length > 0 || scriptFiles.length > 0,
  };
}

/** `tar xf a` is `tar -xf a`; with more letters that take a value their order decides, which is not followed. */
function tarUses(args: readonly string[]): FileUses {
  const isOld = /^[A-Za-z]+$/.test(args[0] ?? '');
  const dashed = isOld
    ? [`-${args[0]?.replace(/[fC]/g, '')}${/f/.test(args[0] ?? '') ? 'f' : ''}`, ...args.slice(1)]
    : args;
  const table = OPTION_TABLES.get('tar') ?? { flags: '', long: '' };
  const exact = readOptions(dashed, table);
  const unsure =
    exact.unsure ||
    exact.values.some(({ role }) => role === 'run') ||
    /^[^-]*[bCgTXIFHKLNV]/.test(isOld ? (args[0] ?? '') : '');
  const extracts = [...exact.given].some((one) => /^(?:x|extract|get)$/.test(one));
  const named = possibleValues(dashed, table).filter(({ role }) => role !== 'run');
  const operands = unsure ? args : exact.operands;
  const directory = named.find(({ name }) => name === 'C' || 'directory'.startsWith(name))?.value ?? '.';
  return {
    known: true,
    uses: [
      ...named.flatMap(({ value, role }) => (role === 'write' ? [read(value), write(value)] : [read(value)])),
      ...operands.flatMap((word) => (extracts ? [write(word)] : [read(word)])),
      ...(extracts ? [write(directory)] : []),
    ].filter(({ word }) => word !== ''),
    recursive: !extracts,
    mentions: args.flatMap(mentionsIn),
    unsure,
  };
}

/** What `find` removes or writes itself; what it runs is looked at as a command. */
function usesOfFind(args: readonly string[]): readonly FileUse[] {
  const first = args.findIndex((arg) => /^[-(!]./.test(arg) && !/^-[HLP]$|^-O\d/.test(arg));
  const starts = args.slice(0, first < 0 ? undefined : first).filter((arg) => !arg.startsWith('-'));
  const removed = args.includes('-delete') ? (starts.length > 0 ? starts : ['.']) : [];
  const written = args.filter((_, index) => /^-(?:fprint0?|fprintf|fls)$/.test(args[index - 1] ?? ''));
  const lists = args.filter((_, index) => args[index - 1] === '-files0-from');
  return [...removed.map(write), ...written.map(write), ...lists.map(read)];
}

function gitUses(args: readonly string[]): FileUses {
  const command = args.find((arg) => !arg.startsWith('-'));
  const reads =
    command === 'hash-object' || (args.includes('--no-index') && (command === 'grep' || command === 'diff'));
  const operands = args.filter((arg) => !arg.startsWith('-') && arg !== command);
  const outputs = possibleValues(args, OPTION_TABLES.get('git')).filter(({ role }) => role === 'write');
  const uses = outputs.map(({ value }) => write(value));
  if (reads) return { ...NONE, known: true, uses: [...operands.map(read), ...uses] };
  return { ...NONE, uses, mentions: args.flatMap(mentionsIn) };
}

/** What may be a file in one argument: its pieces, and what may be glued to an option. */
function mentionsIn(arg: string): readonly string[] {
  if (!/^-[^-]/.test(arg)) return piecesOf(arg);
  return possibleValues([arg], undefined).flatMap(({ value }) => piecesOf(value));
}

const MOST_PIECES = 200;

/** A word and what stands between quotes, blanks and marks in it: file names in the code of another language. */
export function piecesOf(word: string): readonly string[] {
  const pieces = word.split(/[\s"'`=:;,(){}<>|@]+/).filter((piece) => piece !== '');
  return pieces.length === 1 && pieces[0] === word
    ? [word]
    : [...new Set([word, ...pieces.slice(0, MOST_PIECES)])];
}
