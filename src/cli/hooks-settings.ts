/** The settings files that the `hooks` commands look at: those of a session that would start here. */
import { basename, dirname } from 'node:path';
import { HookdError } from '../core/errors.ts';
import { homeOf, hookdHomeOf } from '../daemon/hookd-home.ts';
import type { ProgramPlace } from '../hooks/program.ts';
import { childEnvironment } from '../lib/child-env.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { ConfiguredFile } from '../settings/configured-hooks.ts';
import { describeProblem, isError } from '../settings/problem.ts';
import { CLAUDE_FOLDER, PROJECT_FOLDER } from '../settings/project.ts';
import { locateSettings, realPath, type SettingsPlace, type Whereabouts } from '../settings/scopes.ts';
import { startDirectory } from './start-directory.ts';

export interface SettingsInReach {
  readonly places: readonly SettingsPlace[];
  readonly program: ProgramPlace;
}

/** `start`: instead of the directory that hookd was started in. */
export function whereaboutsOf(env: NodeJS.ProcessEnv, start = startDirectory()): Whereabouts {
  return {
    startDirectory: start,
    home: homeOf(env),
    hookdHome: hookdHomeOf(env),
    ...(env['CLAUDE_CONFIG_DIR'] ? { claudeHome: env['CLAUDE_CONFIG_DIR'] } : {}),
  };
}

export function settingsInReach(
  flags: CommandLine,
  env: NodeJS.ProcessEnv,
  start = startDirectory(),
): SettingsInReach {
  const located = locateSettings(whereaboutsOf(env, start), flags);
  if (!located.ok)
    throw new HookdError(
      'SETTINGS_INVALID',
      located.problems.filter(isError).map(describeProblem).join('\n'),
    );
  const { project, home } = located.workplace;
  const { PATH = '' } = childEnvironment(env, { projectDir: project });
  return {
    places: located.places,
    program: { project, home, path: PATH },
  };
}

/**
 * A file that somebody names is read as what its folder says: a project's, the user's, Claude Code's; from another folder
 * as what `--settings` names.
 */
export function placeOfFile(file: string, hookdHome: string, project: string): SettingsPlace {
  const folder = basename(dirname(file));
  const isUsers = realPath(dirname(file)) === realPath(hookdHome);
  const isInFolder = !isUsers && (folder === PROJECT_FOLDER || folder === CLAUDE_FOLDER);
  const ofProject = basename(file).includes('.local.') ? 'local' : 'project';
  const scope = isUsers ? 'user' : isInFolder ? ofProject : 'command-line';
  const root = isInFolder ? dirname(dirname(file)) : project;
  const dialect = folder === CLAUDE_FOLDER ? 'claude' : 'hookd';
  return { kind: 'file', origin: { file, scope, dialect, root, isTrusted: true }, isNamed: true };
}

/** Settings may lengthen the PATH of hooks; whose, does not matter here. */
export function withPathsOf(files: readonly ConfiguredFile[], place: ProgramPlace): ProgramPlace {
  const paths = files.flatMap(({ path }) => (path === undefined ? [] : [path]));
  return { ...place, path: [...paths, place.path].join(':') };
}

/** Relative to the project for what lies there, `~/…` for what lies at home. */
export function shortPath(path: string, { project, home }: Pick<ProgramPlace, 'project' | 'home'>): string {
  if (path.startsWith(`${project}/`)) return path.slice(project.length + 1);
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
