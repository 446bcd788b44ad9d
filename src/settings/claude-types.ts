/**
 * Keys of Claude Code whose values it checks. It leaves a file with a wrong one out as a whole, allow rules too, so that
 * nothing of such a file may loosen here; its deny and ask rules count all the same.
 */
import type { ErrorObject } from 'ajv';
import { isObject } from '../core/json.ts';
import type { JsonDocument } from './json.ts';
import type { SettingsOrigin } from './origin.ts';
import { describeValue, keyText, type SettingsProblem } from './problem.ts';
import { pathOfFault } from './schema-fault.ts';

type Kind = 'text' | 'boolean' | 'object' | 'list' | 'whole number';

const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
  'whole number': (value) => Number.isInteger(value) && Number(value) >= 0,
};

const keys = (kind: Kind, names: string): readonly (readonly [string, Kind])[] =>
  names.split(' ').map((name) => [name, kind] as const);

const CHECKED: ReadonlyMap<string, Kind> = new Map([
  ...keys(
    'text',
    'model apiKeyHelper awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper outputStyle language plansDirectory forceLoginMethod forceLoginOrgUUID agent',
  ),
  ...keys(
    'boolean',
    'includeCoAuthoredBy includeGitInstructions alwaysThinkingEnabled enableAllProjectMcpServers respectGitignore spinnerTipsEnabled skipWebFetchPreflight fastMode',
  ),
  ...keys(
    'object',
    'statusLine sandbox enabledPlugins extraKnownMarketplaces attribution fileSuggestion modelOverrides',
  ),
  ...keys('list', 'companyAnnouncements availableModels claudeMdExcludes'),
  ...keys('whole number', 'cleanupPeriodDays'),
]);

/**
 * The value for which Claude Code leaves the file out, if there is one and something is lost by it. `errors` of the
 * schema: what it says of hooks, Claude Code says too. Managed files are mended there, not left out.
 */
export function leftOutByClaude(
  { dialect, scope, file }: SettingsOrigin,
  { value, placeOf }: JsonDocument,
  errors: readonly ErrorObject[],
): SettingsProblem | undefined {
  // What is given to `--settings` may have been written for either program.
  const isTheirs = dialect === 'claude' && scope !== 'managed';
  if (!(isTheirs || scope === 'command-line') || !isObject(value) || !loosens(value)) return undefined;
  const hook = isTheirs ? errors.map(pathOfFault).find((path) => path[0] === 'hooks') : undefined;
  const key = [...CHECKED].find(([name, kind]) => Object.hasOwn(value, name) && !KINDS[kind](value[name]));
  if (hook === undefined && key === undefined) return undefined;
  const path = key === undefined ? (hook ?? []) : [key[0]];
  const facts = key === undefined ? {} : { expected: article(key[1]), found: describeValue(value[key[0]]) };
  const message =
    'wrong value, for which Claude Code leaves the whole file out; here its deny and ask rules count, and nothing of it loosens';
  return { severity: 'warning', file, ...placeOf(path), key: keyText(path), message, ...facts };
}

function loosens({ permissions, env, disableAllHooks }: Readonly<Record<string, unknown>>): boolean {
  const { allow, additionalDirectories, defaultMode } = isObject(permissions) ? permissions : {};
  return [allow, additionalDirectories, defaultMode, env, disableAllHooks].some((one) => one !== undefined);
}

const article = (kind: Kind): string =>
  kind === 'text' ? 'a string' : `${kind === 'object' ? 'an' : 'a'} ${kind}`;
