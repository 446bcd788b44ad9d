/** Turns one settings file into rules and values that can be put in force, or into everything that is wrong with it. */
import { createHash } from 'node:crypto';
import type { AuditSettings } from '../audit/channel-settings.ts';
import { isObject } from '../core/json.ts';
import type { PermissionMode } from '../core/vocabulary.ts';
import type { Hook } from '../hooks/hook.ts';
import type { Rule } from '../permissions/rule.ts';
import { readAudit } from './audit-values.ts';
import { checkKeys } from './check-keys.ts';
import { checkValues } from './check-values.ts';
import { leftOutByClaude } from './claude-types.ts';
import { decodeSettings } from './decode.ts';
import { readVariables, type Variables } from './environment.ts';
import { type JsonDocument, type Place, parseStrictJson } from './json.ts';
import { type Limits, limitsOf } from './limits-schema.ts';
import { isModeForProjects, modeNamed } from './mode.ts';
import { isOfProject, type SettingsOrigin } from './origin.ts';
import { pinsOf } from './pins.ts';
import { describeValue, isError, type SettingsProblem } from './problem.ts';
import { readHooks } from './read-hooks.ts';
import { readRules } from './read-rules.ts';
import { type Restrictions, restrictionsOf } from './restrictions-schema.ts';
import { type Settings, schemaErrors } from './schema.ts';

export interface LoadedSettings {
  readonly origin: SettingsOrigin;
  /** The bytes as text, a byte order mark included. */
  readonly text: string;
  readonly sha256: string;
  /** What counts of the file: of an untrusted one only its deny and ask rules. */
  readonly rules: readonly Rule[];
  readonly hooks: readonly Hook[];
  readonly values: SettingsValues;
  readonly warnings: readonly SettingsProblem[];
  /** Only its deny and ask rules count, because an older content of the file is still in force. */
  readonly onlyTightens?: true;
}

export interface SettingsValues extends Limits, Restrictions {
  readonly model?: string;
  readonly mode?: PermissionMode;
  /** Counts wherever it stands: it only tightens. */
  readonly forbidsBypass?: boolean;
  /** Where `disableAllHooks` says true. */
  readonly disablesHooks?: Place;
  /** Where managed settings reserve allow rules, or hooks, to themselves. */
  readonly managedRulesOnly?: Place;
  readonly managedHooksOnly?: Place;
  readonly env?: Variables;
  readonly additionalDirectories?: readonly string[];
  readonly disableBuiltinRules?: readonly string[];
  readonly audit?: AuditSettings;
}

export type LoadResult =
  | { readonly ok: true; readonly loaded: LoadedSettings }
  /** Errors and warnings of the whole file. */
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/**
 * When a file is read. `running`: an empty file is refused, because an editor in the middle of a save, or a
 * truncated write, must not take the rules away that are in force.
 */
export type LoadTime = 'start' | 'running';

export function loadSettings(origin: SettingsOrigin, bytes: Uint8Array, time: LoadTime): LoadResult {
  const decoded = decodeSettings(origin.file, bytes);
  if (!decoded.ok) return { ok: false, problems: [decoded.problem] };
  const loadedWith = (parts: Counted): LoadResult => ({
    ok: true,
    loaded: { origin, text: textOf(bytes), sha256: sha256(bytes), ...parts },
  });

  const { text } = decoded;
  const emptiness = text.trim() === '' ? 'an empty file' : undefined;
  if (emptiness !== undefined) return noSettings(origin, emptiness, time, loadedWith);
  const parsed = parseStrictJson(origin.file, text);
  if (!parsed.ok) return { ok: false, problems: parsed.problems };
  const { document } = parsed;
  if (!isObject(document.value)) return noObject(origin, document, time, loadedWith);

  const errors = schemaErrors(document.value);
  const { hooks, problems: problemsOfHooks } = readHooks(origin, document, errors);
  const env = readVariables(origin, document);
  const problems: SettingsProblem[] = [
    ...checkValues(origin, document, errors),
    ...checkKeys({ origin, document }),
    ...problemsOfHooks,
    ...env.problems,
  ];
  const fault = leftOutByClaude(origin, document, errors);
  const counts = fault === undefined ? origin : { ...origin, isTrusted: false };
  const rules = readRules(counts, document, problems);
  const audit = readAudit(origin, document);
  problems.push(...audit.problems);
  problems.sort((one, other) => one.line - other.line || one.column - other.column);
  if (problems.some(isError)) return { ok: false, problems };
  const values = { ...countedValues(counts, document, env.values), ...audit.values };
  if (fault !== undefined) problems.push(fault);
  return loadedWith({ rules, hooks, values, warnings: problems });
}

type Counted = Pick<LoadedSettings, 'rules' | 'hooks' | 'values' | 'warnings'>;
type LoadedWith = (parts: Counted) => LoadResult;

/** `null`, `[]` and a number are what a file without settings may hold; other values were meant to be something. */
function noObject(
  origin: SettingsOrigin,
  document: JsonDocument,
  time: LoadTime,
  loadedWith: LoadedWith,
): LoadResult {
  const { value } = document;
  const isEmpty = value === null || typeof value === 'number' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return noSettings(origin, describeValue(value), time, loadedWith);
  const found = describeValue(value);
  const at = { file: origin.file, ...document.placeOf([]), key: '' };
  return {
    ok: false,
    problems: [{ severity: 'error', ...at, message: 'no settings', expected: 'an object', found }],
  };
}

function noSettings(
  origin: SettingsOrigin,
  found: string,
  time: LoadTime,
  loadedWith: LoadedWith,
): LoadResult {
  const problem: SettingsProblem = {
    severity: time === 'start' ? 'warning' : 'error',
    file: origin.file,
    line: 1,
    column: 1,
    key: '',
    message: 'no settings',
    expected: 'an object',
    found,
    advice: 'Write {} to have none.',
  };
  if (time === 'running') return { ok: false, problems: [problem] };
  return loadedWith({ rules: [], hooks: [], values: {}, warnings: [problem] });
}

/** Only what the file may set: the rest was reported as ignored. The schema has checked the types. */
function countedValues(origin: SettingsOrigin, document: JsonDocument, env: Variables): SettingsValues {
  const { model, disableAllHooks, permissions, ...settings } = document.value as Settings;
  const { additionalDirectories, disableBuiltinRules, defaultMode, disableBypassPermissionsMode } =
    permissions ?? {};
  const forbidsBypass = disableBypassPermissionsMode === 'disable' ? { forbidsBypass: true } : {};
  // What only tightens counts of the user's own file however it is read.
  const restrictions = isOfProject(origin) ? {} : restrictionsOf(settings);
  if (!origin.isTrusted) return { ...forbidsBypass, ...restrictions };
  const counts = {
    ...forbidsBypass,
    ...(origin.scope === 'managed' ? pinsOf(document) : {}),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(disableAllHooks === true ? { disablesHooks: document.placeOfKey(['disableAllHooks']) } : {}),
    ...(additionalDirectories === undefined ? {} : { additionalDirectories }),
  };
  if (isOfProject(origin)) {
    if (defaultMode === undefined || !isModeForProjects(defaultMode)) return counts;
    return { ...counts, mode: modeNamed(defaultMode) };
  }
  return {
    ...counts,
    // Claude Code's names for models are not those of the API.
    ...(model === undefined || origin.dialect === 'claude' ? {} : { model }),
    ...limitsOf((key) => settings[key]),
    ...restrictions,
    ...(defaultMode === undefined ? {} : { mode: modeNamed(defaultMode) }),
    ...(disableBuiltinRules === undefined ? {} : { disableBuiltinRules }),
  };
}

/** Bytes that decoded without a fault, as text that encodes to the same bytes again. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
