/** What a decision may ask about the file system: links and names, never contents. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../core/errors.ts';

/** `hidden`: there is something, or may be, but it cannot be looked at. */
export type FileKind = 'link' | 'directory' | 'other' | 'missing' | 'hidden';

export interface FilesView {
  /**
   * The path with its links resolved as far as it exists, the rest appended.
   * `undefined` where that cannot be said (a cycle, a directory that may not be searched): such a path never matches an allow rule.
   */
  realPath(path: string): string | undefined;
  /** Of the path itself: links are not followed. */
  kindOf(path: string): FileKind;
  /** What is in a directory; empty when it cannot be read. */
  entries(directory: string): readonly FileEntry[];
}

export interface FileEntry {
  readonly name: string;
  /** As `kindOf` would say: told by the directory itself, so that nobody needs to ask for each. */
  readonly kind: FileKind;
}

/** As many links as Linux follows before it gives up. */
const MOST_LINKS = 40;

export const realFiles: FilesView = {
  realPath: resolveLinks,
  kindOf,
  entries: (directory) => {
    try {
      return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: kindOfStats(entry),
      }));
    } catch {
      return [];
    }
  },
};

/** Not `fs.realpath`: that one fails on a file that is still to be written, and a dangling link must be followed too. */
function resolveLinks(path: string): string | undefined {
  if (isReal(path)) return path;
  let done = '/';
  let pending = segmentsOf(resolve(path));
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '..') {
      done = dirname(done);
      continue;
    }
    const next = join(done, name);
    const kind = kindOf(next);
    if (kind === 'hidden') return undefined;
    if (kind === 'missing') return join(next, ...pending);
    if (kind !== 'link') {
      done = next;
      continue;
    }
    const target = targetOf(next);
    if (target === undefined || ++links > MOST_LINKS) return undefined;
    if (target.startsWith('/')) done = '/';
    pending = [...segmentsOf(target), ...pending];
  }
  return done;
}

/** It exists, and no link leads to it: the system says so in one step. */
function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function kindOf(path: string): FileKind {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'missing' : kindOfStats(stats);
  } catch (error) {
    return systemCode(error) === 'ENAMETOOLONG' ? 'missing' : 'hidden';
  }
}

function kindOfStats(stats: Pick<Stats, 'isSymbolicLink' | 'isDirectory'>): FileKind {
  if (stats.isSymbolicLink()) return 'link';
  return stats.isDirectory() ? 'directory' : 'other';
}
