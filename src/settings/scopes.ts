/** Says which settings a session reads, and where it works. Looked up once, when the session starts. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../core/errors.ts';
import type { Workplace } from '../core/vocabulary.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { CommandLine } from './command-line.ts';
import type { SettingsOrigin } from './load.ts';
import type { SettingsProblem } from './problem.ts';
import { findProject, PROJECT_FOLDER } from './project.ts';

const FILE_NAME = 'settings.json';

/** Of the two directories links need not be resolved, and $HOOKD_HOME need not exist. */
export interface Whereabouts {
  readonly startDirectory: string;
  readonly home: string;
  readonly hookdHome: string;
}

export type SettingsPlace =
  /** `isNamed`: somebody named this very file, so that it must exist. */
  | { readonly kind: 'file'; readonly origin: SettingsOrigin; readonly isNamed: boolean }
  | { readonly kind: 'inline'; readonly origin: SettingsOrigin; readonly text: string };

export type Located =
  | {
      readonly ok: true;
      /** Without additional directories: those are settings. */
      readonly workplace: Workplace;
      /** The highest precedence first. */
      readonly places: readonly SettingsPlace[];
    }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

export function locateSettings(whereabouts: Whereabouts, flags: CommandLine): Located {
  const cwd = realPath(resolve(whereabouts.startDirectory));
  const notADirectory = whyNoDirectory(cwd);
  if (notADirectory !== undefined) {
    const at = { file: whereabouts.startDirectory, line: 1, column: 1, key: '' };
    return {
      ok: false,
      problems: [{ severity: 'error', ...at, message: `the start directory ${notADirectory}` }],
    };
  }
  const home = realPath(resolve(whereabouts.home));
  const hookdHome = realPath(resolve(cwd, whereabouts.hookdHome));
  const project = findProject({ start: cwd, home, hookdHome, user: process.getuid?.() });

  const named = flags.settings ?? [];
  const problems = named.filter((value) => value.trim() === '').map(emptyFlag);
  if (problems.length > 0) return { ok: false, problems };
  const places = [
    // Of a flag that is given twice the last one counts.
    ...named.map((value) => placeOfFlag(value, cwd)).reverse(),
    ...projectPlace(project, hookdHome),
    userPlace(hookdHome),
  ];
  return { ok: true, workplace: { project, cwd, home, hookdHome, directories: [] }, places };
}

function placeOfFlag(value: string, cwd: string): SettingsPlace {
  if (value.trimStart().startsWith('{')) {
    return { kind: 'inline', origin: { scope: 'command-line', file: '--settings', root: cwd }, text: value };
  }
  const file = resolve(cwd, value);
  return {
    kind: 'file',
    origin: { scope: 'command-line', file, root: realPath(dirname(file)) },
    isNamed: true,
  };
}

function projectPlace(project: string, hookdHome: string): readonly SettingsPlace[] {
  const folder = join(project, PROJECT_FOLDER);
  // Started at home, the project's folder is the user's own.
  if (realPath(folder) === hookdHome) return [];
  const origin: SettingsOrigin = { scope: 'project', file: join(folder, FILE_NAME), root: project };
  return [{ kind: 'file', origin, isNamed: false }];
}

function userPlace(hookdHome: string): SettingsPlace {
  const origin: SettingsOrigin = { scope: 'user', file: join(hookdHome, FILE_NAME), root: hookdHome };
  return { kind: 'file', origin, isNamed: false };
}

function emptyFlag(): SettingsProblem {
  const at = { file: '--settings', line: 1, column: 1, key: '' };
  return {
    severity: 'error',
    ...at,
    message: 'no value',
    expected: 'a file or a JSON object',
    found: 'nothing',
  };
}

/** Links resolved as far as the path exists. Where they lead nowhere, the path as it is written. */
export function realPath(path: string): string {
  return realFiles.realPath(path) ?? path;
}

/** Why a path cannot serve as a directory; `undefined` when it can. */
export function whyNoDirectory(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'is not a directory';
  } catch (error) {
    return systemCode(error) === 'ENOENT'
      ? 'does not exist'
      : `cannot be used (${systemCode(error) ?? 'error'})`;
  }
}
