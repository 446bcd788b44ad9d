/** The settings in force taken apart: every single value, with the file and line that it comes from. For people who look. */
import type { Hook } from '../hooks/hook.ts';
import { hookRef } from '../hooks/hook.ts';
import { BUILTIN_DENIAL_NAMES } from '../permissions/guards/builtin.ts';
import type { CommandLine } from './command-line.ts';
import { DEFAULT_LIMITS } from './defaults.ts';
import { type JsonDocument, type JsonPath, parseStrictJson } from './json.ts';
import { LIMIT_KEYS, type Limits } from './limits-schema.ts';
import type { LoadedSettings } from './load.ts';
import { directoryNamed, type SettingsSnapshot } from './merge.ts';
import { RESTRICTION_KEYS } from './restrictions-schema.ts';
import type { SettingsScope } from './schema.ts';

export interface LeafSource {
  /** An absolute path, or the name of a flag. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly scope: SettingsScope;
}

export interface Leaf {
  /** Of which key, as in `permissions.deny`, `hooks.PreToolUse`, `env.NAME`. */
  readonly key: string;
  readonly value: string | number | boolean;
  /** `undefined`: built in. */
  readonly source: LeafSource | undefined;
  /** It stands in the file as a person last accepted it, not as it is now. */
  readonly isAsAccepted?: true;
}

/** What the store has put in force, and what it was made of. */
export interface InForce {
  readonly snapshot: SettingsSnapshot;
  /** What counts of each file, the highest precedence first. */
  readonly contents: readonly LoadedSettings[];
  readonly flags: CommandLine;
  /** What stands now in the files of which something waits for a person. */
  readonly changed: readonly LoadedSettings[];
}

export function leavesInForce({ changed, ...inForce }: InForce): readonly Leaf[] {
  const leaves = leavesOf(inForce);
  if (changed.length === 0) return leaves;
  const ofChanged = new Set(changed.map(({ origin }) => origin.file));
  const rules = changed.flatMap((file) => file.rules);
  const hooks = { ...inForce.snapshot.hooks, hooks: changed.flatMap((file) => file.hooks) };
  const snapshot = { ...inForce.snapshot, rules, hooks };
  const name = (leaf: Leaf): string => JSON.stringify(leaf);
  const standing = new Set(leavesOf({ ...inForce, snapshot, contents: changed }).map(name));
  const isOld = (leaf: Leaf): boolean =>
    leaf.source !== undefined && ofChanged.has(leaf.source.file) && !standing.has(name(leaf));
  return leaves.map((leaf) => (isOld(leaf) ? { ...leaf, isAsAccepted: true } : leaf));
}

type Parts = Omit<InForce, 'changed'>;

function leavesOf(inForce: Parts): readonly Leaf[] {
  const { snapshot, contents } = inForce;
  return [
    ...ruleLeaves(snapshot, contents),
    ...modeLeaves(inForce),
    ...directoryLeaves(inForce),
    ...switchedOffLeaves(inForce),
    ...snapshot.hooks.hooks.map(hookLeaf),
    ...contents.flatMap((file) => switchLeaf(file)),
    ...variableLeaves(contents),
    ...contents.flatMap(restrictionLeaves),
    ...scalarLeaves(inForce),
    ...auditLeaves(inForce),
  ];
}

/** By list, the strictest first; built-in denials among them. */
function ruleLeaves(
  { rules, permissions }: SettingsSnapshot,
  contents: readonly LoadedSettings[],
): readonly Leaf[] {
  const scopes = new Map(contents.map(({ origin }) => [origin.file, origin.scope]));
  const builtin = BUILTIN_DENIAL_NAMES.filter((name) => !permissions.disabledBuiltins.has(name));
  return (['deny', 'ask', 'allow'] as const).flatMap((list) => [
    ...rules
      .filter(({ source }) => source.list === list)
      .map(({ source: { text, file, line, column } }): Leaf => {
        const scope = scopes.get(file) ?? 'command-line';
        return { key: `permissions.${list}`, value: text, source: { file, line, column, scope } };
      }),
    ...(list === 'deny' ? builtin : []).map(
      (name): Leaf => ({ key: 'permissions.deny', value: name, source: undefined }),
    ),
  ]);
}

function modeLeaves({ snapshot, contents, flags }: Parts): readonly Leaf[] {
  const { mode } = snapshot.permissions;
  const forbidding = contents.filter(({ values }) => values.forbidsBypass === true);
  const path = ['permissions', 'defaultMode'];
  const chosen = contents.find(({ values }) => values.mode === mode);
  const typed = flags.permissionMode === mode ? flagSource('--permission-mode') : undefined;
  const forbids = 'permissions.disableBypassPermissionsMode';
  return [
    { key: path.join('.'), value: mode, source: typed ?? (chosen && sourceIn(chosen, path)) },
    ...forbidding.map((file): Leaf => {
      return { key: forbids, value: 'disable', source: sourceIn(file, forbids.split('.')) };
    }),
  ];
}

function directoryLeaves({ snapshot, contents, flags }: Parts): readonly Leaf[] {
  const { workplace } = snapshot.permissions;
  const key = 'permissions.additionalDirectories';
  return workplace.directories.map((directory): Leaf => {
    const isIt = (text: string, base: string) =>
      directoryNamed(text, base, workplace.home).path === directory;
    if ((flags.addDirs ?? []).some((text) => isIt(text, workplace.cwd)))
      return { key, value: directory, source: flagSource('--add-dir') };
    for (const file of contents) {
      const index = (file.values.additionalDirectories ?? []).findIndex((text) =>
        isIt(text, workplace.project),
      );
      if (index >= 0) return { key, value: directory, source: sourceIn(file, [...key.split('.'), index]) };
    }
    return { key, value: directory, source: undefined };
  });
}

function switchedOffLeaves({ snapshot, contents }: Parts): readonly Leaf[] {
  const path = ['permissions', 'disableBuiltinRules'];
  const { disabledBuiltins } = snapshot.permissions;
  return contents.flatMap((file) =>
    [...(file.values.disableBuiltinRules ?? []).entries()]
      .filter(([, name]) => disabledBuiltins.has(name))
      .map(([index, value]): Leaf => {
        return { key: path.join('.'), value, source: sourceIn(file, [...path, index]) };
      }),
  );
}

function hookLeaf(hook: Hook): Leaf {
  const { event, matcher, source } = hook;
  const { file, line, column, scope } = source;
  const value = `${matcher ? `${matcher}: ` : ''}${hookRef(hook).name}`;
  return { key: `hooks.${event}`, value, source: { file, line, column, scope } };
}

function switchLeaf(file: LoadedSettings): readonly Leaf[] {
  const { origin, values } = file;
  const switches = {
    disableAllHooks: values.disablesHooks,
    allowManagedRulesOnly: values.managedRulesOnly,
    allowManagedHooksOnly: values.managedHooksOnly,
  };
  return Object.entries(switches).flatMap(([key, place]) =>
    place === undefined
      ? []
      : [{ key, value: true, source: { file: origin.file, scope: origin.scope, ...place } }],
  );
}

function restrictionLeaves(file: LoadedSettings): readonly Leaf[] {
  return RESTRICTION_KEYS.flatMap((key) =>
    (file.values[key] ?? []).map((value, index) => ({ key, value, source: sourceIn(file, [key, index]) })),
  );
}

/** Of each variable the value of the highest precedence. */
function variableLeaves(contents: readonly LoadedSettings[]): readonly Leaf[] {
  const leaves = new Map<string, Leaf>();
  for (const file of contents) {
    for (const [name, value] of Object.entries(file.values.env ?? {})) {
      if (leaves.has(name)) continue;
      leaves.set(name, { key: `env.${name}`, value, source: sourceIn(file, ['env', name]) });
    }
  }
  return [...leaves.values()];
}

/** With their flags, where they have one. */
const SCALARS: readonly {
  readonly key: 'model' | keyof Limits;
  readonly flag?: '--model' | '--max-turns';
}[] = [
  { key: 'model', flag: '--model' },
  { key: 'maxTurns', flag: '--max-turns' },
  ...LIMIT_KEYS.filter((key) => key !== 'maxTurns').map((key) => ({ key })),
];

function scalarLeaves({ snapshot, contents, flags }: Parts): readonly Leaf[] {
  const given: Readonly<Record<string, unknown>> = { model: flags.model, maxTurns: flags.maxTurns };
  const builtIn: Readonly<Record<string, number>> = DEFAULT_LIMITS;
  return SCALARS.flatMap(({ key, flag }): readonly Leaf[] => {
    const value = snapshot[key];
    if (value === undefined) {
      const otherwise = builtIn[key];
      return otherwise === undefined ? [] : [{ key, value: otherwise, source: undefined }];
    }
    const isOfFlag = flag !== undefined && given[key] === value;
    const file = contents.find(({ values }) => values[key] === value);
    const managed = file?.origin.scope === 'managed' ? file : undefined;
    const source = isOfFlag && managed === undefined ? flagSource(flag) : file && sourceIn(file, [key]);
    return [{ key, value, source }];
  });
}

function auditLeaves({ contents }: Parts): readonly Leaf[] {
  const leaves = new Map<string, Leaf>();
  for (const file of contents) {
    for (const [name, value] of Object.entries(file.values.audit ?? {})) {
      if (leaves.has(name)) continue;
      const shown = typeof value === 'object' ? JSON.stringify(value) : value;
      leaves.set(name, { key: `audit.${name}`, value: shown, source: sourceIn(file, ['audit', name]) });
    }
  }
  return [...leaves.values()];
}

function flagSource(flag: string): LeafSource {
  return { file: flag, line: 1, column: 1, scope: 'command-line' };
}

/** The texts in force are whole and valid: they were read before. */
const documents = new WeakMap<LoadedSettings, JsonDocument>();

function sourceIn(file: LoadedSettings, path: JsonPath): LeafSource {
  const { scope } = file.origin;
  let document = documents.get(file);
  if (document === undefined) {
    const parsed = parseStrictJson(file.origin.file, file.text.replace(/^\uFEFF/, ''));
    if (!parsed.ok) return { file: file.origin.file, line: 1, column: 1, scope };
    document = parsed.document;
    documents.set(file, document);
  }
  const isEntry = typeof path.at(-1) === 'number';
  const place = isEntry ? document.placeOf(path) : document.placeOfKey(path);
  return { file: file.origin.file, ...place, scope };
}
