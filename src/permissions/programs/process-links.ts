/** Names below an open descriptor or another link of the running process: what lies there is known only when it runs. */
import { resolve } from 'node:path';
import { isGlob, matchesSegment } from '../shell/glob.ts';
import { goesUp } from '../shell/paths.ts';

/** True where the word, seen from the directory, leads through `/dev/fd/3/…`, `/dev/stdin/…`, `/proc/self/cw?/…` and their like. */
export function leadsThroughProcess(word: string, cwds: readonly string[]): boolean {
  if (
    word.startsWith('/') ? !OF_PROCESS.test(word) : !goesUp(word) && !cwds.some((cwd) => OF_PROCESS.test(cwd))
  )
    return false;
  return cwds.some((cwd) => leadsThrough(word, cwd));
}

const OF_PROCESS = /^\/+(?:dev|proc|\.|[^/]*[*?[])/;

function leadsThrough(word: string, cwd: string): boolean {
  const path = resolve(cwd, word);
  if (isBelowLink(segmentsOf(path, word))) return true;
  // The system goes through the links first: `/dev/fd/../cwd` is of `/proc/self`.
  if (!goesUp(word)) return false;
  const [, ups = '', rest = ''] = /^((?:\.\.?\/+)*)(.*)$/s.exec(word) ?? [];
  const from = segmentsOf(word.startsWith('/') ? word : `${resolve(cwd, ups)}/${rest}`, '');
  return from.indexOf('..') > 0 && (fits(from[0], 'proc') || (fits(from[0], 'dev') && from[1] !== '..'));
}

/** What ends in a slash is about what lies below. */
const segmentsOf = (path: string, word: string): readonly string[] => [
  ...path.split('/').filter((name) => name !== '' && name !== '.'),
  ...(/\/\.?$/.test(word) ? ['*'] : []),
];

function isBelowLink(names: readonly string[]): boolean {
  const [root, second = ''] = names;
  if (fits(root, 'dev'))
    return (
      (names.length > 3 && fits(second, 'fd')) ||
      (names.length > 2 && ['stdin', 'stdout', 'stderr'].some((name) => fits(second, name)))
    );
  if (!fits(root, 'proc')) return false;
  const at = fits(names[2], 'task') ? [2, 4] : [2];
  return at.some((index) => {
    const name = names[index];
    // Written out, `cwd` is seen through.
    if (fits(name, 'cwd') || fits(name, 'root')) return names.slice(0, index + 1).some(isGlob);
    return names.length > index + 2 && fits(name, 'fd');
  });
}

const fits = (pattern: string | undefined, name: string): boolean =>
  pattern === name || (pattern !== undefined && isGlob(pattern) && matchesSegment(pattern, name));
