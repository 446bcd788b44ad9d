/** The files that a call of git uses: by its operands, its options, its pathspecs, and its settings. */
import { join } from 'node:path';
import { goesUp } from '../shell/paths.ts';
import {
  type FileUse,
  type FileUses,
  mentionsAmong,
  NO_FILES,
  onlyAsking,
  read,
  write,
} from './file-uses.ts';
import { isRunSetting } from './git-code.ts';
import { gitOptions } from './git-options.ts';
import { fromSubcommand } from './global-options.ts';
import { OPTION_TABLES } from './option-table.ts';
import { possibleValues } from './options.ts';
import { usesOfPathspec } from './pathspec.ts';

export function gitUses(args: readonly string[]): FileUses {
  const called = fromSubcommand('git', args);
  const [command = '', ...rest] = called;
  const here = [
    ...treeUses(command, rest),
    ...operandUses(command, rest),
    ...optionUses(command, rest),
    ...pathspecUses(command, rest),
  ];
  const uses = [...gitOutputs(args), ...fromElsewhere(here, args.slice(0, args.length - called.length))];
  const isOpen =
    NAMES_FILES.test(command) ||
    (command === 'checkout' && rest.includes('--')) ||
    (READS_PATHS.test(command) && isHandedNames(rest));
  const open = isOpen ? ({ namesFiles: true } as const) : {};
  if (command !== 'hash-object' && !isNoIndex(command, rest))
    return { ...NO_FILES, uses, mentions: mentionsAmong(args), ...open };
  return { ...NO_FILES, known: true, uses };
}

/** What they do to files that the call names: those that nobody can see count. */
const NAMES_FILES = /^(?:rm|mv|restore|hash-object)$/;

/** By `find` or `xargs`, which put them at the end, or here. */
const isHandedNames = (args: readonly string[]): boolean =>
  args.includes('{}') || operandsOf(args).length === 0;

const isNoIndex = (command: string, args: readonly string[]): boolean =>
  /^(?:grep|diff)$/.test(command) && args.some((arg) => /^--no-ind?e?x?$/.test(arg));

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !arg.startsWith('-'));

const gitOutputs = (args: readonly string[]): readonly FileUse[] =>
  possibleValues(args, OPTION_TABLES.get('git')).flatMap(({ role, value }) =>
    role === 'write' ? [write(value)] : [],
  );

const DIRECTORIES = /^(?:format-patch|checkout-index|mailsplit|bugreport|diagnose)$/;

function optionUses(command: string, args: readonly string[]): readonly FileUse[] {
  const table = gitOptions(command);
  if (table === undefined) return [];
  const below = DIRECTORIES.test(command) ? ({ below: 'unknown' } as const) : {};
  return possibleValues(args, table).flatMap(({ role, value }): readonly FileUse[] => {
    if (value === '') return [];
    if (role === 'read') return [read(value)];
    return role === 'write' ? [write(value), { ...write(value), ...below }] : [];
  });
}

/** Where the operands of a sub-command lie outside the repository it reads or writes them all the same. */
const isOutside = (word: string): boolean => /^[/~]/.test(word) || goesUp(word);

function operandUses(command: string, args: readonly string[]): readonly FileUse[] {
  const operands = operandsOf(args);
  switch (command) {
    case 'hash-object':
      return operands.map(read);
    case 'grep':
      return isNoIndex(command, args) ? operands.map(read) : [];
    case 'diff':
      // Of files that are in no repository it shows the difference, too.
      return isNoIndex(command, args)
        ? operands.map((word): FileUse => ({ ...read(word), below: 'existing' }))
        : operands.filter(isOutside).map(read);
    case 'apply':
    case 'am':
    case 'mailinfo':
      return command === 'mailinfo' ? operands.map(write) : operands.filter(isOutside).map(read);
    case 'interpret-trailers':
      return operands.filter(isOutside).map(args.some((arg) => /^--in-p/.test(arg)) ? write : read);
    case 'merge-file':
      return operands.map((word, index) => (index === 0 && !args.includes('-p') ? write(word) : read(word)));
    case 'pack-objects':
      return operands.slice(0, 1).map(write);
    case 'init':
      return operands.slice(-1).map(write);
    case 'clone':
      return operands.length < 2 ? [] : operands.slice(-1).filter(isNoAddress).map(write);
    case 'bundle':
      return operands[0] === 'create' ? operands.slice(1, 2).map(write) : [];
    case 'worktree':
      return /^(?:add|move)$/.test(operands[0] ?? '') ? operands.slice(1).map(write) : [];
    case 'submodule':
      return operands[0] === 'add' && operands.length > 2
        ? operands.slice(-1).filter(isNoAddress).map(write)
        : [];
    default:
      return [];
  }
}

const isNoAddress = (word: string): boolean => !word.includes(':');

const READS_PATHS = /^(?:add|stage|blame|annotate|diff|difftool|update-index)$/;
const WRITES_PATHS = /^(?:rm|restore|mv|checkout|clean)$/;

function pathspecUses(command: string, args: readonly string[]): readonly FileUse[] {
  const reads = READS_PATHS.test(command);
  if (!reads && !WRITES_PATHS.test(command)) return [];
  const paths = pathsAmong(args);
  return [
    ...(reads || command === 'mv' ? paths.flatMap((word) => usesOfPathspec('read', word)) : []),
    ...(reads ? [] : paths.flatMap((word) => usesOfPathspec('write', word))),
  ];
}

function pathsAmong(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end >= 0 ? args.slice(end + 1) : operandsOf(args);
}

/** Files of the work tree that the call reads by their paths; for rules that restrict only. */
export function readByGit(args: readonly string[]): readonly FileUse[] {
  const [command = '', ...rest] = fromSubcommand('git', args);
  return READS_PATHS.test(command) ? operandsOf(rest).map(read) : [];
}

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

/** Sub-commands that change files of the work tree by their paths, or by what a patch says. */
function treeUses(command: string, after: readonly string[]): readonly FileUse[] {
  const paths = pathsAmong(after);
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
      return (paths.length > 1 ? paths.slice(1) : ['.']).map((word) => onlyAsking(all('read', word)));
    default:
      return [];
  }
}

/** A setting that git runs is code for later: writing it is writing the file that holds it. */
function configWrites(args: readonly string[], operands: readonly string[]): readonly FileUse[] {
  const given = /^(?:set|unset|replace|add|rename-section|remove-section|edit)$/.test(operands[0] ?? '')
    ? operands.slice(1)
    : operands;
  const isRead =
    args.some((arg) => /^--(?:get|list|show)|^-l$/.test(arg)) || /^(?:get|list)$/.test(operands[0] ?? '');
  // A section that gets another name may come to hold such a setting, and so may what is edited by hand.
  const isOpen =
    args.some((arg) => /^--(?:rename|edit)|^-e$/.test(arg)) ||
    /^(?:rename-section|edit)$/.test(operands[0] ?? '');
  const changes =
    isOpen ||
    given.length > 1 ||
    args.some((arg) => /^--(?:unset|remove)/.test(arg)) ||
    given.length < operands.length;
  if (isRead || !changes) return [];
  const file = fileOfConfig(args);
  if (isOpen || given.some(isRunSetting))
    return [write(file ?? (args.includes('--global') ? '~/.gitconfig' : '.git/config'))];
  return file === undefined ? [] : [write(file)];
}

function fileOfConfig(args: readonly string[]): string | undefined {
  const named = args.find((_, index) => /^(?:-f|--fil?e?)$/.test(args[index - 1] ?? ''));
  return (
    named ?? args.map((arg) => /^(?:-f|--fil?e?=)(.+)$/s.exec(arg)?.[1]).find((one) => one !== undefined)
  );
}
