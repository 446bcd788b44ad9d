/** Options that hand a program another program or shell code, where the option tables name them. */
import { OPTION_TABLES } from './option-table.ts';
import { possibleValues } from './options.ts';

/** Programs that may stand in such an option and change nothing that a rule could mean. */
const EXPECTED =
  /^(?:cat|less|more|most|true|ssh|gzip|gunzip|pigz|bzip2|pbzip2|xz|zstd|lz4|lzop|zstdmt)(?: -[\w.]+)*$/;

const NONE: readonly string[] = [];

/** Texts that `name` runs, as its options give them. */
export function programsToRun(name: string, args: readonly string[]): readonly string[] {
  const table = OPTION_TABLES.get(name);
  if (table === undefined || !args.some((arg) => arg.startsWith('-'))) return NONE;
  return possibleValues(args, table)
    .filter(({ role, value }) => role === 'run' && !EXPECTED.test(value))
    .map(({ value }) => value.replace(/^(?:exec=|[|!])/, ''));
}
