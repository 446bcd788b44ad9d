/** The settings files that the `hooks` commands look at: those of a session that would start here. */
import { HookdError } from '../core/errors.ts';
import { homeOf, hookdHomeOf } from '../daemon/daemon.ts';
import type { ProgramPlace } from '../hooks/program.ts';
import { childEnvironment } from '../lib/child-env.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { ConfiguredFile } from '../settings/configured-hooks.ts';
import { describeProblem, isError } from '../settings/problem.ts';
import { locateSettings, type SettingsPlace, type Whereabouts } from '../settings/scopes.ts';
import { startDirectory } from './start-directory.ts';

export interface SettingsInReach {
  readonly places: readonly SettingsPlace[];
  readonly program: ProgramPlace;
}

export function whereaboutsOf(env: NodeJS.ProcessEnv): Whereabouts {
  return {
    startDirectory: startDirectory(),
    home: homeOf(env),
    hookdHome: hookdHomeOf(env),
    ...(env['CLAUDE_CONFIG_DIR'] ? { claudeHome: env['CLAUDE_CONFIG_DIR'] } : {}),
  };
}

export function settingsInReach(flags: CommandLine, env: NodeJS.ProcessEnv): SettingsInReach {
  const located = locateSettings(whereaboutsOf(env), flags);
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
