/** Removals that ask in every mode, whatever is allowed: what they remove is what everything else depends on. */
import type { Place } from './place.ts';
import { pathsNamed } from './shell/paths.ts';
import type { Reach } from './shell/reach.ts';

const REMOVERS = /^(?:rm|rmdir|unlink|mv|find)$/;

/** `rm` or `rmdir` of a directory that everything else depends on; asks in every mode, whatever is allowed. */
export function criticalRemoval(reach: Reach, place: Place): string | undefined {
  for (const { words, name, cwds } of reach.readings) {
    if (!REMOVERS.test(name)) continue;
    const removed = /^(?:rm|rmdir|unlink)$/.test(name)
      ? operandsOf(words.slice(1))
      : name === 'mv'
        ? operandsOf(words.slice(1)).slice(0, -1)
        : emptiedByFind([name, ...words.slice(1)]);
    const critical = removed.find((word) => {
      return pathsNamed(emptiedBy(word), cwds, place).some((path) => place.isCritical(path));
    });
    if (critical !== undefined) return `${words[0]} ${critical}`;
  }
  return undefined;
}

/** The directories that `find` empties: it removes what it finds, and no name or age narrows that down. */
export function emptiedByFind([name, ...args]: readonly string[]): readonly string[] {
  if (name !== 'find') return [];
  const removes =
    args.includes('-delete') ||
    args.some(
      (arg, index) =>
        /^-(?:exec|execdir|ok)/.test(args[index - 1] ?? '') && /^(?:.*\/)?(?:rm|shred|unlink)$/.test(arg),
    );
  const isNarrow = args.some((arg) =>
    /^-(?:i?name|i?path|i?regex|empty|newer|[amc](?:time|min)|size|user|group|perm|maxdepth)/.test(arg),
  );
  if (!removes || isNarrow) return [];
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLP]$/.test(arg));
  const starts = args.slice(0, first < 0 ? undefined : first).filter((arg) => !arg.startsWith('-'));
  return starts.length > 0 ? starts : ['.'];
}

/** `dir/*` removes what is in `dir`, which is as much. */
export function emptiedBy(word: string): string {
  let end = word.length;
  while (end > 0 && '.*?'.includes(word[end - 1] ?? '')) end--;
  if (!word.slice(end).includes('*')) return word;
  const directory = word.slice(0, word[end - 1] === '/' ? end - 1 : end);
  return directory || (word.startsWith('/') ? '/' : '.');
}

export const operandsOf = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => !/^-./.test(arg));
