/** Removals that ask in every mode, whatever is allowed: what they remove is what everything else depends on. */
import { dirname } from 'node:path';
import type { Place } from '../place.ts';
import type { Reading } from '../programs/reading.ts';
import type { Reach } from '../reach.ts';
import { cutsValue } from '../shell/certain-words.ts';
import { isGlob } from '../shell/glob.ts';
import { pathsNamed } from '../shell/paths.ts';
import { emptiedByFind, hasLetters } from './found-and-removed.ts';
import { emptiedByList } from './removed-list.ts';

const REMOVERS = /^(?:rm|rmdir|unlink|shred|mv|find|fd|fdfind)$/;

/** `rm` or `rmdir` of a directory that everything else depends on; asks in every mode, whatever is allowed. */
export function criticalRemoval(reach: Reach, place: Place): string | undefined {
  for (const reading of reach.readings) {
    const { words, name, cwds, unknown, fed } = reading;
    if (!REMOVERS.test(name)) continue;
    const removed = removedBy(reading);
    const critical = removed.find(
      (word) =>
        // Where it is known only when it runs, it may be anything.
        (/[$`]/.test(word) && unknown.some(({ text }) => text === word)) ||
        pathsNamed(emptiedBy(word), cwds, place).some((path) => place.isCritical(path)),
    );
    if (critical !== undefined) return `${words[0]} ${critical}`;
    const cut = /^(?:rm|rmdir|unlink)$/.test(name) ? unknown.find(({ text }) => cutsValue(text)) : undefined;
    if (cut !== undefined) return `${words[0]} ${cut.text}`;
    if (fed === undefined || name.startsWith('f')) continue;
    const listed = emptiedByList(reading, fed);
    if (listed === 'unknown') return `xargs ${words.join(' ')}`;
    const start = listed.find(({ word, cwds: from }) =>
      pathsNamed(emptiedBy(word), from, place).some((path) => place.isCritical(path)),
    );
    if (start !== undefined) return `${start.word} | xargs ${words[0]}`;
  }
  return undefined;
}

function removedBy({ name, words }: Reading): readonly string[] {
  const args = words.slice(1);
  switch (name) {
    case 'rm':
    case 'unlink':
    case 'shred':
      return operandsOf(args);
    case 'rmdir':
      return args.some((arg) => /^-[a-z]*p|^--p/.test(arg))
        ? operandsOf(args).flatMap(withParents)
        : operandsOf(args);
    case 'mv':
      return movedBy(args);
    default:
      return emptiedByFind([name, ...args]);
  }
}

/** `rmdir -p a/b` removes `a`, too. */
function withParents(word: string): readonly string[] {
  const all = [word];
  for (let at = dirname(word); at !== '.' && at !== '/'; at = dirname(at)) all.push(at);
  return all;
}

/** All but the last, or all where an option names the directory that takes them. */
function movedBy(args: readonly string[]): readonly string[] {
  const isValue = (index: number): boolean =>
    /^(?:-[a-zA-Z]*[tS]|--(?:t[a-z-]*|suf[a-z]*))$/.test(args[index - 1] ?? '');
  const operands = operandsOf(args.filter((_, index) => !isValue(index)));
  const isNamedFirst = args.some((arg) => /^-[a-zA-RT-Z]*t|^--t/.test(arg));
  return isNamedFirst ? operands : operands.slice(0, -1);
}

/** `dir/*` removes what is in `dir`, which is as much; so does any pattern without a letter of its own. */
export function emptiedBy(word: string): string {
  if (!word.includes('*')) return word;
  const names = word.split('/');
  let end = names.length;
  for (; end > 0; end--) {
    const name = names[end - 1] ?? '';
    if (name !== '' && name !== '.' && name !== '..' && !(isGlob(name) && !hasLetters(name))) break;
  }
  const directory = names.slice(0, end);
  if (!names.slice(end).some((name) => name.includes('*'))) return word;
  return directory.join('/') || (word.startsWith('/') ? '/' : '.');
}

export const operandsOf = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => !/^-./.test(arg));
