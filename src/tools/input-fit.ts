/** Whether an input fits a tool's schema, and in which words it does not. */
import type { ErrorObject } from 'ajv';
import type { TObject } from 'typebox';
import { validatorOf } from '../lib/validator.ts';

/** Where both names were sent, the input is left alone: the schema then says what is wrong with it. */
export function renameFields(input: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const given = Object.keys(input);
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const name = Object.hasOwn(fields, key) ? fields[key] : undefined;
      return [name !== undefined && !given.includes(name) ? name : key, value];
    }),
  );
}

export function inputValidator<Input>(tool: string, schema: TObject) {
  const validator = validatorOf<Input>(`input of ${tool}`, () => schema, {
    ...{ strict: true, allErrors: true },
  });
  return {
    check: (input: unknown): input is Input => validator()(input),
    problem(input: unknown): string | undefined {
      const validate = validator();
      if (validate(input)) return undefined;
      const faults = validate.errors ?? [];
      const words = faults.map((fault) => described(fault, input));
      const lacks = faults.some(({ keyword }) => keyword === 'required');
      return [...words, ...(lacks ? [`its fields are ${fieldsOf(schema)}`] : [])].join('; ');
    },
  };
}

/** Models read it: what is wrong, and what there is instead. */
function described({ instancePath, keyword, params, message }: ErrorObject, input: unknown): string {
  const field = instancePath.slice(1);
  switch (keyword) {
    case 'required':
      return `${params['missingProperty']} is missing`;
    case 'type':
      if (field === '') return `it is no ${params['type']}`;
      return `${field} must be ${article(params['type'])} ${params['type']}, not ${shown(valueAt(input, field))}`;
    case 'minLength':
      return `${field} is empty`;
    case 'pattern':
      return `${field} holds a NUL character, which no file name can`;
    case 'minimum':
      return `${field} must be at least ${params['limit']}`;
    case 'maximum':
      return `${field} must be at most ${params['limit']}`;
    default:
      return `${field} ${message ?? keyword}`.trim();
  }
}

function fieldsOf({ properties, required }: TObject): string {
  const needed = new Set<string>(required);
  return Object.keys(properties)
    .map((name) => (needed.has(name) ? name : `${name} (optional)`))
    .join(', ');
}

function valueAt(input: unknown, field: string): unknown {
  return field.split('/').reduce((value, name) => Object(value)[name], input);
}

const article = (noun: unknown): string => (/^[aeiou]/.test(String(noun)) ? 'an' : 'a');

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
