/** Other bash than a grammar writes: characters added, removed, doubled. Keeps no absolute path. */
import type { Random } from '../../support/random.ts';

const CUTS = [
  '(',
  ')',
  '{',
  '}',
  '"',
  "'",
  '`',
  '$',
  '$(',
  '<(',
  '\\',
  '\n',
  ';',
  '&',
  '|',
  '<',
  '>',
  '#',
  ' ',
  '=',
  '!',
  '[',
  ']',
  '<<E\n',
  '$((',
  '))',
  "$'",
  '$"',
  '\\\n',
  '\t',
  '*',
  '~',
  '-',
] as const;

export function mutate(text: string, random: Random): string {
  let mutated = text.replaceAll(/\/dev\/\w+/g, 'k1').replaceAll('..', '.');
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + random.below(4));
    mutated = random.weighted([
      [4, () => mutated.slice(0, at) + random.pick(CUTS) + mutated.slice(at)],
      [2, () => mutated.slice(0, at) + mutated.slice(end)],
      [1, () => mutated.slice(0, end) + mutated.slice(at)],
    ]);
  }
  return mutated;
}
