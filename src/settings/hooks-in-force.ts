/** Joins the hooks of all files: in the order of authority, less those that `disableAllHooks` switches off. */
import { HOOK_SCOPES, type Hook, type HookScope, type HooksInForce } from '../hooks/hook.ts';
import type { Place } from './json.ts';
import type { SettingsOrigin } from './origin.ts';

export interface HooksOfFile {
  readonly origin: Pick<SettingsOrigin, 'file' | 'scope'>;
  readonly hooks: readonly Hook[];
  /** Where the file says `disableAllHooks: true`, if it counts. */
  readonly disablesHooks?: Place;
}

export interface JoinedHooks {
  readonly inForce: HooksInForce;
  readonly warnings: readonly string[];
}

/**
 * `files`: the highest precedence first. A switch reaches its own scope and those with less authority: a repository
 * cannot disarm its user. A hook that stands in several files stays once for each: which of them are the same is for
 * those who run them to say, and none of them replaces another.
 */
export function joinHooks(files: readonly HooksOfFile[]): JoinedHooks {
  const hooks = HOOK_SCOPES.flatMap((scope) =>
    files.filter(({ origin }) => origin.scope === scope).flatMap((file) => file.hooks),
  );
  const switches = files.filter(({ disablesHooks }) => disablesHooks !== undefined);
  const isOff = ({ source }: Hook): boolean =>
    switches.some(({ origin }) => reaches(origin.scope, source.scope));
  return {
    inForce: Object.freeze({ hooks: Object.freeze(hooks.filter((hook) => !isOff(hook))) }),
    warnings: switches.flatMap((file) => effectOf(file, hooks)),
  };
}

function reaches(from: HookScope, to: HookScope): boolean {
  return HOOK_SCOPES.indexOf(to) >= HOOK_SCOPES.indexOf(from);
}

/** Guards that do not run, and guards that run although somebody may think they do not, are told. */
function effectOf({ origin, disablesHooks }: HooksOfFile, hooks: readonly Hook[]): readonly string[] {
  const off = hooks.filter(({ source }) => reaches(origin.scope, source.scope)).length;
  const beyond = hooks.length - off;
  const effects = [
    ...(off > 0 ? [`${counted(off)} switched off`] : []),
    ...(beyond > 0 ? [`${counted(beyond)} of higher authority not reached`] : []),
  ];
  if (effects.length === 0) return [];
  return [
    `${origin.file}:${disablesHooks?.line}:${disablesHooks?.column}: disableAllHooks: ${effects.join(', ')}.`,
  ];
}

const counted = (count: number): string => (count === 1 ? '1 hook is' : `${count} hooks are`);
