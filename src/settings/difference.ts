/** What a change of settings means for people: which rules, hooks and values came and which went. */
import { type Hook, hookRef } from '../hooks/hook.ts';
import { limitsOf } from './limits-schema.ts';
import { sha256 } from './load.ts';
import type { SettingsSnapshot } from './merge.ts';

export interface SettingsDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Moving a rule to another line or file changes nothing that is in force, so it is no difference. */
export function differenceBetween(before: SettingsSnapshot, after: SettingsSnapshot): SettingsDifference {
  const [old, new_] = [itemsOf(before), itemsOf(after)];
  return { added: without(new_, old), removed: without(old, new_) };
}

function without(items: readonly string[], known: readonly string[]): readonly string[] {
  const set = new Set(known);
  return [...new Set(items)].filter((item) => !set.has(item));
}

function itemsOf(snapshot: SettingsSnapshot): readonly string[] {
  const { rules, hooks, env, scrubEnv, permissions, model, audit } = snapshot;
  return [
    ...rules.map(({ source }) => `${source.list} ${source.text}`),
    ...hooks.hooks.map(hookItem),
    ...permissions.workplace.directories.map((directory) => `directory ${directory}`),
    ...[...permissions.disabledBuiltins].map((name) => `built-in rule off: ${name}`),
    `mode ${permissions.mode}`,
    ...env.flatMap(({ scope, values }) =>
      // The value may be a secret.
      Object.entries(values).map(([name, value]) => `env ${name} (${scope}, ${sha256(value).slice(0, 8)})`),
    ),
    ...scrubEnv.flatMap(({ scope, names }) => names.map((name) => `scrubbed ${name} (${scope})`)),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...Object.entries(limitsOf((key) => snapshot[key])).map(([key, value]) => `${key} ${value}`),
    ...Object.entries(audit).map(([name, value]) => `audit ${name} ${JSON.stringify(value)}`),
  ];
}

/** Everything that changes what a hook does, and whose it is. */
function hookItem(hook: Hook): string {
  const { event, matcher, handler, source, statusMessage: _, ...rest } = hook;
  const options = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false);
  const shell = handler.type === 'command' && handler.shell !== 'bash' ? [`shell ${handler.shell}`] : [];
  return [
    `hook ${event}${matcher === undefined ? '' : `(${matcher})`} ${hookRef(hook).name}`,
    `(${[source.scope, ...shell, ...options.map(([name, value]) => `${name} ${String(value)}`)].join(', ')})`,
  ].join(' ');
}
