/** Options that hand a program another program or shell code, where the option tables name them. */
import { OPTION_TABLES } from './option-table.ts';
import { possibleValues } from './options.ts';

/** Programs that may stand in such an option and change nothing that a rule could mean. */
const EXPECTED =
  /^(?:cat|less|more|most|true|ssh|gzip|gunzip|pigz|bzip2|pbzip2|xz|zstd|lz4|lzop|zstdmt)(?: -[\w.]+)*$/;

const NONE: readonly string[] = [];

/** `tar cIf 'zstd -1' a f` is `tar -c -I 'zstd -1' -f a f`: letters take their values in the order in which they stand. */
function dashed(args: readonly string[]): readonly string[] {
  const [letters = '', ...rest] = args;
  if (!/^[A-Za-z]+$/.test(letters) || !/[IF]/.test(letters)) return args;
  const options: string[] = [];
  let taken = 0;
  for (const letter of letters)
    options.push(`-${letter}`, ...(/[bfCFgHIKLNTVX]/.test(letter) ? rest.slice(taken++, taken) : []));
  return [...options, ...rest.slice(taken)];
}

/** Texts that `name` runs, as its options give them. */
export function programsToRun(name: string, args: readonly string[]): readonly string[] {
  const table = OPTION_TABLES.get(name);
  if (table === undefined) return NONE;
  const options = name === 'tar' ? dashed(args) : args;
  if (!options.some((arg) => arg.startsWith('-'))) return NONE;
  return possibleValues(options, table)
    .filter(({ role, value }) => role === 'run' && !EXPECTED.test(value))
    .map(({ value }) => value.replace(/^(?:exec=|[|!])/, ''));
}
