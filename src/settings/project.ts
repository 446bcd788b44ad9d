/** Finds PROJECT: the directory whose `.hookd/` governs a session and whose files are its workspace. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROJECT_FOLDER = '.hookd';

interface Whereabouts {
  /** The start directory. All three absolute, links resolved. */
  readonly start: string;
  readonly home: string;
  readonly hookdHome: string;
  /** The user that the session runs as; `undefined` where the platform has no such number. */
  readonly user: number | undefined;
}

/**
 * The nearest ancestor of the start directory with `.hookd/`, never above its git root, never home or the parent of
 * $HOOKD_HOME (which are no projects although a `.hookd/` stands in them), never a directory of another user;
 * else the git root; else the start directory.
 */
export function findProject({ start, home, hookdHome, user }: Whereabouts): string {
  const ancestors = ancestorsOf(start);
  const gitAt = ancestors.findIndex((directory) => lstat(join(directory, '.git')) !== undefined);
  const gitRoot = ancestors[gitAt];
  const candidates = gitRoot === undefined ? ancestors : ancestors.slice(0, gitAt + 1);
  const isSomeonesHome = (directory: string): boolean =>
    directory === home || directory === dirname(hookdHome);
  const isOwn = (path: string): boolean => user === undefined || lstat(path)?.uid === user;

  const project = candidates.find((directory) => {
    const folder = join(directory, PROJECT_FOLDER);
    return isDirectory(folder) && !isSomeonesHome(directory) && isOwn(directory) && isOwn(folder);
  });
  if (project !== undefined) return project;
  // A home directory under git (dotfiles) would make all of it the workspace. A repository of somebody else counts
  // only when the start directory is theirs too: a mounted checkout, not a `.git` that was left in /tmp.
  const belongsTogether = (root: string): boolean => isOwn(root) || lstat(root)?.uid === lstat(start)?.uid;
  if (gitRoot !== undefined && !isSomeonesHome(gitRoot) && belongsTogether(gitRoot)) return gitRoot;
  return start;
}

/** The directory itself first, the root last. */
function ancestorsOf(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestorsOf(parent)];
}

function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
