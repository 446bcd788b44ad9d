/** Walks a directory for the files that fit a pattern. Links are not followed on the way, so no cycle can hold it. */
import { type BigIntStats, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { Entry } from 'fast-glob';
import { type Alternative, fitsPattern } from './glob-pattern.ts';
import type { OpenDirectory } from './safe-open.ts';

/** Huge and rarely meant; looked into when the pattern or the directory names them. */
const USUALLY_LEFT_OUT = ['.git', 'node_modules'];
/** More matches than this are not looked at: a newer one may then be missed, which the answer says. */
const MAX_MATCHES = 100_000;

export interface Match {
  /** Relative to the directory. */
  readonly path: string;
  readonly modifiedNs: bigint;
}

export interface Matches {
  readonly found: readonly Match[];
  /** False when the walk was ended early. */
  readonly complete: boolean;
}

export interface Search {
  readonly directory: OpenDirectory;
  readonly alternatives: readonly Alternative[];
  /** A directory whose files are never listed. Links resolved. */
  readonly leftOut: string;
}

export async function matchFiles(
  { directory, alternatives, leftOut }: Search,
  signal: AbortSignal,
): Promise<Matches> {
  if (alternatives.length === 0) return { found: [], complete: true };
  // A signal that has fired already tells nobody any more.
  if (signal.aborted) return { found: [], complete: false };
  // Loaded with the first search: most sessions make none.
  const { default: fastGlob } = await import('fast-glob');
  if (signal.aborted) return { found: [], complete: false };
  const stream = fastGlob.stream([...new Set(alternatives.map(widened))], {
    cwd: directory.at(),
    dot: true,
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    suppressErrors: true,
    braceExpansion: false,
    extglob: false,
    ignore: USUALLY_LEFT_OUT.filter(
      (name) => !directory.path.split(sep).includes(name) && !alternatives.some((one) => names(one, name)),
    ).map((name) => `**/${name}/**`),
  });
  const stop = () => {
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  const isInside = insideChecker(directory, leftOut);
  const found: Match[] = [];
  try {
    for await (const entry of stream) {
      const { path, dirent } = entry as unknown as Entry;
      if (!dirent.isFile() && !dirent.isSymbolicLink()) continue;
      if (!fitsPattern(alternatives, path)) continue;
      const stats = fileAt(directory.at(path));
      if (stats === undefined || !(await isInside(path, dirent.isSymbolicLink()))) continue;
      if (found.length === MAX_MATCHES) return { found, complete: false };
      found.push({ path, modifiedNs: stats.mtimeNs });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { found, complete: !signal.aborted };
}

/** A pattern for the walk, which may find more than is meant: plain names, `*`, and `**` as the end. */
function widened(segments: Alternative): string {
  const deep = segments.findIndex(({ kind }) => kind === 'deep');
  const head = deep === -1 ? segments : segments.slice(0, deep);
  const parts = head.map((segment) =>
    segment.kind === 'name' && /^[\p{L}\p{N}_.-]+$/u.test(segment.name) ? segment.name : '*',
  );
  return [...parts, ...(deep === -1 ? [] : ['**'])].join('/');
}

function names(segments: Alternative, name: string): boolean {
  return segments.some((segment) => segment.kind === 'name' && segment.name === name);
}

/** A regular file, or a link to one; a link that leads nowhere, or round in a circle, is none. */
function fileAt(path: string): BigIntStats | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}

/** The pattern itself may go through a link (`link/*.ts`), and a match may be one: both may lead outside. */
function insideChecker(
  directory: OpenDirectory,
  leftOut: string,
): (path: string, isLink: boolean) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const isInside = async (path: string) => {
    const place = await realpath(directory.at(path)).catch(() => '');
    return isAtOrBelow(place, directory.path) && !isAtOrBelow(place, leftOut);
  };
  return (path, isLink) => {
    if (isLink) return isInside(path);
    const parent = dirname(path);
    const answer = known.get(parent) ?? isInside(parent);
    known.set(parent, answer);
    return answer;
  };
}

function isAtOrBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
