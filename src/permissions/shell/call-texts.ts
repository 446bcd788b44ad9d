/** The texts that a deny or ask pattern is compared with: every way to write one call down that a rule may have in mind. */
import { basename, resolve } from 'node:path';
import type { Workplace } from '../../core/vocabulary.ts';
import { pathBelow } from '../path-rule.ts';
import { optionEnds } from './global-options.ts';
import { LONGEST_PATH } from './paths.ts';
import { namesOf } from './program-name.ts';
import type { Reading } from './reach.ts';

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
  const [name = '', ...operands] = reading.words;
  const full = reading.words.join(' ');
  const names = namesOf(name);
  const whole = new Set([full]);
  for (const called of [...names, ...placesOf(name, reading.cwds, workplace)])
    whole.add([called, ...operands].join(' '));
  if (reading.assignments.length > 0) {
    whole.add([...reading.assignments, full].join(' '));
    whole.add([...reading.assignments.map((text) => text.replace(/["'\\]/g, '')), full].join(' '));
  }
  if (basename(name) === 'env' && operands[0]?.includes('=') === true) whole.add(operands.join(' '));
  if (basename(name) === 'rm') for (const text of spellingsOfRm(operands)) whole.add(text);
  const ends = optionEnds(name, operands);
  return {
    whole: [...whole],
    withoutOptions: ends.flatMap((rest) => names.map((called) => [called, ...rest].join(' '))),
  };
}

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
