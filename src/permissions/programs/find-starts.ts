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
