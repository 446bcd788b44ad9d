/** The names that a `find` looks for, and those that it leaves out for certain. */
import { partsOfFind } from './find-starts.ts';

/** What the test is given as names or paths, but for what is left out. `words` begin with the program. */
export function soughtByFind(words: readonly string[], test: RegExp): readonly string[] {
  const { starts, expression } = partsOfFind(words);
  if (expression.length === 0) return words.filter((_, index) => test.test(words[index - 1] ?? ''));
  const leftOut = leftOutBy(starts, expression);
  return expression.filter((_, index) => test.test(expression[index - 1] ?? '') && !leftOut.has(index));
}

/** With these a test may mean something else than it says, or nothing is pruned. */
const TURNS_TESTS = /^(?:[(),]|-d|-depth|-delete|-mindepth)$/;
const NEGATES = /^(?:!|-not)$/;
const OR = /^-or?$/;
const NAMES = /^-i?(?:name|path|wholename)$/;
const WITH_VALUE =
  /^-(?:i?name|i?path|i?wholename|type|maxdepth|size|[acm](?:time|min)|newer|user|group|perm|fstype)$/;
const ALONE = /^-(?:prune|print0?|a|and|xdev|mount|follow|daystart|empty|quit)$/;
const RUNS = /^-(?:exec|ok)(?:dir)?$/;

/**
 * Where in the expression the values stand of `! -name x`, where every test must hold, and of `-name x -prune -o …`, where
 * nothing else is asked of what is pruned; both before anything is run. Empty where a word of it is not known.
 */
function leftOutBy(starts: readonly string[], expression: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  if (expression.some((word) => TURNS_TESTS.test(word))) return NOTHING;
  const isChain = !expression.some((word) => OR.test(word));
  // What is said of all that lies in a directory says nothing of the directory, which a command may be handed, too.
  const isNarrow = expression.some(
    (word, at) =>
      (word === 'f' && expression[at - 1] === '-type') ||
      (/^-i?name$/.test(word) && !NEGATES.test(expression[at - 1] ?? '')),
  );
  let isFirst = true;
  let isNegated = false;
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at] ?? '';
    if (NEGATES.test(word)) {
      if (isNegated) return NOTHING;
      isNegated = true;
      continue;
    }
    if (RUNS.test(word)) return found;
    if (WITH_VALUE.test(word)) {
      const value = expression[at + 1] ?? '';
      const isPruned = expression[at + 2] === '-prune' && OR.test(expression[at + 3] ?? '');
      const isOut = isNegated ? isChain && (isNarrow || !value.endsWith('/*')) : isFirst && isPruned;
      if (NAMES.test(word) && isOut && mayFit(word, value, starts)) found.add(at + 1);
      at++;
    } else if (!ALONE.test(word) && !OR.test(word)) {
      return NOTHING;
    }
    isFirst = OR.test(word);
    isNegated = false;
  }
  return found;
}

const NOTHING: ReadonlySet<number> = new Set();

/** A path is compared as a whole, and begins as it was named: `-path .git` fits nothing below `.`. */
const mayFit = (test: string, value: string, starts: readonly string[]): boolean =>
  test.endsWith('name') && !test.endsWith('wholename')
    ? !value.includes('/')
    : (starts.length > 0 ? starts : ['.']).every(
        (start) => value.startsWith('*/') || value.startsWith(start.endsWith('/') ? start : `${start}/`),
      );
