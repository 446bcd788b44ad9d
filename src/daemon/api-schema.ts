/** The bodies that the API takes. One schema each: type and validation; an unknown field is a mistake, never ignored. */
import type { ErrorObject } from 'ajv';
import Type from 'typebox';
import { validatorOf } from '../lib/validator.ts';

const closed = { additionalProperties: false } as const;
const Text = Type.String();
const Texts = Type.Array(Text);

/** As the command line has them: `CommandLine`. */
const Flags = Type.Object(
  {
    settings: Type.Optional(Texts),
    allowedTools: Type.Optional(Texts),
    disallowedTools: Type.Optional(Texts),
    addDirs: Type.Optional(Texts),
    model: Type.Optional(Text),
    maxTurns: Type.Optional(Type.Integer({ minimum: 1 })),
    permissionMode: Type.Optional(Text),
    trustProject: Type.Optional(Type.Boolean()),
    settingSources: Type.Optional(Text),
    claudeSettings: Type.Optional(Type.Boolean()),
  },
  closed,
);

const PromptFlags = Type.Object({ replacement: Type.Optional(Text), addition: Type.Optional(Text) }, closed);

const NewSession = Type.Object(
  {
    cwd: Type.String({ pattern: '^/', description: 'the start directory, absolute' }),
    env: Type.Optional(Type.Record(Type.String({ pattern: '^[^=\\u0000]+$' }), Text)),
    flags: Type.Optional(Flags),
    promptFlags: Type.Optional(PromptFlags),
    modelScript: Type.Optional(Type.String({ pattern: '^/' })),
    /** The id of a session to go on with; `fork`: as a new one. */
    resume: Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' })),
    fork: Type.Optional(Type.Boolean()),
    /** Nobody answers its questions: each is a denial at once. */
    unattended: Type.Optional(Type.Boolean()),
  },
  closed,
);

const NewPrompt = Type.Object({ text: Type.String({ minLength: 1 }) }, closed);

const NewMode = Type.Object(
  { mode: Type.Enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']) },
  closed,
);

const Reply = Type.Object(
  {
    answer: Type.Enum(['allow', 'deny']),
    inputDigest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    reason: Type.Optional(Text),
    alwaysRule: Type.Optional(Text),
  },
  closed,
);

const Stop = Type.Object(
  { graceMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })) },
  closed,
);

const Compact = Type.Object({ instructions: Type.Optional(Text) }, closed);

const Nothing = Type.Object({}, closed);

export type NewSession = Type.Static<typeof NewSession>;

export interface Bodies {
  readonly session: NewSession;
  readonly prompt: Type.Static<typeof NewPrompt>;
  readonly mode: Type.Static<typeof NewMode>;
  readonly reply: Type.Static<typeof Reply>;
  readonly stop: Type.Static<typeof Stop>;
  readonly compact: Type.Static<typeof Compact>;
  readonly nothing: Type.Static<typeof Nothing>;
}

export const BODIES = {
  session: NewSession,
  prompt: NewPrompt,
  mode: NewMode,
  reply: Reply,
  stop: Stop,
  compact: Compact,
  nothing: Nothing,
} as const satisfies Record<keyof Bodies, Type.TSchema>;

const OPTIONS = { allErrors: true, strict: false } as const;
const validators = Object.fromEntries(
  Object.entries(BODIES).map(([name, schema]) => [
    name,
    validatorOf(`body of ${name}`, () => schema, OPTIONS),
  ]),
);

export type Checked<Name extends keyof Bodies> =
  | { readonly ok: true; readonly body: Bodies[Name] }
  | { readonly ok: false; readonly problem: string };

export function checkBody<Name extends keyof Bodies>(name: Name, value: unknown): Checked<Name> {
  const validate = validators[name]?.();
  if (validate === undefined) throw new Error(`There is no schema for the body of ${name}.`);
  if (validate(value)) return { ok: true, body: value as Bodies[Name] };
  const faults = (validate.errors ?? []).slice(0, 5).map(describeFault);
  return { ok: false, problem: [...new Set(faults)].join('; ') };
}

function describeFault({ keyword, instancePath, params, message }: ErrorObject): string {
  const where = instancePath === '' ? 'the body' : instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'additionalProperties')
    return `${where} has the unknown field ${JSON.stringify(params['additionalProperty'])}`;
  if (keyword === 'required') return `${where} lacks ${JSON.stringify(params['missingProperty'])}`;
  if (keyword === 'enum')
    return `${where} must be one of ${(params['allowedValues'] as readonly unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
  return `${where} ${message ?? 'is wrong'}`;
}
