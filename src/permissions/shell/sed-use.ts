/** The scripts and the files of a call of sed. */
import { type FileUses, read, write } from './file-uses.ts';
import { OPTION_TABLES } from './option-table.ts';
import { readOptions } from './options.ts';
import { readSedScript } from './sed-script.ts';

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

export function sedUses(args: readonly string[]): FileUses {
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
