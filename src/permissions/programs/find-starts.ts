/** Where a `find` begins, and the names that it looks for. */

/** Options of find itself, which stand before the directories; `-D` takes the next word. */
export const startsOfFind = (words: readonly string[]): readonly string[] => partsOfFind(words).starts;

/** The directories as they are named, and the tests and actions behind them. */
export function partsOfFind([name, ...args]: readonly string[]): {
  readonly starts: readonly string[];
  readonly expression: readonly string[];
} {
  if (name !== 'find') return { starts: [], expression: [] };
  let at = 0;
  for (let arg = args[at]; arg !== undefined && /^-(?:[HLP]|O\d*|D.*|-)$/.test(arg); arg = args[at])
    at += arg === '-D' ? 2 : 1;
  const first = args.findIndex((arg, index) => index >= at && /^[-(!]/.test(arg));
  const end = first < 0 ? args.length : first;
  return { starts: args.slice(at, end), expression: args.slice(end) };
}

/** What `{}` stands for where no test narrows it down: at least where it begins. */
export function foundByFind(words: readonly string[]): readonly string[] {
  const starts = startsOfFind(words);
  const first = words.findIndex((word) => /^-(?:exec|ok)/.test(word));
  const isNarrow = words.some(
    (word, index) =>
      index < first &&
      /^[-(!]./.test(word) &&
      !/^-(?:[HLP]|O.*|D.*|-|depth|d|xdev|mount|follow|print0?)$/.test(word) &&
      !(word === '-type' && words[index + 1] !== 'd'),
  );
  return first < 0 || isNarrow ? [] : starts;
}

/** What the test is given as names or paths that are looked for; not those that are left out for certain. */
export function soughtByFind(words: readonly string[], test: RegExp): readonly string[] {
  const mayTurn = words.some((word) => TURNS_TESTS.test(word));
  return words.filter(
    (_, index) => test.test(words[index - 1] ?? '') && (mayTurn || !isLeftOut(words, index)),
  );
}

/** Parentheses and lists may turn round what a test means; with these nothing is pruned. */
const TURNS_TESTS = /^(?:[(),]|-d|-depth|-delete)$/;
const NEGATES = /^(?:!|-not)$/;
const OR = /^-or?$/;

/** `! -name x` where every test must hold, and `-name x -prune -o …` where nothing else is asked of what is pruned. */
function isLeftOut(words: readonly string[], index: number): boolean {
  if (NEGATES.test(words[index - 2] ?? ''))
    return !NEGATES.test(words[index - 3] ?? '') && !words.some((word) => OR.test(word));
  const isFirst = index - 1 === words.findIndex((word) => /^[-!]/.test(word) && !OWN_OPTION.test(word));
  return (
    (isFirst || OR.test(words[index - 2] ?? '')) &&
    words[index + 1] === '-prune' &&
    OR.test(words[index + 2] ?? '')
  );
}

const OWN_OPTION = /^-(?:[HLP]|O\d*|-)$/;
