/**
 * Files that a call may change although no table says so: in place, as its output, or because `find` and `xargs` hand
 * them on. Only for what asks without a rule: here a word may be taken for a file that is none.
 */
import { join } from 'node:path';
import { mentionsAmong } from '../programs/file-uses.ts';
import { soughtByFind } from '../programs/find-names.ts';
import { partsOfFind } from '../programs/find-starts.ts';
import { nameOf, programOf } from '../programs/program-name.ts';
import { readOnlyCall } from '../programs/read-only.ts';
import type { Reading } from '../programs/reading.ts';

export interface ChangedFiles {
  readonly words: readonly string[];
  readonly cwds: readonly string[];
}

export function changedFiles(reading: Reading): readonly ChangedFiles[] {
  const { words, cwds, fed = [] } = reading;
  const changed = changedBy(reading);
  const own = changed.length === 0 ? [] : [{ words: changed, cwds }];
  if (fed.length === 0 || readOnlyCall(words, false) !== undefined) return own;
  // `find .git | xargs rm`: the names come from where it begins.
  const sources = fed.filter(({ words: [first] }) => NAMES_FILES.test(nameOf(first?.value ?? '')));
  return [
    ...own,
    ...sources.map((source) => ({
      words: source.words.slice(1).map(({ value }) => value),
      cwds: source.cwds,
    })),
  ];
}

/** Programs that print the names that they are given, or what lies below them. */
const NAMES_FILES =
  /^(?:find|fd|fdfind|ls|dir|tree|grep|egrep|fgrep|rg|ag|ack|echo|printf|realpath|readlink|git)$/;

function changedBy({ words, files }: Reading): readonly string[] {
  const [first = '', ...args] = words;
  const program = programOf(first);
  switch (program) {
    case 'find':
      return changedByFind(args);
    case 'fd':
    case 'fdfind':
      return args.some((arg) => /^-[a-zA-Z]*[xX]|^--exec/.test(arg)) ? args : NONE;
    case 'perl':
    case 'ruby':
      return args.some((arg) => IN_PLACE_SCRIPT.test(arg)) ? operandsOf(args) : NONE;
    case 'awk':
    case 'gawk':
      return args.some((arg) => /^(?:-i|--include=)?inplace$/.test(arg)) ? operandsOf(args) : NONE;
  }
  if (files.known || readOnlyCall(words, false) !== undefined) return NONE;
  const changes = CHANGES_ITS_FILES.has(program) || args.some((arg) => IN_PLACE.test(arg));
  return [...(changes ? mentionsAmong(operandsOf(args)) : NONE), ...outputsOf(args)];
}

const NONE: readonly string[] = [];

/** A cluster with an `i` in it, before a letter that takes the rest as its value. */
const IN_PLACE_SCRIPT = /^-[^-MmIeEFxd]*i/;

/** They write their files back, or their last one, without an option that says so. */
const CHANGES_ITS_FILES = new Set(
  'dos2unix unix2dos mac2unix unix2mac sd rpl black ruff isort rustfmt stylua alejandra nixpkgs-fmt ktlint swiftformat ffmpeg script crudini'.split(
    ' ',
  ),
);
const IN_PLACE =
  /^(?:-i(?:\..*)?|-[wL]|--in-?place(?:=.*)?|--write(?:-changes)?|--fix(?:-[\w-]+)?|--apply(?:-[\w-]+)?|--overwrite)$/;
const OUTPUT = /^(?:-o|-O|-out|--root|--out(?:put|-?file|-?dir|put-[a-z]+)?)$/i;
const GLUED_OUTPUT = /^(?:--root|--?out(?:put|-?file|-?dir|put-[a-z]+)?)[=:](.+)$/is;

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !arg.startsWith('-'));

const outputsOf = (args: readonly string[]): readonly string[] =>
  args.flatMap(
    (arg, index) => GLUED_OUTPUT.exec(arg)?.[1] ?? (OUTPUT.test(args[index - 1] ?? '') ? arg : NONE),
  );

/** What it hands to a command that may change it: what lies where it begins, what it looks for. Not what is left out. */
function changedByFind(args: readonly string[]): readonly string[] {
  const { starts, expression } = partsOfFind(['find', ...args]);
  if (!expression.some((word, index) => RUNS.test(word) && mayChange(expression.slice(index + 1))))
    return NONE;
  const words = ['find', ...args];
  const named = soughtByFind(words, /^-i?name$/);
  const paths = soughtByFind(words, /^-i?(?:path|wholename)$/);
  const below = starts.length > 0 ? starts : ['.'];
  return [...starts, ...below.flatMap((start) => named.map((name) => join(start, name))), ...paths];
}

const RUNS = /^-(?:exec|ok)(?:dir)?$/;

function mayChange(rest: readonly string[]): boolean {
  const end = rest.findIndex((word, index) => word === ';' || (word === '+' && rest[index - 1] === '{}'));
  return readOnlyCall(rest.slice(0, end < 0 ? undefined : end), false) === undefined;
}
