/** Joins what all files and flags say into one frozen snapshot: the policy that a call is judged by. */
import { resolve } from 'node:path';
import { type ChannelSettings, channelSettings } from '../audit/channel-settings.ts';
import type { Workplace } from '../core/vocabulary.ts';
import type { HooksInForce } from '../hooks/hook.ts';
import type { Permissions } from '../permissions/decide.ts';
import type { Rule } from '../permissions/rule.ts';
import { compileRules } from '../permissions/rule-set.ts';
import type { CommandLine, FlagSettings } from './command-line.ts';
import type { ScopedVariables } from './environment.ts';
import { joinHooks } from './hooks-in-force.ts';
import { refusedAddresses } from './http-addresses.ts';
import { type Limits, limitsOf } from './limits-schema.ts';
import { type LoadedSettings, type SettingsValues, sha256 } from './load.ts';
import { modeInForce } from './mode.ts';
import { applyPins } from './pins.ts';
import { policyFiles } from './policy-files.ts';
import { describeProblem, toldTogether, worthReading } from './problem.ts';
import { restrictHttp, type ScopedNames, scrubbedBy } from './restrictions.ts';
import type { SettingsScope } from './schema.ts';
import { realPath, whyNoDirectory } from './scopes.ts';

export interface SettingsSource {
  readonly scope: SettingsScope;
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
  /** Of this text only the deny and ask rules count. */
  readonly onlyTightens?: true;
}

export interface SettingsSnapshot extends Limits {
  /** SHA-256 (hex) over scope, path and bytes of every source: equal digests mean the same written policy. */
  readonly digest: string;
  readonly permissions: Permissions;
  /** The rules of all lists as they were written, each with its source. */
  readonly rules: readonly Rule[];
  /** By authority, then in the order of the files. */
  readonly hooks: HooksInForce;
  /** The lowest precedence first; `variablesFor` says what of it reaches whom. */
  readonly env: readonly ScopedVariables[];
  /** Variables that hooks and commands do not get; `withoutScrubbed` says which of them. */
  readonly scrubEnv: readonly ScopedNames[];
  readonly model?: string;
  readonly audit: ChannelSettings;
  readonly warnings: readonly string[];
  /** The managed file that reserves allow rules and switched-off built-ins to itself. */
  readonly rulesPinnedBy?: string;
  readonly sources: readonly SettingsSource[];
}

export interface MergeInput {
  /** Without additional directories. */
  readonly workplace: Workplace;
  /** The highest precedence first. */
  readonly loaded: readonly LoadedSettings[];
  readonly flags: CommandLine;
  /** What else the policy depends on, that is no settings file. */
  readonly moreSources: readonly SettingsSource[];
  readonly readFlags: FlagSettings;
  /** What else people should know. */
  readonly notices: readonly string[];
}

export function mergeSettings(input: MergeInput): SettingsSnapshot {
  const { workplace, flags, readFlags, notices } = input;
  const sources = [...flagSource(flags), ...input.loaded.map(sourceOf), ...input.moreSources];
  const pinned = applyPins(input.loaded, readFlags.rules);
  const { loaded } = pinned;
  const rulesPin = loaded.find(({ values }) => values.managedRulesOnly !== undefined);
  const rules = Object.freeze([...pinned.flagRules, ...loaded.flatMap((file) => file.rules)]);
  const extra = additionalDirectories(workplace, loaded, flags);
  const disabledBuiltins = new Set(loaded.flatMap(({ values }) => values.disableBuiltinRules ?? []));
  const { mode, warnings: aboutMode } = modeInForce(
    readFlags.mode,
    loaded.map(({ origin, values }) => ({ origin, ...values })),
  );
  const joined = joinHooks(loaded.map(({ origin, hooks, values }) => ({ origin, hooks, ...values })));
  const inForce = restrictHttp(joined.inForce, loaded);
  const audit = Object.freeze(
    channelSettings(
      loaded.flatMap(({ values }) => values.audit ?? []),
      workplace.home,
    ),
  );
  const files = loaded.map(({ origin }) => origin.file);
  const permissions: Permissions = Object.freeze({
    rules: compileRules(rules),
    mode,
    workplace: Object.freeze({
      ...workplace,
      directories: Object.freeze(extra.directories),
      policyFiles: Object.freeze(policyFiles(files, inForce, audit.sinks, workplace)),
    }),
    disabledBuiltins,
  });
  const first = <Key extends keyof SettingsValues>(
    key: Key,
    files: readonly LoadedSettings[] = loaded,
  ): SettingsValues[Key] | undefined => files.find(({ values }) => values[key] !== undefined)?.values[key];
  const managed = loaded.filter(({ origin }) => origin.scope === 'managed');
  const model = first('model', managed) ?? flags.model ?? first('model');
  const limits = limitsOf((key) =>
    key === 'maxTurns' ? (first(key, managed) ?? flags.maxTurns ?? first(key)) : first(key),
  );
  const ofFiles = loaded.flatMap((file) => worthReading(toldTogether(file.warnings)));
  const warnings = [...readFlags.problems, ...ofFiles].map(describeProblem);
  return Object.freeze({
    digest: digestOf(sources),
    permissions,
    rules,
    hooks: inForce,
    env: variablesOf(loaded),
    scrubEnv: scrubbedBy(loaded),
    ...(model === undefined ? {} : { model }),
    ...limits,
    audit,
    warnings: Object.freeze([
      ...warnings,
      ...extra.warnings,
      ...aboutMode,
      ...joined.warnings,
      ...refusedAddresses(inForce).map(describeProblem),
      ...pinned.warnings,
      ...overruledFlags(flags, model, limits.maxTurns),
      ...notices,
    ]),
    ...(rulesPin === undefined ? {} : { rulesPinnedBy: rulesPin.origin.file }),
    sources: Object.freeze(sources),
  });
}

function overruledFlags(
  flags: CommandLine,
  model: string | undefined,
  maxTurns: number | undefined,
): readonly string[] {
  const told = (flag: string, value: string | number | undefined): string =>
    `${flag}: managed settings say ${JSON.stringify(value)}; the flag does not count.`;
  return [
    ...(flags.model === undefined || flags.model === model ? [] : [told('--model', model)]),
    ...(flags.maxTurns === undefined || flags.maxTurns === maxTurns ? [] : [told('--max-turns', maxTurns)]),
  ];
}

function digestOf(sources: readonly SettingsSource[]): string {
  const written = sources.map(({ scope, path, sha256, onlyTightens }) =>
    onlyTightens === true ? [scope, path, sha256, 'tightens'] : [scope, path, sha256],
  );
  return sha256(JSON.stringify(written));
}

function variablesOf(loaded: readonly LoadedSettings[]): readonly ScopedVariables[] {
  const scoped = loaded.flatMap(({ origin, values }) =>
    values.env === undefined ? [] : [Object.freeze({ scope: origin.scope, values: values.env })],
  );
  return Object.freeze(scoped.reverse());
}

/** Something that is not a settings file of its own, as a source. */
export function sourceFrom(scope: SettingsScope, path: string, text: string): SettingsSource {
  return Object.freeze({ scope, path, text, sha256: sha256(text) });
}

function sourceOf({ origin, text, sha256, onlyTightens }: LoadedSettings): SettingsSource {
  const part = onlyTightens === true ? { onlyTightens } : {};
  return Object.freeze({ scope: origin.scope, path: origin.file, text, sha256, ...part });
}

/** The flags are policy as any file: they are part of the digest, and of what is kept to explain a decision. */
function flagSource({ settings: _, ...flags }: CommandLine): readonly SettingsSource[] {
  const given = Object.entries(flags).filter(
    ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  if (given.length === 0) return [];
  const text = JSON.stringify(Object.fromEntries(given));
  return [sourceFrom('command-line', 'flags', text)];
}

interface Directories {
  readonly directories: readonly string[];
  readonly warnings: readonly string[];
}

/** A flag is relative to where it was typed, a setting to the project. What is no directory now is left out. */
function additionalDirectories(
  workplace: Workplace,
  loaded: readonly LoadedSettings[],
  flags: CommandLine,
): Directories {
  const wanted = [
    ...(flags.addDirs ?? []).map((text) => ({ text, base: workplace.cwd, from: '--add-dir' })),
    ...loaded.flatMap(({ origin, values }) =>
      (values.additionalDirectories ?? []).map((text) => {
        return { text, base: workplace.project, from: `${origin.file}: permissions.additionalDirectories` };
      }),
    ),
  ];
  const directories = new Set<string>();
  const warnings: string[] = [];
  for (const { text, base, from } of wanted) {
    const { path, why } = directoryNamed(text, base, workplace.home);
    if (why === undefined) directories.add(path);
    else warnings.push(`${from}: ${JSON.stringify(text)} ${why}; ignored.`);
  }
  return { directories: [...directories], warnings };
}

/** The directory that is meant, links resolved, and why it cannot serve. */
export function directoryNamed(
  text: string,
  base: string,
  home: string,
): { readonly path: string; readonly why: string | undefined } {
  const atHome = /^~(?=\/|$)/;
  const path = atHome.test(text) ? text.replace(atHome, home) : resolve(base, text);
  const why =
    text === '' ? 'is empty' : text.startsWith('//') ? 'begins with two slashes' : whyNoDirectory(path);
  return { path: realPath(path), why };
}
