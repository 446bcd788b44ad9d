/** A first settings file: a good beginning, or what Claude Code's file holds, as far as it can be carried over. */
import example from '../../settings.example.json' with { type: 'json' };
import { isObject } from '../core/json.ts';
import { loadSettings } from './load.ts';
import type { SettingsOrigin } from './origin.ts';
import { describeProblem, isError, keyText, type SettingsProblem } from './problem.ts';
import { PERMISSION_KEYS } from './schema.ts';
import { UNSUPPORTED_TOP_LEVEL } from './unsupported.ts';

const { deny, ask, allow, defaultMode } = example.permissions;

/** The rules of the example file: useful as they are. What has its default there need not be said. */
export const BEGINNING = { permissions: { deny, ask, allow, defaultMode }, maxTurns: example.maxTurns };

export interface CarriedOver {
  readonly settings: Readonly<Record<string, unknown>>;
  /** What stayed behind, each with the reason. */
  readonly left: readonly string[];
}

/** `model` is not among them: Claude Code's names for models are not those of the API. */
const CARRIED = ['permissions', 'hooks', 'disableAllHooks', 'env'];

/** Entries that could not be carried over are taken out one after another; no file has more. */
const MOST_ROUNDS = 1000;

/** `text`: Claude Code's file. A string says why nothing of it can be used. `origin`: where the result will stand. */
export function carriedOver(text: string, origin: SettingsOrigin): CarriedOver | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `it is not valid JSON (${error instanceof Error ? error.message : 'error'})`;
  }
  if (!isObject(value)) return 'it holds no object';
  const left: string[] = [];
  const take = (from: Readonly<Record<string, unknown>>, keys: readonly string[], prefix: string) =>
    Object.fromEntries(
      Object.entries(from).filter(([key]) => {
        const isTaken = keys.includes(key);
        if (!isTaken && key !== '$schema')
          left.push(
            `${prefix}${key}: ${UNSUPPORTED_TOP_LEVEL.get(key)?.loss ?? 'hookd has no such key, or another meaning for it'}`,
          );
        return isTaken;
      }),
    );
  const settings: Record<string, unknown> = take(value, CARRIED, '');
  const { permissions } = settings;
  if (isObject(permissions)) settings['permissions'] = take(permissions, PERMISSION_KEYS, 'permissions.');
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const problem = firstError(settings, origin);
    if (problem === undefined) return { settings, left: [...left, ...movedAnchors(settings, origin)] };
    const path = stepsOf(problem.key);
    left.push(`${problem.key}: ${describeProblem(problem).replace(/^.*?:\d+:\d+: (?:\S+: )?/, '')}`);
    if (!removeAt(settings, path)) return `it cannot be carried over: ${describeProblem(problem)}`;
  }
  return 'too much of it cannot be carried over';
}

/** `Read(/build/**)` in a file of the user begins at the directory of the file, which is another one now. */
function movedAnchors(
  { permissions }: Record<string, unknown>,
  { scope, root }: SettingsOrigin,
): readonly string[] {
  if (scope !== 'user' || !isObject(permissions)) return [];
  const rules = [permissions['deny'], permissions['ask'], permissions['allow']].flat().map(String);
  return rules
    .filter((rule) => /\(\/(?!\/)/.test(rule))
    .map(
      (rule) =>
        `${rule}: carried over, but it begins at ${root} now, the directory of its file; write // for the root`,
    );
}

function firstError(settings: object, origin: SettingsOrigin): SettingsProblem | undefined {
  const result = loadSettings(origin, Buffer.from(JSON.stringify(settings)), 'start');
  return result.ok ? undefined : result.problems.find(isError);
}

/** `permissions.deny[2]` → its steps; the reverse of `keyText` for keys that hold neither dots nor brackets. */
function stepsOf(key: string): readonly (string | number)[] {
  const steps = key.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  const path = steps.map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step));
  return keyText(path) === key ? path : [];
}

/** False when there is nothing at that place. */
function removeAt(settings: Record<string, unknown>, path: readonly (string | number)[]): boolean {
  const last = path.at(-1);
  let parent: unknown = settings;
  for (const step of path.slice(0, -1)) {
    if (Array.isArray(parent) && typeof step === 'number') parent = parent[step] as unknown;
    else if (isObject(parent)) parent = parent[step];
  }
  if (Array.isArray(parent) && typeof last === 'number') return parent.splice(last, 1).length === 1;
  if (typeof parent !== 'object' || parent === null || last === undefined) return false;
  return Object.hasOwn(parent, last) && Reflect.deleteProperty(parent, last);
}
