/**
 * Path patterns of Read and Edit rules: gitignore patterns, matched without regard to case, with five anchors:
 * `//p` the filesystem, `~/p` home, `/p` the directory of the settings file, `p` and `./p` the working directories.
 */
import { relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { Behavior, Workplace } from '../core/vocabulary.ts';
import { compileDeepPattern, hasManyStars } from './deep-pattern.ts';

type Anchor = 'filesystem' | 'home' | 'file' | 'workplace';

export interface PathPattern {
  readonly anchor: Anchor;
  /** The directory of `file` anchors. */
  readonly root: string;
  readonly list: Behavior;
  /** `!p` in an allow list: what it matches is taken out of what the other allow patterns match. */
  readonly negative: boolean;
  /** `!p` in a deny or ask list, as gitignore has it; `exempting` puts it in force. */
  readonly exemption: string | undefined;
  /** `undefined` when the pattern can match nothing. */
  readonly matcher: PathMatcher | undefined;
}

export interface CompiledPathPattern {
  readonly pattern: PathPattern;
  readonly warning?: string;
}

export function compilePathPattern({
  text,
  list,
  root,
}: {
  text: string;
  list: Behavior;
  root: string;
}): CompiledPathPattern {
  const negative = text.startsWith('!');
  const { anchor, rest } = anchorOf(negative ? text.slice(1) : text);
  const base = { anchor, root, list, negative, exemption: undefined, matcher: undefined };
  const body = rest.replace(/\/{2,}/g, '/');
  if (matchesNothing(body)) return { pattern: base, warning: 'the pattern can match no path.' };
  const written = gitignorePattern(body, anchor, list);
  if (negative && list !== 'allow') {
    if (hasManyStars(written))
      return { pattern: base, warning: 'an exemption with more than one "**" is not made.' };
    return {
      pattern: { ...base, exemption: `!${written}` },
      warning: `"!" only exempts from the rules before it, in this list of this file; alone it restricts nothing.`,
    };
  }
  const pattern = { ...base, matcher: new PathMatcher([written]) };
  const warning = suspicionOf(text, anchor, root);
  return warning === undefined ? { pattern } : { pattern, warning };
}

/** Why a pattern that may match something guards, or allows, something else than it seems to. */
function suspicionOf(written: string, anchor: Anchor, root: string): string | undefined {
  const text = written.replace(/^!/, '');
  const [isOfHome, ofHome = ''] = /^(?:\.?\/+~|\/{0,2}\$(?:HOME|\{HOME\}))(\/.*)?$/.exec(text) ?? [];
  if (isOfHome !== undefined) return `the home directory is "~" at the very beginning: write ~${ofHome}.`;
  if (/^\/*[A-Za-z]:[\\/]/.test(text))
    return 'there are no drives here, so it matches no path: an absolute path begins with //.';
  const looksAbsolute =
    anchor === 'file' &&
    (written.startsWith(`${root}/`) ||
      /^\/(?:bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|run|srv|sys|tmp|usr|var|Users)\//.test(
        written,
      ));
  return looksAbsolute
    ? `one leading slash is relative to ${root}; for the absolute path write /${written}.`
    : undefined;
}

function anchorOf(text: string): { anchor: Anchor; rest: string } {
  if (text.startsWith('//')) return { anchor: 'filesystem', rest: text.slice(1) };
  if (text.startsWith('~/')) return { anchor: 'home', rest: text.slice(1) };
  if (text === '~') return { anchor: 'home', rest: '' };
  if (text.startsWith('/')) return { anchor: 'file', rest: text };
  return { anchor: 'workplace', rest: text.startsWith('./') ? text.slice(2) : text };
}

/** A pattern with `.` or `..` as a segment names no normalised path; a root alone names no file. */
function matchesNothing(body: string): boolean {
  return /^\/?$/.test(body) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(body);
}

function gitignorePattern(body: string, anchor: Anchor, list: Behavior): string {
  let pattern = body;
  // A relative deny or ask of a whole directory holds at any depth; the same allow holds at the top only.
  if (
    anchor === 'workplace' &&
    list !== 'allow' &&
    /^[^/]+\/\*\*$/.test(pattern) &&
    !pattern.startsWith('**')
  )
    pattern = `**/${pattern}`;
  // Gitignore drops trailing blanks and takes `#` for a comment: in a rule both are part of the name.
  pattern = pattern.replace(/(?<!\\)(?: +)$/, (blanks) => '\\ '.repeat(blanks.length));
  return pattern.startsWith('#') ? `\\${pattern}` : pattern;
}

/** A gitignore pattern, and what later ones exempt from it. The library remembers every path it was asked about, so it is renewed now and then. */
class PathMatcher {
  readonly patterns: readonly string[];
  #ignore: Ignore | undefined;
  #asked = 0;

  readonly #deep: ((path: string) => boolean) | undefined;

  constructor(patterns: readonly string[]) {
    this.patterns = patterns;
    const [first = ''] = patterns;
    this.#deep = hasManyStars(first) ? compileDeepPattern(first) : undefined;
  }

  /** True when the pattern covers the path, which is relative to its anchor. */
  matches(path: string): boolean {
    if (this.#deep !== undefined) return this.#deep(path);
    if (this.#ignore === undefined || ++this.#asked > 2000) {
      this.#asked = 0;
      this.#ignore = ignore().add(this.patterns.map((pattern) => ({ pattern })));
    }
    return this.#ignore.ignores(path);
  }
}

function withoutEndBlanks(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === ' ') end--;
  return path.slice(0, end);
}

/** True when the pattern covers the absolute, normalised path itself or a directory above it. */
export function matchesPath(pattern: PathPattern, path: string, workplace: Workplace): boolean {
  const { matcher } = pattern;
  if (matcher === undefined) return false;
  // Blanks at the end of a name make no difference: neither is it lost to a pattern for the name without them.
  const trimmed = withoutEndBlanks(path);
  return anchorsOf(pattern, workplace).some((anchor) =>
    (trimmed === path ? [path] : [path, trimmed]).some((one) => {
      const below = pathBelow(anchor, one);
      return below !== undefined && matcher.matches(below);
    }),
  );
}

/**
 * The pattern without what later entries of the same list and file exempt. Only whoever wrote a rule takes it back: the
 * caller sees to it that all are of one file.
 */
export function exempting(pattern: PathPattern, later: readonly PathPattern[]): PathPattern {
  const exemptions = later.flatMap(({ anchor, exemption }) =>
    anchor === pattern.anchor && exemption !== undefined ? [exemption] : [],
  );
  const { matcher } = pattern;
  // Of a pattern with several `**` nothing is taken back: stricter, and rare.
  return matcher === undefined || exemptions.length === 0 || hasManyStars(matcher.patterns[0] ?? '')
    ? pattern
    : { ...pattern, matcher: new PathMatcher([...matcher.patterns, ...exemptions]) };
}

/** True when the pattern covers everything in the directory: listing or entering it is then covered too. */
export function coversDirectory(pattern: PathPattern, directory: string, workplace: Workplace): boolean {
  const child = `${directory === '/' ? '' : directory}/\u{1}`;
  return matchesPath(pattern, child, workplace);
}

/** True when the pattern may cover something below the directory, whether or not it is there. */
export function mayCoverBelow(pattern: PathPattern, directory: string, workplace: Workplace): boolean {
  const { matcher } = pattern;
  if (matcher === undefined) return false;
  return anchorsOf(pattern, workplace).some((anchor) => {
    if (isInside(directory, anchor)) return true;
    const below = pathBelow(anchor, directory);
    return below !== undefined && matcher.patterns.some((one) => mayReachInto(one, below.split('/')));
  });
}

/** Directories outside of which, and of what is above them, the pattern covers nothing. */
export function fixedBeginnings(pattern: PathPattern, workplace: Workplace): readonly string[] {
  const [first = '', ...exemptions] = pattern.matcher?.patterns ?? [];
  if (pattern.matcher === undefined) return [];
  if (exemptions.length > 0) return anchorsOf(pattern, workplace);
  const parts = first.replace(/^\//, '').replace(/\/$/, '').split('/');
  const open =
    parts.length === 1 && !first.startsWith('/') ? 0 : parts.findIndex((part) => /[*?[\\!]/.test(part));
  const fixed = open < 0 ? parts : parts.slice(0, open);
  return anchorsOf(pattern, workplace).map((anchor) =>
    fixed.length === 0 ? anchor : `${anchor === '/' ? '' : anchor}/${fixed.join('/')}`,
  );
}

/** Compares the beginning of a gitignore pattern with a directory; anything that is not plain may fit. */
function mayReachInto(pattern: string, directory: readonly string[]): boolean {
  const parts = pattern.replace(/^\//, '').replace(/\/$/, '').split('/');
  // Without a slash inside it holds at any depth.
  if (parts.length === 1 && !pattern.startsWith('/')) return true;
  for (const [index, part] of parts.entries()) {
    const name = directory[index];
    if (name === undefined || part === '**') return true;
    if (!/[*?[\\!]/.test(part) && part.toLowerCase() !== name.toLowerCase()) return false;
  }
  return true;
}

function anchorsOf(pattern: PathPattern, workplace: Workplace): readonly string[] {
  switch (pattern.anchor) {
    case 'filesystem':
      return ['/'];
    case 'home':
      return [workplace.home];
    case 'file':
      return [pattern.root];
    case 'workplace':
      return pattern.list === 'allow'
        ? [workplace.cwd]
        : [...new Set([workplace.project, workplace.cwd, ...workplace.directories])];
  }
}

/** The path relative to the directory, `undefined` when it is not below it. */
export function pathBelow(directory: string, path: string): string | undefined {
  const below = relative(directory, path);
  return below === '' || below === '..' || below.startsWith('../') ? undefined : below;
}

export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}
