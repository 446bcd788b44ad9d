/** The environment of the agent's commands: a session's own, with what the settings set, without what must not reach them. */
import { childEnvironment } from '../lib/child-env.ts';
import type { IsSet } from '../permissions/shell/unset-variables.ts';
import { type Variables, variablesFor } from './environment.ts';
import type { SettingsSnapshot } from './merge.ts';
import { withoutScrubbed } from './restrictions.ts';

/** `more`: what SessionStart hooks left for the commands. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { env: ofSettings, scrubEnv, permissions }: SettingsSnapshot,
  more: Variables = {},
): Readonly<Record<string, string>> {
  const set = { ...variablesFor('tools', ofSettings), ...more };
  return childEnvironment(withoutScrubbed({ ...env, ...set }, 'tools', scrubEnv), {
    projectDir: permissions.workplace.project,
  });
}

/** For decisions outside a session: what a session that started here would set. */
export function setForCommands(
  env: Readonly<Record<string, string | undefined>>,
  snapshot: SettingsSnapshot,
): IsSet {
  let made: Readonly<Record<string, string>> | undefined;
  return (name) => {
    made ??= commandEnvironment(env, snapshot);
    return Object.hasOwn(made, name);
  };
}
