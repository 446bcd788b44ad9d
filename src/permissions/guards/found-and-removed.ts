/** The directories that `find` and `fd` empty: they remove what they find, and no test narrows that down. */
import { partsOfFind } from '../programs/find-starts.ts';
import { nameOf } from '../programs/program-name.ts';
import { isWrapper } from '../programs/wrappers.ts';

/** `words` begin with the program's name, without its directory. */
export function emptiedByFind(words: readonly string[]): readonly string[] {
  const [name, ...args] = words;
  if (name === 'fd' || name === 'fdfind') return emptiedByFd(args);
  const { starts: named, expression } = partsOfFind(words);
  const starts = named.length > 0 ? named : ['.'];
  return removesAll(expression, starts) ? starts : [];
}

const REMOVES = /^(?:rm|rmdir|shred|unlink|mv|trash|trash-put)$/;

/** The command of an `-exec`, also behind `env` or `nice`. */
const runsRemoval = ([program = '', ...args]: readonly string[]): boolean =>
  REMOVES.test(nameOf(program)) ||
  (isWrapper(nameOf(program)) && args.some((arg) => REMOVES.test(nameOf(arg))));

type Expression = readonly string[];

/** True when some way through the tests comes to a removal without one that narrows. */
function removesAll(expression: Expression, starts: readonly string[]): boolean {
  return alternatives(expression).some((tests) => {
    let isNegated = false;
    for (let at = 0; at < tests.length; at++) {
      const test = tests[at] ?? '';
      if (test === '!' || test === '-not') {
        isNegated = !isNegated;
        continue;
      }
      if (test === '-delete') return true;
      if (/^-(?:exec|ok)(?:dir)?$/.test(test)) {
        const end = tests.findIndex((arg, index) => index > at && (arg === ';' || arg === '+'));
        const call = tests.slice(at + 1, end < 0 ? undefined : end);
        if (runsRemoval(call)) return true;
        at += call.length;
      } else if (test === '(') {
        const group = tests.slice(at + 1, endOfGroup(tests, at));
        if (removesAll(group, starts)) return true;
        if (!isNegated && isNarrow(group, starts)) return false;
        at += group.length;
      } else if (!isNegated && narrows(test, tests[at + 1] ?? '', starts)) return false;
      isNegated = false;
    }
    return false;
  });
}

const isNarrow = (expression: Expression, starts: readonly string[]): boolean =>
  alternatives(expression).every((tests) =>
    tests.some(
      (test, at) =>
        !/^(?:!|-not)$/.test(tests[at - 1] ?? '') &&
        !tests.slice(0, at).includes('(') &&
        narrows(test, tests[at + 1] ?? '', starts),
    ),
  );

/** What stands between `-o` and `,`, outside of parentheses. */
function alternatives(expression: Expression): readonly Expression[] {
  const found: Expression[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= expression.length; at++) {
    const token = expression[at];
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === undefined || (depth === 0 && /^(?:-or?|,)$/.test(token))) {
      found.push(expression.slice(from, at));
      from = at + 1;
    }
  }
  return found;
}

function endOfGroup(tests: Expression, from: number): number {
  let depth = 0;
  for (let at = from; at < tests.length; at++) {
    if (tests[at] === '(') depth++;
    else if (tests[at] === ')' && --depth === 0) return at;
  }
  return tests.length;
}

/** A test that leaves out most of what lies in a directory: not its depth, its owner or its kind. */
function narrows(test: string, value: string, starts: readonly string[]): boolean {
  if (/^-i?(?:name|regex)$/.test(test)) return hasLetters(value);
  if (/^-i?(?:path|wholename)$/.test(test)) {
    const start = starts.find((one) => value.startsWith(one)) ?? '';
    return hasLetters(value.slice(start.length));
  }
  if (test === '-size') return !/^-|^\+0*\D?$/.test(value);
  if (/^-[acm](?:time|min)$/.test(test)) return !/^-\d{4,}|^\+-?0*$|^\+-/.test(value);
  return /^-(?:empty|[ac]?newer|newer[aBcm][aBcm])$/.test(test);
}

/** Of the pattern something is left besides what stands for anything. */
export const hasLetters = (pattern: string): boolean =>
  /[^*?./\\^$()+|{}]/.test(
    pattern.replace(/\[[^\]]*\]|\\[a-zA-Z]/g, (unit) => (/^\[\d[\d-]*\]$/.test(unit) ? '0' : '')),
  );

/** Options of fd that take the next word. */
const FD_VALUES =
  /^(?:-[a-zA-Z]*[eEdtScjoC]|--(?:extension|exclude|max-depth|min-depth|exact-depth|type|size|color|threads|owner|base-directory|search-path|changed-within|changed-before|format|max-results|batch-size|path-separator|ignore-file|and))$/;

function emptiedByFd(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg, index) => {
    const glued = /^(?:-[a-zA-Z]*?[xX]|--exec(?:-batch)?(?:=|$))(.*)$/s.exec(arg)?.[1];
    if (glued === undefined) return false;
    return runsRemoval(glued === '' ? args.slice(index + 1) : [glued, ...args.slice(index + 1)]);
  });
  if (at < 0) return [];
  const end = args.indexOf(';', at);
  const given = end < 0 ? args.slice(0, at) : [...args.slice(0, at), ...args.slice(end + 1)];
  const isValue = (index: number): boolean => FD_VALUES.test(given[index - 1] ?? '');
  if (given.some((arg) => /^-[a-zA-Z]*e|^--ext/.test(arg))) return [];
  const [pattern = '', ...paths] = given.filter((arg, index) => !isValue(index) && !/^-./.test(arg));
  if (hasLetters(pattern)) return [];
  const named = given.flatMap((arg, index) =>
    /^(?:-C|--base-directory|--search-path)$/.test(given[index - 1] ?? '')
      ? [arg]
      : (/^--(?:base-directory|search-path)=(.+)$/s.exec(arg)?.[1] ?? []),
  );
  const starts = [...paths, ...named];
  return starts.length > 0 ? starts : ['.'];
}
