/** The one schema of a settings file: its types, its validator, the published JSON schema and the table in the docs. */
import { Ajv, type ErrorObject } from 'ajv';
import Type, { type Static } from 'typebox';
import { BUILTIN_DENIAL_NAMES } from '../permissions/builtin.ts';

export const SCOPES = ['command-line', 'project', 'user'] as const;
export type SettingsScope = (typeof SCOPES)[number];

const everywhere = { 'x-scopes': ['user', 'project', 'command-line'] };
const notFromProjects = { 'x-scopes': ['user', 'command-line'] };

/** Claude Code's modes. Those that this version lacks are told apart from misspelt ones. */
export const SUPPORTED_MODES = ['default', 'manual'] as const;
export const MODES_NOT_SUPPORTED_YET = [
  'acceptEdits',
  'plan',
  'auto',
  'dontAsk',
  'bypassPermissions',
] as const;

const PermissionsSchema = Type.Object(
  {
    allow: Type.Optional(
      Type.Array(Type.String(), { ...notFromProjects, description: 'Calls that run without a question.' }),
    ),
    ask: Type.Optional(
      Type.Array(Type.String(), {
        ...everywhere,
        description: 'Calls that always ask, also where an allow rule matches.',
      }),
    ),
    deny: Type.Optional(
      Type.Array(Type.String(), {
        ...everywhere,
        description: 'Calls that never run; nothing lifts a deny rule.',
      }),
    ),
    additionalDirectories: Type.Optional(
      Type.Array(Type.String(), {
        ...notFromProjects,
        description:
          'Directories that belong to the workspace besides the project: absolute, `~/…`, or relative to the project.',
      }),
    ),
    defaultMode: Type.Optional(
      Type.Unsafe<(typeof SUPPORTED_MODES)[number]>({
        type: 'string',
        enum: [...SUPPORTED_MODES],
        ...notFromProjects,
        description: 'What happens where no rule matches. `manual` is another name of `default`.',
      }),
    ),
    disableBuiltinRules: Type.Optional(
      Type.Array(Type.String(), {
        ...notFromProjects,
        description: `Built-in deny rules to switch off: ${BUILTIN_DENIAL_NAMES.map((name) => `\`${name}\``).join(', ')}.`,
      }),
    ),
  },
  { ...everywhere, description: 'What the agent may do.' },
);

export const SettingsSchema = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({ ...everywhere, description: 'Address of the JSON schema, for editors; not read.' }),
    ),
    permissions: Type.Optional(PermissionsSchema),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        ...notFromProjects,
        description: 'The model that answers; `--model` wins.',
      }),
    ),
    maxTurns: Type.Optional(
      Type.Integer({
        minimum: 1,
        ...notFromProjects,
        description: 'How many answers of the model one prompt may take; `--max-turns` wins.',
      }),
    ),
    maxTokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        ...notFromProjects,
        description: 'The longest answer of the model, in tokens.',
      }),
    ),
  },
  { title: 'hookd settings', description: 'settings.json of hookd.' },
);

export type Settings = Static<typeof SettingsSchema>;

/** Keys of a settings file and of its `permissions`, in the order of the docs. */
export const TOP_LEVEL_KEYS: readonly string[] = Object.keys(SettingsSchema.properties);
export const PERMISSION_KEYS: readonly string[] = Object.keys(PermissionsSchema.properties);

const validator = new Ajv({ allErrors: true, verbose: true });
validator.addVocabulary(['x-scopes']);
const validate = validator.compile<Settings>(SettingsSchema);

/** Everything about `value` that does not fit; empty when it fits. Unknown keys fit: `check-keys.ts` judges them. */
export function schemaErrors(value: unknown): readonly ErrorObject[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

/** The schema as published, for editors. */
export function publishedSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...(JSON.parse(JSON.stringify(SettingsSchema)) as object),
  };
}
