/** The files of programs whose arguments are no plain options and operands: tar, find, git. */
import { join } from 'node:path';
import {
  type FileUse,
  type FileUses,
  mentionsAmong,
  NO_FILES,
  onlyAsking,
  read,
  write,
} from './file-uses.ts';
import { startsOfFind } from './find-starts.ts';
import { isRunSetting } from './git-code.ts';
import { fromSubcommand } from './global-options.ts';
import { OPTION_TABLES } from './option-table.ts';
import { possibleValues, readOptions } from './options.ts';

/** `tar xf a` is `tar -xf a`; with more letters that take a value their order decides, which is not followed. */
export function tarUses(args: readonly string[]): FileUses {
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
  const removes = args.some((arg) => /^--rem/.test(arg));
  const extracts = [...exact.given].some((one) => /^(?:x|extract|get)$/.test(one));
  const named = possibleValues(dashed, table).filter(({ role }) => role !== 'run');
  const operands = unsure ? args : exact.operands;
  const [archive] = unsure
    ? []
    : named.filter(({ name }) => /^f(?:ile)?$/.test(name)).map(({ value }) => value);
  const directory = named.find(({ name }) => name === 'C' || 'directory'.startsWith(name))?.value ?? '.';
  return {
    known: true,
    uses: [
      ...named.flatMap(({ value, role }) => (role === 'write' ? [read(value), write(value)] : [read(value)])),
      // As with other archivers what goes into the archive only asks.
      ...(removes ? operands.map((word): FileUse => ({ ...write(word), below: 'existing' })) : []),
      ...operands.map((word) => (extracts ? write(word) : onlyAsking({ ...read(word), below: 'existing' }))),
      ...(extracts
        ? [
            {
              ...write(directory),
              below: 'unknown',
              ...(archive === undefined ? {} : { needs: archive }),
            } as const,
          ]
        : []),
    ].filter(({ word }) => word !== ''),
    recursive: !extracts,
    mentions: mentionsAmong(args),
    // With these it writes wherever a name in the archive says.
    unsure: unsure || (extracts && (exact.given.has('P') || exact.given.has('absolute-names'))),
  };
}

const MOST_NAMES = 16;

/** What `find` removes or writes itself; what it runs is looked at as a command. */
export function usesOfFind(args: readonly string[]): readonly FileUse[] {
  const starts = startsOfFind(['find', ...args]);
  const removed = args.includes('-delete') ? (starts.length > 0 ? starts : ['.']) : [];
  const written = args.filter((_, index) => /^-(?:fprint0?|fprintf|fls)$/.test(args[index - 1] ?? ''));
  const lists = args.filter((_, index) => args[index - 1] === '-files0-from');
  // It removes what is so called in the directory where it begins, and elsewhere.
  const named = args
    .filter((_, index) => /^-i?name$/.test(args[index - 1] ?? ''))
    .slice(0, MOST_NAMES)
    .flatMap((name) => removed.map((start) => write(join(start, name))));
  const paths =
    removed.length === 0
      ? []
      : args.filter((_, index) => /^-i?(?:path|wholename)$/.test(args[index - 1] ?? ''));
  // What a name or another test narrows down is not known; a rule is about files.
  const isNarrow = args.some(
    (arg, index) =>
      /^-(?!delete$|depth$|xdev$|mount$|P$|print)/.test(arg) && !(arg === '-type' && args[index + 1] === 'f'),
  );
  return [
    // It lists what is in them.
    ...starts.map(read),
    ...removed.map((word): FileUse => ({ ...write(word), below: isNarrow ? 'unknown' : 'existing' })),
    ...named,
    ...paths.slice(0, MOST_NAMES).map(write),
    ...written.map(write),
    ...lists.map(read),
  ];
}

export function gitUses(args: readonly string[]): FileUses {
  const called = fromSubcommand('git', args);
  const command = called[0];
  const trees = gitTrees(command, called);
  const uses = [
    ...gitOutputs(args),
    ...(called.length < args.length
      ? fromElsewhere(trees, args.slice(0, args.length - called.length))
      : trees),
  ];
  const reads =
    command === 'hash-object' || (args.includes('--no-index') && (command === 'grep' || command === 'diff'));
  if (!reads) return { ...NO_FILES, uses, mentions: mentionsAmong(args) };
  const operands = args.filter((arg) => !arg.startsWith('-') && arg !== command);
  return { ...NO_FILES, known: true, uses: [...operands.map(read), ...uses] };
}

const gitOutputs = (args: readonly string[]): readonly FileUse[] =>
  possibleValues(args, OPTION_TABLES.get('git')).flatMap(({ role, value }) =>
    role === 'write' ? [write(value)] : [],
  );

/** The paths as seen from the directories that the options before the sub-command name. */
function fromElsewhere(uses: readonly FileUse[], options: readonly string[]): readonly FileUse[] {
  const directories = options.flatMap((arg, index) =>
    options[index - 1] === '-C' ? [arg] : (/^--work-tree=(.+)$/.exec(arg)?.[1] ?? []),
  );
  if (directories.length === 0) return uses;
  return uses.flatMap((use) => [
    use,
    { ...use, word: use.word.startsWith('/') ? use.word : join(...directories, use.word) },
  ]);
}

const CHANGES_TREE = /^(?:rm|restore|mv|checkout|clean|apply|am|checkout-index|read-tree|config|grep)$/;

/** Sub-commands that change files of the work tree by their paths, or by what a patch says. */
function gitTrees(command: string | undefined, args: readonly string[]): readonly FileUse[] {
  if (command === undefined || !CHANGES_TREE.test(command)) return [];
  const after = args.slice(args.indexOf(command) + 1);
  const end = after.indexOf('--');
  const paths = end >= 0 ? after.slice(end + 1) : after.filter((arg) => !arg.startsWith('-'));
  const all = (access: FileUse['access'], word: string): FileUse => ({ access, word, below: 'existing' });
  const unknown: FileUse = { access: 'write', word: '.', below: 'unknown' };
  switch (command) {
    case 'rm':
    case 'restore':
      return paths.map((word) => all('write', word));
    case 'mv':
      return paths.flatMap((word) => [all('read', word), all('write', word)]);
    case 'checkout':
      // A branch or a path: what exists as a path is changed.
      return paths.map((word) => all('write', word));
    case 'clean':
      return paths.length > 0 ? paths.map((word) => all('write', word)) : [unknown];
    case 'apply':
    case 'am':
    case 'checkout-index':
    case 'read-tree':
      return [unknown];
    case 'config':
      return configWrites(after, paths);
    case 'grep':
      return (paths.length > 1 ? paths.slice(1) : ['.']).map((word) => ({
        ...all('read', word),
        onlyAsks: true,
      }));
    default:
      return [];
  }
}

/** A setting that git runs is code for later: writing it is writing the file that holds it. */
function configWrites(args: readonly string[], operands: readonly string[]): readonly FileUse[] {
  const given = /^(?:set|unset|replace|add|rename-section)$/.test(operands[0] ?? '')
    ? operands.slice(1)
    : operands;
  const only =
    args.some((arg) => /^--(?:get|list|show)|^-l$/.test(arg)) || /^(?:get|list)$/.test(operands[0] ?? '');
  const changes =
    given.length > 1 || args.some((arg) => /^--(?:unset|remove)/.test(arg)) || given.length < operands.length;
  if (only || !changes || !given.some(isRunSetting)) return [];
  const file = args.find((_, index) => /^(?:-f|--file)$/.test(args[index - 1] ?? ''));
  return [write(file ?? (args.includes('--global') ? '~/.gitconfig' : '.git/config'))];
}
