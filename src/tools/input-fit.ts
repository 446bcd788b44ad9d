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
      return faults
        .map((fault) => [fault.instancePath.slice(1), describe(fault)].filter(Boolean).join(' '))
        .join('; ');
    },
  };
}

function describe(fault: ErrorObject): string {
  if (fault.keyword === 'additionalProperties')
    return `has an unknown field "${fault.params['additionalProperty']}"`;
  return fault.message ?? fault.keyword;
}
