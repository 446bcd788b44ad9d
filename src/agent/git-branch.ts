/** The branch that is checked out, read from git's own files: it is asked for with every message, too often for a process. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Longer than any name of a branch; what is longer, or no regular file (a pipe would block us), is not read. */
const MAX_BYTES = 4096;

/** As `git rev-parse --abbrev-ref HEAD` says it (`HEAD` where no branch is checked out); '' outside a repository. */
export function gitBranch(directory: string): string {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const head = headOf(join(at, '.git'));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? 'HEAD';
    if (at === dirname(at)) return '';
  }
}

/** `.git` is a directory, or the file of a worktree or submodule that names one. Mostly there is none: one look says so. */
function headOf(git: string): string | undefined {
  const stats = statsOf(git);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return smallText(join(git, 'HEAD'));
  const elsewhere = /^gitdir: (.+)$/m.exec(smallText(git) ?? '')?.[1];
  return elsewhere === undefined ? undefined : smallText(join(resolve(dirname(git), elsewhere), 'HEAD'));
}

function smallText(path: string): string | undefined {
  const stats = statsOf(path);
  try {
    return stats?.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
