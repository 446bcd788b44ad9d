/** Pathspecs of git: words that name files as git's own patterns do. */
import type { FileUse } from './file-uses.ts';

/** A plain path has none of these; a backslash takes the meaning of the next character. */
const IS_PATHSPEC = /^:|[*?[\\]/;

/** More stars take too long to try, and are taken to fit anything. */
const MOST_STARS = 4;

const ANYTHING = /(?:)/;

/**
 * What a pathspec may reach: all below the directory that it begins with, as far as it fits. Nothing for a plain path. Its
 * star stands for any number of directories; `:/` begins at the top of the repository, which may be above.
 */
export function usesOfPathspec(access: FileUse['access'], word: string): readonly FileUse[] {
  if (!IS_PATHSPEC.test(word)) return [];
  const [, long, short, rest = word] = /^:(?:\(([^)]*)\)|([!/^]*):?)(.*)$/s.exec(word) ?? [];
  const isTop = short?.includes('/') === true || long?.includes('top') === true;
  const isOther = /[!^]/.test(short ?? '') || /exclude|attr/.test(long ?? '') || rest === '';
  const plain = isTop || isOther ? '' : (/^[^*?[\\]*\//.exec(rest)?.[0] ?? '');
  return [
    {
      access,
      word: isTop ? '/' : plain === '' ? '.' : plain,
      below: 'existing',
      onlyAsks: true,
      pathspec: isOther ? ANYTHING : patternOf(rest),
    },
  ];
}

/** Fits more than git's own: at any depth, in any case, a set of characters any of them. */
function patternOf(rest: string): RegExp {
  const path = rest.replace(/^(?:\.{0,2}\/+)+/, '');
  if ((path.match(/\*+/g)?.length ?? 0) > MOST_STARS || path.length > 200) return ANYTHING;
  const source = path.replace(/\\(.)|\*\*\/|\*+|\[[!^]?\]?[^\]]*\]|[^\w/]/gs, (found, escaped?: string) => {
    if (escaped !== undefined) return literal(escaped);
    if (found === '**/') return '(?:.*/)?';
    if (found.startsWith('*')) return '.*';
    return found === '?' || found.length > 1 ? '.' : literal(found);
  });
  return new RegExp(`(?:^|/)${source}(?:/.*)?$`, 'is');
}

const literal = (char: string): string => (/[\w\s/]/.test(char) ? char : `\\${char}`);
