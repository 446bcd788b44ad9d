/** Judges the values of the keys that we know, hooks excepted: the schema's errors, in words and with their places. */
import type { ErrorObject } from 'ajv';
import { isObject } from '../core/json.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { BUILTIN_DENIAL_NAMES } from '../permissions/guards/builtin.ts';
import type { JsonDocument } from './json.ts';
import { isOfProject, type SettingsOrigin, speaksOfAudit } from './origin.ts';
import { describeValue, keyText, type SettingsProblem } from './problem.ts';
import { MODES_NOT_SUPPORTED, SUPPORTED_MODES } from './schema.ts';
import { alternatives, factsOfFault, isEcho, pathOfFault } from './schema-fault.ts';

export function checkValues(
  origin: SettingsOrigin,
  document: JsonDocument,
  errors: readonly ErrorObject[],
): readonly SettingsProblem[] {
  const { file } = origin;
  const wrong = errors.flatMap((error): readonly SettingsProblem[] => {
    const path = pathOfFault(error);
    if (path[0] === 'hooks' || isEcho(error)) return [];
    // What counts there in no case is told once, and is no reason to stop.
    if (path[0] === 'audit' && !speaksOfAudit(origin)) return [];
    const at = { file, ...document.placeOf(path), key: keyText(path) };
    if (at.key === 'permissions.defaultMode') {
      // In a project no mode counts that is merely missing here, which is told already: no reason to stop.
      const isMoot = isOfProject(origin) && isKnownMode(error.data);
      return isMoot ? [] : [{ severity: 'error', ...at, ...modeProblem(error.data) }];
    }
    // Claude Code's names for models are not those of the API: that key is not ours in its files.
    if (at.key === 'model' && origin.dialect === 'claude') return [];
    const facts = factsOfFault(error);
    // An allow rule that is lost only tightens.
    if (path[1] === 'allow' && path.length === 3) {
      return [{ severity: 'warning', ...at, ...facts, message: 'not a permission rule, ignored' }];
    }
    return [{ severity: 'error', ...at, ...facts }];
  });
  const moreOfProjects = origin.isTrusted ? modeOfProject(origin, document) : [];
  return isOfProject(origin) ? [...wrong, ...moreOfProjects] : [...wrong, ...unknownBuiltins(file, document)];
}

/** Modes that no project can choose, trusted or not. */
function modeOfProject({ file }: SettingsOrigin, document: JsonDocument): readonly SettingsProblem[] {
  const permissions = isObject(document.value) ? document.value['permissions'] : undefined;
  const mode = isObject(permissions) ? permissions['defaultMode'] : undefined;
  if (mode !== 'bypassPermissions' && !isKnownMode(mode)) return [];
  const path = ['permissions', 'defaultMode'];
  const message = `a project cannot choose permission mode ${JSON.stringify(mode)}, ignored`;
  return [{ severity: 'warning', file, ...document.placeOf(path), key: keyText(path), message }];
}

/** A name that does not exist switches nothing off, which only tightens. */
function unknownBuiltins(file: string, document: JsonDocument): readonly SettingsProblem[] {
  const permissions = isObject(document.value) ? document.value['permissions'] : undefined;
  const names = isObject(permissions) ? permissions['disableBuiltinRules'] : undefined;
  if (!Array.isArray(names)) return [];
  return names.flatMap((name: unknown, index): readonly SettingsProblem[] => {
    if (typeof name !== 'string' || BUILTIN_DENIAL_NAMES.includes(name)) return [];
    const path = ['permissions', 'disableBuiltinRules', index];
    const near = nearMiss(name, BUILTIN_DENIAL_NAMES);
    return [
      {
        ...{ severity: 'warning', file, ...document.placeOf(path), key: keyText(path) },
        message: 'no built-in rule is called so, ignored',
        expected: `one of ${BUILTIN_DENIAL_NAMES.join(', ')}`,
        found: describeValue(name),
        ...(near === undefined ? {} : { nearMiss: near }),
      },
    ];
  });
}

function isKnownMode(mode: unknown): boolean {
  return MODES_NOT_SUPPORTED.some((known) => known === mode);
}

/** Why a mode that is not supported is an error. */
export function modeProblem(
  mode: unknown,
): Omit<SettingsProblem, 'severity' | 'file' | 'line' | 'column' | 'key'> {
  const expected = alternatives(SUPPORTED_MODES.map((known) => `"${known}"`));
  if (isKnownMode(mode)) {
    return {
      message: `permission mode ${JSON.stringify(mode)} is not supported`,
      expected,
      advice: 'Another mode in its place could let more through, so nothing was loaded.',
    };
  }
  const found = describeValue(mode);
  const near =
    typeof mode === 'string' ? nearMiss(mode, [...SUPPORTED_MODES, ...MODES_NOT_SUPPORTED]) : undefined;
  return {
    message: 'unknown permission mode',
    expected,
    found,
    ...(near === undefined ? {} : { nearMiss: near }),
  };
}
