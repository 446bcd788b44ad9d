/** What the validator says about a value, in words and with its path. */
import type { ErrorObject } from 'ajv';
import type { JsonPath } from './json.ts';
import { describeValue, type SettingsProblem } from './problem.ts';

type Facts = Pick<SettingsProblem, 'message' | 'expected' | 'found' | 'advice'>;

/** A fault that only repeats another one. */
export function isEcho({ keyword, parentSchema }: ErrorObject): boolean {
  return keyword === 'if' || (keyword === 'type' && parentSchema?.['enum'] !== undefined);
}

export function pathOfFault({ instancePath }: ErrorObject): JsonPath {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

export function factsOfFault(error: ErrorObject): Facts {
  const { keyword, params, data } = error;
  if (keyword === 'required') return { message: `"${params['missingProperty']}" is missing` };
  const facts = { message: 'wrong value', expected: expectation(error), found: describeValue(data) };
  const isLoneEntry = facts.expected === LIST_OF_STRINGS && typeof data === 'string';
  return isLoneEntry ? { ...facts, advice: `Write [${shortJson(data)}].` } : facts;
}

const LIST_OF_STRINGS = 'a list of strings';
const shortJson = (text: string): string => (text.length > 60 ? '"…"' : JSON.stringify(text));

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function expectation({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return typeExpectation(params['type'], parentSchema ?? {});
    case 'enum':
      return alternatives(
        (params['allowedValues'] as readonly unknown[]).map((value) => JSON.stringify(value)),
      );
    case 'minimum':
    case 'maximum':
      return numberExpectation(parentSchema ?? {});
    case 'exclusiveMinimum':
      return 'a number above 0';
    case 'minLength':
      return 'a string that is not empty';
    case 'pattern':
      return 'an http or https URL';
    default:
      return String(params['type'] ?? keyword);
  }
}

function typeExpectation(type: unknown, schema: NonNullable<ErrorObject['parentSchema']>): string {
  if (Array.isArray(type)) {
    return alternatives(
      type.filter((one) => one !== 'null').map((one) => TYPE_WORDS[String(one)] ?? String(one)),
    );
  }
  if (schema['minimum'] !== undefined) return numberExpectation(schema);
  if (schema['exclusiveMinimum'] === 0) return 'a number above 0';
  const items: unknown = schema['items'];
  const holdsStrings =
    typeof items === 'object' && items !== null && 'type' in items && items.type === 'string';
  if (type === 'array' && holdsStrings) return LIST_OF_STRINGS;
  return TYPE_WORDS[String(type)] ?? String(type);
}

function numberExpectation({ minimum, maximum }: NonNullable<ErrorObject['parentSchema']>): string {
  return maximum === undefined ? `a whole number from ${minimum}` : `a number from ${minimum} to ${maximum}`;
}

/** `a, b or c` */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
