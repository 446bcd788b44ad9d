/** The scripts and the files of a call of sed. */
import { basename, dirname, join } from 'node:path';
import { type FileUse, type FileUses, onlyAsking, read, write } from './file-uses.ts';
import { OPTION_TABLES } from './option-table.ts';
import { readOptions } from './options.ts';
import { readSedScript } from './sed-script.ts';

export function readSed(args: readonly string[]): {
  readonly scripts: readonly string[];
  readonly files: readonly string[];
  readonly scriptFiles: readonly string[];
  readonly inPlace: boolean;
  /** What `-i` makes the names of backups of. */
  readonly suffixes: readonly string[];
  readonly unsure: boolean;
} {
  const table = OPTION_TABLES.get('sed') ?? { flags: '', long: '' };
  const { values, operands, given, unsure } = readOptions(args, table);
  const scripts = values.filter(({ name }) => /^e(?:xpression)?$/.test(name)).map(({ value }) => value);
  const scriptFiles = values.filter(({ role }) => role === 'read').map(({ value }) => value);
  const suffixes = values.flatMap(({ name, value }) =>
    /^i(?:n-place)?$/.test(name) && value !== '' ? value : [],
  );
  const inPlace = args.some((arg) => /^-[^-]*i|^--i/.test(arg));
  const isFirstScript = scripts.length + scriptFiles.length === 0;
  return {
    // `-i '' SCRIPT` of BSD: there the first is the suffix, to GNU sed it is a script that does nothing.
    scripts: isFirstScript ? operands.slice(0, inPlace && operands[0] === '' ? 2 : 1) : scripts,
    files: (isFirstScript ? operands.slice(1) : operands).filter((file) => file !== '-'),
    scriptFiles,
    inPlace,
    suffixes,
    // There a script is read in another way.
    unsure: unsure || given.has('posix') || suffixes.some((suffix) => /^[^*]*\/[^*]*$/.test(suffix)),
  };
}

export function sedUses(args: readonly string[]): FileUses {
  const { scripts, files, scriptFiles, inPlace, suffixes, unsure } = readSed(args);
  const script = readSedScript(scripts);
  // What was not understood may name a file in any place.
  const others = unsure ? args.filter((arg) => !arg.startsWith('-')) : [];
  const named = [...files, ...others];
  return {
    known: true,
    uses: [
      ...named.map(read),
      ...(inPlace ? named.map(write) : []),
      ...suffixes.flatMap((suffix) => named.flatMap((file) => backupsOf(file, suffix))),
      ...[...scriptFiles, ...script.reads].map(read),
      ...script.writes.map(write),
    ],
    recursive: false,
    mentions: [],
    unsure: unsure || !script.sure || script.runs || script.code.length > 0 || scriptFiles.length > 0,
  };
}

/** `-i.bak` adds to the name; in `-i'old/*'` it stands for the star: with its directory in sed 4.9, without in others. */
function backupsOf(file: string, suffix: string): readonly FileUse[] {
  if (!suffix.includes('*')) return [write(file + suffix)];
  const name = suffix.replaceAll('*', basename(file));
  const others = file.includes('/') ? [name, join(dirname(file), name)] : [];
  return [write(suffix.replaceAll('*', file)), ...others.map((other) => onlyAsking(write(other)))];
}
