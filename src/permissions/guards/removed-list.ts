/** What `… | xargs rm` removes: the names that come through the pipe, as far as what makes them can be told. */
import { nameOf } from '../programs/program-name.ts';
import type { Reading } from '../programs/reading.ts';
import type { SimpleCommand } from '../shell/commands.ts';
import { emptiedByFind } from './found-and-removed.ts';

/** A directory that is emptied, as seen from some others. */
interface Emptied {
  readonly word: string;
  readonly cwds: readonly string[];
}

/** They hand on lines of what they read, as these are. */
const FILTERS = /^(?:cat|grep|egrep|fgrep|rg|head|tail|sort|uniq|tr|shuf|tee)$/;
/** What they print are names of directories. */
const PRINTS_DIRECTORIES = /^(?:pwd|realpath|readlink|dirname|echo|printf)$|^git rev-parse/;

/** `fed`: the commands of the pipe that come before, the first one first; none where the names come from elsewhere. */
export function emptiedByList(
  { name, words }: Reading,
  fed: readonly SimpleCommand[],
): readonly Emptied[] | 'unknown' {
  const holders = words.filter((word) => /^\{\}|^%$/.test(word));
  // `xargs -I{} rm -rf build/{}` stays below.
  if (holders.length === 0 && words.some((word) => word.includes('{}'))) return [];
  const [source, ...filters] = fed;
  const made = source?.words.map(({ value }) => value) ?? [];
  const program = nameOf(made[0] ?? '');
  const isRecursive = name === 'rm' && words.some((word) => /^-[a-zA-Z]*[rR]|^--r/.test(word));
  const isKnown = source?.isPart === true && source.words.every(({ kind }) => kind !== 'dynamic');
  if (isKnown && /^(?:find|fd|fdfind)$/.test(program)) {
    const names = filters.map((filter) => nameOf(filter.words[0]?.value ?? ''));
    if (!names.every((one) => FILTERS.test(one))) return isRecursive ? 'unknown' : [];
    if (filters.some(searches)) return [];
    const removing = program === 'find' ? ['(', ')', '-delete'] : ['-X', 'rm'];
    return emptiedByFind([program, ...made.slice(1), ...removing]).map((word) => ({
      word,
      cwds: source.cwds,
    }));
  }
  const printed = [program, ...made.slice(1)].join(' ');
  return isRecursive || (filters.length === 0 && PRINTS_DIRECTORIES.test(printed)) ? 'unknown' : [];
}

/** `grep x` leaves what has an `x`. */
const searches = ({ words }: SimpleCommand): boolean =>
  /grep$|^rg$/.test(nameOf(words[0]?.value ?? '')) &&
  !words.some(({ value }) => /^-[a-zA-Z]*v|^--inv/.test(value)) &&
  words.slice(1).some(({ value }) => !value.startsWith('-') && /\w/.test(value));
