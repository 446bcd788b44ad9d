/**
 * The settings of whoever administers the machine: the highest authority. Their files count only where nobody else can
 * have written them; one that others can write is not passed over but keeps sessions from starting.
 */
import { readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { SettingsOrigin } from './origin.ts';
import type { SettingsProblem } from './problem.ts';
import type { SettingsPlace } from './scopes.ts';

/** Where managed settings lie. No variable, flag or file names another place: who can name it can escape it. */
export interface ManagedPlace {
  readonly directory: string;
  /** Claude Code's, read with `--claude-settings`. */
  readonly claudeDirectory: string;
  /** The user who alone may be able to write there, besides root. */
  readonly owner: number;
}

export const SYSTEM_MANAGED: ManagedPlace = {
  directory: '/etc/hookd',
  claudeDirectory: '/etc/claude-code',
  owner: 0,
};

const FILE_NAME = 'managed-settings.json';
const DROP_INS = 'managed-settings.d';

export type ManagedFiles =
  | { readonly ok: true; readonly places: readonly SettingsPlace[] }
  | { readonly ok: false; readonly problem: SettingsProblem };

export function directoryOf(managed: ManagedPlace, dialect: SettingsOrigin['dialect']): string {
  return dialect === 'hookd' ? managed.directory : managed.claudeDirectory;
}

/** The highest precedence first: drop-ins from the last name to the first, then the file itself. */
export function managedFiles(managed: ManagedPlace, dialect: SettingsOrigin['dialect']): ManagedFiles {
  const directory = directoryOf(managed, dialect);
  const names = dropInsOf(join(directory, DROP_INS), managed.owner);
  if ('message' in names) return { ok: false, problem: names };
  const files = [...names.map((name) => join(directory, DROP_INS, name)), join(directory, FILE_NAME)];
  const places = files.map((file): SettingsPlace => {
    const origin = {
      scope: 'managed',
      dialect,
      isTrusted: true,
      file,
      root: directory,
      rootIsAway: true,
    } as const;
    return { kind: 'file', origin, isNamed: false, owner: managed.owner };
  });
  return { ok: true, places };
}

function dropInsOf(directory: string, owner: number): readonly string[] | SettingsProblem {
  // Usually there is none, and this runs before every call.
  if (statOf(directory) === undefined) return [];
  const at = { severity: 'error', file: directory, line: 1, column: 1, key: '' } as const;
  const why = whyNotGuarded(directory, owner);
  if (why !== undefined) return { ...at, message: `managed settings cannot be used: ${why}`, advice: ADVICE };
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
      .reverse();
  } catch (error) {
    return { ...at, message: `the directory cannot be listed (${systemCode(error) ?? messageOf(error)})` };
  }
}

export const ADVICE = 'Its owner must be root, and nobody else may be able to write there (chmod go-w).';

/**
 * Why somebody else could have written a file, or put another one in its place; `undefined` when nobody could. What does
 * not exist is fine, as long as its directory is.
 */
export function whyNotGuarded(path: string, owner: number): string | undefined {
  if (statOf(dirname(path)) === undefined) return undefined;
  for (const one of new Set(alongLinks(path).flatMap(withAncestors))) {
    const stats = statOf(one);
    if (stats === undefined) continue;
    if (stats.uid !== owner && stats.uid !== 0) return `${one} belongs to user ${stats.uid}, not to root`;
    // In a directory with the sticky bit nobody can replace what is another one's.
    const isSticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
    if ((stats.mode & 0o022) !== 0 && !isSticky)
      return `others than its owner may write ${one} (mode ${(stats.mode & 0o7777).toString(8)})`;
  }
  return undefined;
}

/** Where the path leads first, then each link on the way there. */
function alongLinks(path: string): readonly string[] {
  const links = [path];
  for (let link = path; links.length <= MOST_LINKS; links.unshift(link)) {
    try {
      link = resolve(dirname(link), readlinkSync(link));
    } catch {
      break;
    }
  }
  const real = realFiles.realPath(path);
  return real === undefined ? links : [real, ...links];
}

/** As many as the system follows. */
const MOST_LINKS = 40;

function withAncestors(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withAncestors(parent)];
}

/** What cannot be looked at is for the reader of the file to report. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
