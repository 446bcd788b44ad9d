/** Where a `find` begins: the words before its first test. */

/** Options of find itself, which stand before the directories; `-D` takes the next word. */
export function startsOfFind([name, ...args]: readonly string[]): readonly string[] {
  if (name !== 'find') return [];
  let at = 0;
  for (let arg = args[at]; arg !== undefined && /^-(?:[HLP]|O\d*|D.*|-)$/.test(arg); arg = args[at])
    at += arg === '-D' ? 2 : 1;
  const first = args.findIndex((arg, index) => index >= at && /^[-(!]/.test(arg));
  return args.slice(at, first < 0 ? undefined : first);
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
