/** Walks a directory for the files that fit a pattern. Links are not followed on the way, so no cycle can hold it. */
import { type BigIntStats, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import fastGlob from 'fast-glob';
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

/** `pattern` must not leave the directory (`staysInside`). */
export async function matchFiles(
  directory: OpenDirectory,
  pattern: string,
  signal: AbortSignal,
): Promise<Matches> {
  const stream = fastGlob.stream(pattern, {
    cwd: directory.at(),
    dot: true,
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    suppressErrors: true,
    ignore: USUALLY_LEFT_OUT.filter(
      (name) => !namesSegment(pattern, name) && !namesSegment(directory.path, name),
    ).map((name) => `**/${name}/**`),
  });
  const stop = () => {
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  const isInside = insideChecker(directory);
  const found: Match[] = [];
  try {
    for await (const entry of stream) {
      const { path, dirent } = entry as unknown as fastGlob.Entry;
      if (!dirent.isFile() && !dirent.isSymbolicLink()) continue;
      const stats = fileAt(directory.at(path));
      if (stats === undefined || !(await isInside(path, dirent.isSymbolicLink()))) continue;
      found.push({ path, modifiedNs: stats.mtimeNs });
      if (found.length >= MAX_MATCHES) return { found, complete: false };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { found, complete: !signal.aborted };
}

/** Whether no part of a pattern leads out of the directory that it is matched in. */
export function staysInside(pattern: string): boolean {
  if (/(^|[/{,(|])\.\.($|[/},)|])/.test(pattern)) return false;
  return fastGlob.generateTasks(pattern, { dot: true }).every(({ base }) => !base.startsWith('/'));
}

function namesSegment(path: string, name: string): boolean {
  return path.split(/[/{},()|]/).includes(name);
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
function insideChecker(directory: OpenDirectory): (path: string, isLink: boolean) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const isInside = async (path: string) => {
    const place = await realpath(directory.at(path)).catch(() => '');
    const root = directory.path.endsWith(sep) ? directory.path : directory.path + sep;
    return place === directory.path || place.startsWith(root);
  };
  return (path, isLink) => {
    if (isLink) return isInside(path);
    const parent = dirname(path);
    const answer = known.get(parent) ?? isInside(parent);
    known.set(parent, answer);
    return answer;
  };
}
