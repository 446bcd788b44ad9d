/** The environment of the agent's commands: a session's own, with what the settings set, without what must not reach them. */
import { childEnvironment } from '../lib/child-env.ts';
import type { IsSet } from '../permissions/shell/unset-variables.ts';
import { type Variables, variablesFor } from './environment.ts';
import type { SettingsSnapshot } from './merge.ts';
import { withoutScrubbed } from './restrictions.ts';

/** `given` as something changes it. `made`: what becomes of variables on their way to the commands. */
export type Change = (given: Variables, made: (all: Variables) => Variables) => Variables;

/** `changed`: what SessionStart hooks left for the commands makes of it. What is kept back from them stays so. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { env: ofSettings, scrubEnv, permissions }: SettingsSnapshot,
  changed: Change = (given) => given,
): Readonly<Record<string, string>> {
  const { project: projectDir } = permissions.workplace;
  const made = (all: typeof env) => childEnvironment(withoutScrubbed(all, 'tools', scrubEnv), { projectDir });
  const given = made({ ...env, ...variablesFor('tools', ofSettings) });
  const after = changed(given, made);
  return after === given ? given : made(after);
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
