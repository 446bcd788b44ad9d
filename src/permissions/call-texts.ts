/** The texts that a deny or ask pattern is compared with: every way to write one call down that a rule may have in mind. */
import { resolve } from 'node:path';
import type { Workplace } from '../core/vocabulary.ts';
import { pathBelow } from './path-rule.ts';
import { optionEnds } from './programs/global-options.ts';
import { nameOf, namesOf } from './programs/program-name.ts';
import type { Reading } from './programs/reading.ts';
import { firstWord } from './rule-index.ts';
import { LONGEST_PATH } from './shell/paths.ts';

export interface CallTexts {
  /** The call with all its words. */
  readonly whole: readonly string[];
  /** The call without the options that stand before what it is about: `git push` for `git -C . push`. */
  readonly withoutOptions: readonly string[];
}

/** Several lists are held against the same call. */
const known = new WeakMap<Reading, { readonly workplace: Workplace; readonly texts: CallTexts }>();

export function textsOf(reading: Reading, workplace: Workplace): CallTexts {
  const kept = known.get(reading);
  if (kept?.workplace === workplace) return kept.texts;
  const texts = makeTexts(reading, workplace);
  known.set(reading, { workplace, texts });
  return texts;
}

function makeTexts(reading: Reading, workplace: Workplace): CallTexts {
  const { words, assignments, cwds } = reading;
  const name = words[0] ?? '';
  const operands = words.slice(1);
  const full = words.join(' ');
  const names = namesOf(name);
  const withoutOptions = optionEnds(name, operands).flatMap((rest) =>
    names.map((called) => [called, ...rest].join(' ')),
  );
  const whole = [full];
  for (const called of [...names, ...placesOf(name, cwds, workplace)])
    if (called !== name) whole.push([called, ...operands].join(' '));
  if (assignments.length > 0) {
    whole.push([...assignments, full].join(' '));
    whole.push([...assignments.map(unquoted), full].join(' '));
  }
  if (setsVariables(words)) whole.push(operands.join(' '));
  if (nameOf(name) === 'rm') whole.push(...spellingsOfRm(operands));
  return { whole, withoutOptions };
}

/** The first words of all texts of a call, without the texts: most calls are about no rule. */
export function keysOfCall(
  { words, assignments, cwds }: Pick<Reading, 'words' | 'assignments' | 'cwds'>,
  workplace: Workplace,
): readonly string[] {
  const name = words[0] ?? '';
  const keys = [firstWord(name)];
  for (const called of namesOf(name)) keys.push(firstWord(called));
  for (const called of placesOf(name, cwds, workplace)) keys.push(firstWord(called));
  if (assignments[0] !== undefined) keys.push(firstWord(assignments[0]), firstWord(unquoted(assignments[0])));
  if (setsVariables(words)) keys.push(firstWord(words[1] ?? ''));
  return keys;
}

const unquoted = (text: string): string => text.replace(/["'\\]/g, '');

/** `env A=1 x` is `A=1 x`. */
const setsVariables = (words: readonly string[]): boolean =>
  nameOf(words[0] ?? '') === 'env' && words[1]?.includes('=') === true;

/** A program that is named by its place: absolute, below home, and from the directories that rules are written from. */
function placesOf(
  name: string,
  cwds: readonly string[],
  { home, cwd: start, project }: Workplace,
): readonly string[] {
  if (!name.includes('/') || name.length > LONGEST_PATH) return [];
  return cwds.flatMap((cwd) => {
    const path = resolve(cwd, name);
    const fromHome = pathBelow(home, path);
    return [
      path,
      ...(fromHome === undefined ? [] : [`~/${fromHome}`, `$HOME/${fromHome}`]),
      ...[start, project].flatMap((base) => {
        const below = pathBelow(base, path);
        return below === undefined ? [] : [`./${below}`, below];
      }),
    ];
  });
}

/** `rm -fr`, `rm -r -f`, `rm --recursive --force -v`: whoever denies `rm -rf` means all of them. */
function spellingsOfRm(args: readonly string[]): readonly string[] {
  const options = args.filter((arg) => /^-./.test(arg));
  const recursive = options.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(arg));
  const force = options.some((arg) => /^-[a-zA-Z]*f|^--force$/.test(arg));
  const flags = [
    ...(recursive && force ? ['-rf', '-fr', '-Rf', '-fR', '-r -f', '-f -r', '-R -f', '-f -R'] : []),
    ...(recursive ? ['-r', '-R', '--recursive'] : []),
    ...(force ? ['-f', '--force'] : []),
  ];
  const operands = args.filter((arg) => !/^-./.test(arg)).join(' ');
  return flags.map((flag) => `rm ${flag} ${operands}`.trim());
}
