/** Judges the values of the keys that we know: the schema's errors, in words and with their places. */
import type { ErrorObject } from 'ajv';
import { BUILTIN_DENIAL_NAMES } from '../permissions/builtin.ts';
import { isObject, type JsonDocument, type JsonPath } from './json.ts';
import { nearMiss } from './near-miss.ts';
import { describeValue, keyText, type SettingsProblem } from './problem.ts';
import { MODES_NOT_SUPPORTED_YET, type SettingsScope, SUPPORTED_MODES, schemaErrors } from './schema.ts';

export function checkValues(
  scope: SettingsScope,
  file: string,
  document: JsonDocument,
): readonly SettingsProblem[] {
  const wrong = schemaErrors(document.value).flatMap((error): readonly SettingsProblem[] => {
    const path = pathOf(error.instancePath);
    const at = { file, ...document.placeOf(path), key: keyText(path) };
    if (at.key === 'permissions.defaultMode') {
      // Of a project no mode counts, which is told already: one that is merely missing here is no reason to stop.
      const isMoot = scope === 'project' && isKnownMode(error.data);
      return isMoot ? [] : [{ severity: 'error', ...at, ...modeProblem(error.data) }];
    }
    const facts = { expected: expectation(error), found: describeValue(error.data) };
    // An allow rule that is lost only tightens.
    if (path[1] === 'allow' && path.length === 3) {
      return [{ severity: 'warning', ...at, message: 'not a permission rule, ignored', ...facts }];
    }
    return [{ severity: 'error', ...at, message: 'wrong value', ...facts }];
  });
  return scope === 'project' ? wrong : [...wrong, ...unknownBuiltins(file, document)];
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
  return MODES_NOT_SUPPORTED_YET.some((known) => known === mode);
}

/** Why a mode that is not supported is an error. */
export function modeProblem(
  mode: unknown,
): Omit<SettingsProblem, 'severity' | 'file' | 'line' | 'column' | 'key'> {
  const expected = SUPPORTED_MODES.map((known) => `"${known}"`).join(' or ');
  if (isKnownMode(mode)) {
    return {
      message: `permission mode ${JSON.stringify(mode)} is not supported yet`,
      expected,
      advice: 'Another mode in its place could let more through, so nothing was loaded.',
    };
  }
  const found = describeValue(mode);
  const near =
    typeof mode === 'string' ? nearMiss(mode, [...SUPPORTED_MODES, ...MODES_NOT_SUPPORTED_YET]) : undefined;
  return {
    message: 'unknown permission mode',
    expected,
    found,
    ...(near === undefined ? {} : { nearMiss: near }),
  };
}

/** A JSON pointer as keys and indexes. */
function pathOf(pointer: string): JsonPath {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'an object',
  string: 'a string',
  integer: 'a whole number',
};

function expectation({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      // All lists of this schema hold strings.
      if (params['type'] === 'array') return 'a list of strings';
      return parentSchema?.['minimum'] === 1
        ? 'a whole number from 1'
        : (TYPE_WORDS[String(params['type'])] ?? '');
    case 'minimum':
      return 'a whole number from 1';
    case 'minLength':
      return 'a string that is not empty';
    default:
      return String(params['type'] ?? keyword);
  }
}
