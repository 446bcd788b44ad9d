/** Finds PROJECT: the directory whose `.hookd/` (or `.claude/`, where that is read) governs a session and whose files are its workspace. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROJECT_FOLDER = '.hookd';
export const CLAUDE_FOLDER = '.claude';

interface Whereabouts {
  /** The start directory. All three absolute, links resolved. */
  readonly start: string;
  readonly home: string;
  readonly hookdHome: string;
  /** Claude Code's folder of the user, when its files are read. */
  readonly claudeHome?: string | undefined;
  /** The user that the session runs as; `undefined` where the platform has no such number. */
  readonly user: number | undefined;
}

/**
 * The nearest ancestor of the start directory with such a folder, never above its git root, never home or the parent of
 * $HOOKD_HOME (which are no projects although a `.hookd/` stands in them), never a directory of another user;
 * else the git root; else the start directory.
 */
export function findProject({ start, home, hookdHome, claudeHome, user }: Whereabouts): string {
  const ancestors = ancestorsOf(start);
  const gitAt = ancestors.findIndex((directory) => lstat(join(directory, '.git')) !== undefined);
  const gitRoot = ancestors[gitAt];
  const candidates = gitRoot === undefined ? ancestors : ancestors.slice(0, gitAt + 1);
  const isSomeonesHome = (directory: string): boolean =>
    directory === home ||
    directory === dirname(hookdHome) ||
    (claudeHome !== undefined && directory === dirname(claudeHome));
  const names = claudeHome === undefined ? [PROJECT_FOLDER] : [PROJECT_FOLDER, CLAUDE_FOLDER];
  const isOwn = (path: string): boolean => user === undefined || lstat(path)?.uid === user;

  const project = candidates.find((directory) => {
    const folders = names.map((name) => join(directory, name));
    const hasOne = folders.some((folder) => isDirectory(folder) && isOwn(folder));
    return hasOne && !isSomeonesHome(directory) && isOwn(directory);
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
