/**
 * One schema a kind of record, with what each field means: the types of `record.ts`, the tables of docs/audit.md, the
 * published JSON Schema and the tests come from here. Fields of every record: `COMMON_FIELDS`. No run-time use in hookd.
 */
import Type, { type Static } from 'typebox';
import { CALL_RECORDS } from './record-schema-call.ts';
import { CHANNEL_RECORDS } from './record-schema-channel.ts';
import { SESSION_RECORDS } from './record-schema-session.ts';
import { digest } from './record-shapes.ts';

export const COMMON_FIELDS = Type.Object({
  v: Type.Literal(1, { 'x-words': '1', description: 'version of the format' }),
  seq: Type.Integer({ minimum: 1, description: 'number of the record in its chain, from 1' }),
  prev: digest('hash of the record before; 64 zeros in the first'),
  time: Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    description: 'UTC, ISO 8601, milliseconds',
  }),
  kind: Type.String({ description: 'see below' }),
  session: Type.Optional(Type.String({ description: 'the session that it belongs to' })),
  turn: Type.Optional(Type.Integer({ minimum: 1, description: 'the turn (one prompt) in that session' })),
  policy: Type.Optional(
    digest(
      'the settings in force; their text stands in the `settings_loaded` or `settings_changed` with this `digest`',
    ),
  ),
  hash: digest(
    'the last field: the last 75 bytes of the line are `,"hash":"<64 hex>"}`; SHA-256 over the bytes before them',
  ),
});

export const RECORD_SCHEMAS = { ...SESSION_RECORDS, ...CALL_RECORDS, ...CHANNEL_RECORDS } as const;

export type StoredKind = keyof typeof RECORD_SCHEMAS;

/** What a stage's value must give for a record: `undefined` leaves a field out. */
export type RecordFields<K extends StoredKind> = Given<Static<(typeof RECORD_SCHEMAS)[K]>>;

type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [P in keyof T]: object extends Pick<T, P> ? Given<T[P]> | undefined : Given<T[P]> }
    : T;
