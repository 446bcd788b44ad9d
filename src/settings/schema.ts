/** The one schema of a settings file: its types, its validator, the published JSON schema and the table in the docs. */
import type { ErrorObject } from 'ajv';
import Type, { type Static } from 'typebox';
import { validatorOf } from '../lib/validator.ts';
import { BUILTIN_DENIAL_NAMES } from '../permissions/guards/builtin.ts';
import { AuditSchema } from './audit-schema.ts';
import { eventLists, GroupSchema, HooksSchema } from './hook-schema.ts';
import { LimitProperties, notFromProjects } from './limits-schema.ts';
import { RestrictionProperties } from './restrictions-schema.ts';

/**
 * In order of precedence, the highest first. `local` is the file of a project that is not shared. What was approved for
 * good in a project is of the scope `user`, whose authority it has.
 */
const SCOPES = ['managed', 'command-line', 'local', 'project', 'user'] as const;
export type SettingsScope = (typeof SCOPES)[number];

/** Where a key counts; `project` stands for the local file too. Managed settings may hold every key. */
const everywhere = { 'x-scopes': ['user', 'command-line', 'project'] };
const whereTrusted = { 'x-scopes': ['user', 'command-line', 'trusted-project'] };
const onlyManaged = { 'x-scopes': ['managed'] };

/** Claude Code's modes. The one that is missing is told apart from misspelt ones. */
export const SUPPORTED_MODES = [
  'default',
  'manual',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
] as const;
export const MODES_NOT_SUPPORTED = ['auto'] as const;
export type WrittenMode = (typeof SUPPORTED_MODES)[number];

const PermissionsSchema = Type.Object(
  {
    allow: Type.Optional(
      Type.Array(Type.String(), { ...whereTrusted, description: 'Calls that run without a question.' }),
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
        ...whereTrusted,
        description:
          'Directories that belong to the workspace besides the project: absolute, `~/…`, or relative to the project.',
      }),
    ),
    defaultMode: Type.Optional(
      Type.Unsafe<WrittenMode>({
        type: 'string',
        enum: [...SUPPORTED_MODES],
        ...whereTrusted,
        description:
          'What happens where no rule matches. `manual` is another name of `default`; `bypassPermissions` never counts in a project.',
      }),
    ),
    disableBypassPermissionsMode: Type.Optional(
      Type.Unsafe<'disable'>({
        type: 'string',
        enum: ['disable'],
        ...everywhere,
        description: 'Mode `bypassPermissions` becomes `default`, wherever it was chosen.',
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
    hooks: Type.Optional(
      Type.Unsafe<Static<typeof HooksSchema>>({
        ...HooksSchema,
        ...whereTrusted,
        description: 'What runs at which event; see below.',
      }),
    ),
    disableAllHooks: Type.Optional(
      Type.Boolean({
        ...whereTrusted,
        description: 'Switches off the hooks of its own scope and of every scope with less authority.',
      }),
    ),
    allowManagedRulesOnly: Type.Optional(
      Type.Boolean({
        ...onlyManaged,
        description:
          'Allow rules count in managed settings only, and only those switch built-in rules off. Deny and ask rules of all others stay.',
      }),
    ),
    allowManagedPermissionRulesOnly: Type.Optional(
      Type.Boolean({ ...onlyManaged, description: 'The same, by the name that Claude Code has for it.' }),
    ),
    allowManagedHooksOnly: Type.Optional(
      Type.Boolean({ ...onlyManaged, description: 'Hooks count in managed settings only.' }),
    ),
    env: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
        {
          ...whereTrusted,
          description: 'Variables of hooks and commands; numbers and booleans become text.',
        },
      ),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        ...notFromProjects,
        description: 'The model that answers; `--model` wins.',
      }),
    ),
    ...LimitProperties,
    ...RestrictionProperties,
    audit: Type.Optional(AuditSchema),
  },
  { title: 'hookd settings', description: 'settings.json of hookd.' },
);

export type Settings = Static<typeof SettingsSchema>;

/** Keys of a settings file and of its `permissions`, in the order of the docs. */
export const TOP_LEVEL_KEYS: readonly string[] = Object.keys(SettingsSchema.properties);
export const PERMISSION_KEYS: readonly string[] = Object.keys(PermissionsSchema.properties);

const validator = validatorOf<Settings>('settings', schemaOfValidator, {
  ...{ allErrors: true, verbose: true, allowUnionTypes: true, inlineRefs: false },
});

/** Everything about `value` that does not fit; empty when it fits. Unknown keys fit: `check-keys.ts` judges them. */
export function schemaErrors(value: unknown): readonly ErrorObject[] {
  const validate = validator();
  return validate(value) ? [] : (validate.errors ?? []);
}

/** What two dozen events have in common is compiled once. */
function schemaOfValidator() {
  const { properties } = SettingsSchema;
  const group = { $ref: '#/definitions/hookGroup' };
  const hooks = { ...properties.hooks, properties: eventLists(group) };
  return { ...SettingsSchema, properties: { ...properties, hooks }, definitions: { hookGroup: GroupSchema } };
}

/**
 * The schema as published, for editors. Those underline a key that does not exist, which a session only warns of: so the
 * published schema, unlike the validator, has no room for unknown keys beside known ones.
 */
export function publishedSchema(): object {
  const { properties, definitions, ...rest } = schemaOfValidator();
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rest,
    properties: {
      ...properties,
      permissions: { ...properties.permissions, additionalProperties: false },
      audit: { ...properties.audit, additionalProperties: false },
    },
    additionalProperties: false,
    definitions,
  };
  return JSON.parse(JSON.stringify(schema)) as object;
}

/** Whether a key counts nowhere but in managed settings. */
export function isOnlyManaged([key]: readonly (string | number)[]): boolean {
  const scopes = nodeAt(SettingsSchema, key)?.['x-scopes'] ?? [];
  return scopes.length === 1 && scopes.includes('managed');
}

/** Whether a key counts in the files of a project. Keys inside a known one count as that one does. */
export function countsInProjects([key, inner]: readonly (string | number)[], isTrusted: boolean): boolean {
  const top = nodeAt(SettingsSchema, key);
  const scopes = (nodeAt(top, inner) ?? top)?.['x-scopes'] ?? [];
  return scopes.includes('project') || (isTrusted && scopes.includes('trusted-project'));
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-scopes'?: readonly string[];
}

function nodeAt(node: SchemaNode | undefined, key: string | number | undefined): SchemaNode | undefined {
  const properties = node?.properties ?? {};
  if (key === undefined || !Object.hasOwn(properties, key)) return undefined;
  return properties[key] as SchemaNode;
}
