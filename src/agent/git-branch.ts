/** The branch that is checked out, read from git's own files: it is asked for with every message, too often for a process. */
import { readFileSync, statSync } from 'node:fs';
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

/** `.git` is a directory, or the file of a worktree or submodule that names one. */
function headOf(git: string): string | undefined {
  const head = smallText(join(git, 'HEAD'));
  if (head !== undefined) return head;
  const elsewhere = /^gitdir: (.+)$/m.exec(smallText(git) ?? '')?.[1];
  return elsewhere === undefined ? undefined : smallText(join(resolve(dirname(git), elsewhere), 'HEAD'));
}

function smallText(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
