/** The parts that several kinds of record share, as schemas; a `title` makes a table of its own in docs/audit.md. */
import Type, { type Static, type TSchema } from 'typebox';
import type { Json } from '../core/vocabulary.ts';

/** What stands in place of a string that is too long to be kept whole. */
export const LargeValue = Type.Object(
  {
    bytes: Type.Integer({ description: 'size of the whole, in UTF-8' }),
    sha256: Type.String({ description: 'digest of the whole, as it was before masking' }),
    head: Type.String({ description: 'its first 4,096 characters, masked' }),
  },
  { title: 'large' },
);

/** A text that somebody else has written: the model, a hook, a person, a settings file. */
export function text(description: string) {
  return Type.Unsafe<string>({
    anyOf: [{ type: 'string' }, { $ref: '#/$defs/large' }],
    'x-words': 'text',
    description,
  });
}

/** JSON as the model or a hook has chosen it. */
export function json<T = Json>(description: string, words = 'JSON') {
  return Type.Unsafe<T>({ 'x-words': words, description });
}

export function oneOf<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], description });
}

export function texts(description: string) {
  return Type.Array(text(description), { 'x-words': 'list of texts', description });
}

/** The same shape with what it means at this place. */
export function as<T extends TSchema>(shape: T, description: string) {
  return Type.Unsafe<Static<T>>({ ...shape, description });
}

export const digest = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
export const whole = (description: string) => Type.Integer({ minimum: 0, description });
const orNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const HookShape = Type.Object(
  {
    event: Type.String({ description: 'the event that it is configured for' }),
    name: text('its command with arguments, or its URL, as written'),
    file: Type.String({ description: 'the settings file that holds it, or the name of a flag' }),
    line: whole('where in that file, from 1'),
  },
  { title: 'hook' },
);

export const RuleShape = Type.Object(
  {
    text: text('the rule as written'),
    list: oneOf(['allow', 'ask', 'deny'], 'the list that holds it'),
    file: Type.String({ description: 'the settings file, or the name of a flag' }),
    line: whole('where in that file, from 1'),
    column: whole('where in that line, from 1'),
  },
  { title: 'rule' },
);

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

/** Who or what decided. `kind` says which of the others is there. */
export const CauseShape = Type.Object(
  {
    kind: oneOf(
      ['rule', 'hook', 'mode', 'builtin', 'human', 'unanswered'],
      'what decided; the field that goes with it is there',
    ),
    rule: Type.Optional(as(RuleShape, 'of `rule`: the permission rule')),
    hook: Type.Optional(as(HookShape, 'of `hook`: the hook')),
    mode: Type.Optional(oneOf(MODES, 'of `mode`: the permission mode')),
    name: Type.Optional(Type.String({ description: 'of `builtin`: the name of the built-in rule' })),
    client: Type.Optional(
      Type.String({ description: 'of `human`: the client through which a person answered' }),
    ),
    why: Type.Optional(text('of `unanswered`: why no person answered')),
  },
  { title: 'cause' },
);

export const ProcessShape = Type.Object(
  {
    pid: Type.Integer({ description: 'process id' }),
    processGroup: Type.Integer({ description: 'its group' }),
    startTime: orNull('field 22 of /proc/PID/stat: with the pid it names one process for ever'),
  },
  { title: 'child' },
);

export const IdentityShape = Type.Object(
  {
    pid: Type.Integer({ description: 'process id' }),
    startTime: orNull('field 22 of /proc/PID/stat'),
    bootId: orNull('the boot in which it runs'),
    pidNamespace: orNull('the namespace in which the pid counts'),
  },
  { title: 'process' },
);

export const OutputShape = Type.Object(
  {
    characters: whole('how many in all'),
    sha256: digest('digest of the whole'),
    head: text('how it begins'),
  },
  { title: 'output' },
);

/** `code`, `signal` and `message` as the kind has it. */
export const EndShape = Type.Object(
  {
    kind: oneOf(['exited', 'signalled', 'timedOut', 'interrupted', 'notStarted'], 'how the run ended'),
    code: Type.Optional(Type.Integer({ description: 'of `exited`: the exit code; 0 for a 2xx answer' })),
    signal: Type.Optional(Type.String({ description: 'of `signalled`' })),
    message: Type.Optional(text('of `notStarted`: why')),
  },
  { title: 'end' },
);

export const LinkShape = Type.Object(
  {
    writer: Type.String({ description: 'name of the chain' }),
    seq: whole('number of the record'),
    hash: digest('its hash'),
  },
  { title: 'named record' },
);

export const SourceShape = Type.Object(
  {
    scope: Type.String({ description: 'the authority of the file' }),
    path: Type.String({ description: 'the file, or `flags`' }),
    sha256: digest('digest of its text'),
    text: text('its text, whole'),
  },
  { title: 'settings source' },
);

export const TurnSummaryShape = Type.Object(
  {
    calls: json<object>('tool → outcome → how many calls'),
    denials: whole('of these, how many were denied'),
    requests: whole('requests that were answered, those for a summary too'),
    retries: whole('requests that failed and left again'),
    compactions: whole('how often the conversation was shortened'),
    usage: json<object>('tokens of all requests, as the API counts them'),
    duration_ms: json<object>(
      'an object: `total`, and of it `model`, `hooks` (those that were waited for), `tools`, `questions` (until people answered)',
    ),
  },
  { title: 'turn summary' },
);

/** The call that a record is about, and its tool. */
export const ofCall = {
  tool_use_id: Type.String({
    description: "the model's id of the call; unique within a session; a very long one ends in its digest",
  }),
  tool: Type.String({ description: 'the tool, by its own name' }),
};
export const maybeId = Type.Optional(as(ofCall.tool_use_id, 'the call that it is about, where there is one'));
export const by = as(HookShape, 'the hook that did it');

/** `doc`: one sentence on when the record is written. */
export function kind<P extends Parameters<typeof Type.Object>[0]>(doc: string, fields: P) {
  return Type.Object(fields, { description: doc });
}
