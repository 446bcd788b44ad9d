/** Words that look like patterns and are none, because they were quoted. */
import type { Analysis } from './commands.ts';
import { isGlob } from './glob.ts';

/** Programs that have no patterns of their own for files. */
const TAKES_NAMES = new Set(
  'cat head tail wc grep egrep fgrep sed awk sort uniq cut tr ls cp mv rm touch mkdir rmdir tee stat file diff cmp echo printf test [ chmod ln jq'.split(
    ' ',
  ),
);

const NONE: ReadonlySet<string> = new Set();

export function literalsOf({ commands, why, text }: Analysis): ReadonlySet<string> {
  if (why !== undefined || !isGlob(text)) return NONE;
  // Only where the program takes its words as they are: others know patterns of their own.
  const words = commands.flatMap((command) => {
    const isPlain = TAKES_NAMES.has(command.words[0]?.value ?? '');
    return command.words.map((word) => ({ word, literal: isPlain && word.kind === 'static' }));
  });
  const patterns = new Set(words.flatMap(({ word, literal }) => (literal ? [] : word.guesses)));
  return new Set(
    words.flatMap(({ word: { value }, literal }) =>
      literal && isGlob(value) && !patterns.has(value) ? [value] : [],
    ),
  );
}
