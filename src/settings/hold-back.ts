/**
 * What of a changed settings file is in force while its loosenings wait for a person: whatever tightens, of the file as it
 * was accepted and as it is now, and nothing that only one of the two allows. Pure.
 */
import { type Hook, hookRef } from '../hooks/hook.ts';
import type { Rule } from '../permissions/rule.ts';
import type { LoadedSettings, SettingsValues } from './load.ts';
import { isNoLooser } from './mode.ts';

export interface HeldBack {
  /** Undefined where there is neither. */
  readonly loaded: LoadedSettings | undefined;
  /** What waits, in words; empty when the change only tightens. */
  readonly waiting: readonly string[];
}

/** Undefined: no file. */
export function holdBack(accepted: LoadedSettings | undefined, found: LoadedSettings | undefined): HeldBack {
  const base = found ?? accepted;
  if (base === undefined) return { loaded: undefined, waiting: [] };
  const [before, now] = [contentOf(accepted), contentOf(found)];
  const rules = rulesOf(before.rules, now.rules);
  const hooks = hooksOf(before.hooks, now.hooks);
  const values = valuesOf(before.values, now.values);
  const { origin } = base;
  const { text = '', sha256 = '', warnings = [] } = found ?? {};
  return {
    loaded: { origin, text, sha256, warnings, rules: rules.kept, hooks: hooks.kept, values: values.kept },
    waiting: [...rules.waiting, ...hooks.waiting, ...values.waiting],
  };
}

type Content = Pick<LoadedSettings, 'rules' | 'hooks' | 'values'>;

function contentOf(loaded: LoadedSettings | undefined): Content {
  return loaded ?? { rules: [], hooks: [], values: {} };
}

interface Kept<T> {
  readonly kept: T;
  readonly waiting: readonly string[];
}

function rulesOf(before: readonly Rule[], now: readonly Rule[]): Kept<readonly Rule[]> {
  const name = ({ source }: Rule): string => `${source.list} ${source.text}`;
  const [old, new_] = [new Set(before.map(name)), new Set(now.map(name))];
  const tightens = ({ source }: Rule): boolean => source.list !== 'allow';
  const gone = before.filter((rule) => tightens(rule) && !new_.has(name(rule)));
  const added = now.filter((rule) => !tightens(rule) && !old.has(name(rule)));
  return {
    kept: [...now.filter((rule) => !added.includes(rule)), ...gone],
    waiting: [...added.map(name), ...gone.map((rule) => `no longer ${name(rule)}`)],
  };
}

/** One that is gone may be a guard; one that is new is code. */
function hooksOf(before: readonly Hook[], now: readonly Hook[]): Kept<readonly Hook[]> {
  const identity = ({ source: _, statusMessage: __, ...rest }: Hook): string =>
    JSON.stringify(rest, (_key, value: unknown) => value ?? null);
  const name = (hook: Hook): string => `hook ${hook.event} ${hookRef(hook).name}`;
  const known = new Set(before.map(identity));
  const left = new Set(now.map(identity));
  const added = now.filter((hook) => !known.has(identity(hook)));
  const gone = before.filter((hook) => !left.has(identity(hook)));
  return {
    kept: [...now.filter((hook) => !added.includes(hook)), ...gone],
    waiting: [...added.map(name), ...gone.map((hook) => `no longer ${name(hook)}`)],
  };
}

function valuesOf(before: SettingsValues, now: SettingsValues): Kept<SettingsValues> {
  const { mode, forbidsBypass, disablesHooks, env, additionalDirectories, disableBuiltinRules, ...others } =
    before;
  const modes = modeOf(mode, now.mode);
  const forbids = forbidsBypass === true || now.forbidsBypass === true;
  const switched = (disablesHooks === undefined) !== (now.disablesHooks === undefined);
  const switches = switched ? disablesHooks : now.disablesHooks;
  const directories = listOf('directory', additionalDirectories, now.additionalDirectories);
  const builtins = listOf('built-in rule off:', disableBuiltinRules, now.disableBuiltinRules);
  const kept: SettingsValues = {
    ...others,
    ...(env === undefined ? {} : { env }),
    ...(modes.kept === undefined ? {} : { mode: modes.kept }),
    ...(forbids ? { forbidsBypass: true } : {}),
    ...(switches === undefined ? {} : { disablesHooks: switches }),
    ...(directories.kept.length === 0 ? {} : { additionalDirectories: directories.kept }),
    ...(builtins.kept.length === 0 ? {} : { disableBuiltinRules: builtins.kept }),
  };
  return {
    kept,
    waiting: [
      ...modes.waiting,
      ...(forbidsBypass === true && now.forbidsBypass !== true
        ? ['no longer disableBypassPermissionsMode']
        : []),
      ...(switched ? [`${now.disablesHooks === undefined ? 'no longer ' : ''}disableAllHooks`] : []),
      ...namesThatDiffer(env ?? {}, now.env ?? {}).map((name) => `env ${name}`),
      ...directories.waiting,
      ...builtins.waiting,
      ...namesThatDiffer(others, othersOf(now)),
    ],
  };
}

function othersOf(values: SettingsValues): Partial<SettingsValues> {
  const { mode, forbidsBypass, disablesHooks, env, additionalDirectories, disableBuiltinRules, ...others } =
    values;
  return others;
}

type Mode = SettingsValues['mode'];

/** A mode that is gone, or is neither stricter nor looser than the other, waits as well. */
function modeOf(before: Mode, now: Mode): Kept<Mode> {
  if (before === now) return { kept: now, waiting: [] };
  if (now === undefined) {
    // What would be in force without it may be looser, or stricter: the strictest that it can have stood for.
    return { kept: before === 'acceptEdits' ? 'default' : before, waiting: [`no longer mode ${before}`] };
  }
  const tightens = isNoLooser(now, before ?? 'default');
  return tightens ? { kept: now, waiting: [] } : { kept: before, waiting: [`mode ${now}`] };
}

function listOf(
  what: string,
  before: readonly string[] = [],
  now: readonly string[] = [],
): Kept<readonly string[]> {
  const added = now.filter((entry) => !before.includes(entry));
  return {
    kept: now.filter((entry) => before.includes(entry)),
    waiting: added.map((entry) => `${what} ${entry}`),
  };
}

function namesThatDiffer(before: object, now: object): readonly string[] {
  const [old, new_] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  return [...new Set([...old.keys(), ...new_.keys()])].filter(
    (name) => JSON.stringify(old.get(name)) !== JSON.stringify(new_.get(name)),
  );
}
