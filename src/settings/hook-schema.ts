/** The part of the settings schema that is about hooks: events, groups of hooks with a matcher, and what runs. */
import Type, { type Static, type TSchema } from 'typebox';
import { eventRow, HOOK_EVENTS, type HookEvent } from '../hooks/events.ts';

/** A handler of this type cannot do without that field. Made of entries: an object with a `then` looks like a promise. */
function needs(type: string, field: string): object {
  return Object.fromEntries([
    ['if', { type: 'object', properties: { type: { const: type } }, required: ['type'] }],
    ['then', { type: 'object', required: [field] }],
  ]);
}

export const HandlerSchema = Type.Object(
  {
    type: Type.String({
      description:
        '`command` or `http`. Other types are not supported: on a gate event each run of one counts as failed.',
    }),
    command: Type.Optional(
      Type.String({
        description: 'For `command`: what runs, by a shell; with `args` the executable, and no shell.',
      }),
    ),
    args: Type.Optional(
      Type.Array(Type.String(), { description: 'For `command`: the arguments, passed on as they are.' }),
    ),
    shell: Type.Optional(
      Type.Unsafe<'bash' | 'powershell'>({
        type: 'string',
        enum: ['bash', 'powershell'],
        description: 'For `command` without `args`: the shell; default `bash`.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#]',
        description: 'For `http`: where the payload is sent with POST.',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'For `http`: further headers; values may name variables, as in `Bearer $TOKEN`.',
      }),
    ),
    allowedEnvVars: Type.Optional(
      Type.Array(Type.String(), { description: 'For `http`: the variables that headers may name.' }),
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Seconds, fractions allowed, until the run is ended and counts as failed.',
      }),
    ),
    if: Type.Optional(
      Type.String({
        description: 'A permission rule like `Bash(git push *)`: only calls that fit it reach the hook.',
      }),
    ),
    async: Type.Optional(
      Type.Boolean({ description: 'Nobody waits for the hook, and its verdict does not count.' }),
    ),
    onFailure: Type.Optional(
      Type.Unsafe<'ask' | 'block' | 'continue'>({
        type: 'string',
        enum: ['ask', 'block', 'continue'],
        description: 'What it means when the hook could not answer; the default depends on the event.',
      }),
    ),
    statusMessage: Type.Optional(Type.String({ description: 'Shown while the hook runs.' })),
    once: Type.Optional(
      Type.Boolean({ description: 'Accepted for the sake of other files; has no effect.' }),
    ),
  },
  { allOf: [needs('command', 'command'), needs('http', 'url')] },
);

export const GroupSchema = Type.Object({
  matcher: Type.Optional(
    Type.String({
      description:
        'Which occasions the hooks are for: a name, a list of names (`Edit|Write`), or a regular expression; absent, empty or `*`: all.',
    }),
  ),
  hooks: Type.Array(HandlerSchema, { description: 'What runs, all at once.' }),
});

/** Each event as a list of `groups`, with what it is for. */
export function eventLists<Groups extends TSchema>(groups: Groups) {
  return Object.fromEntries(
    Object.keys(HOOK_EVENTS).map((event) => {
      const description = eventRow(event as HookEvent).doc;
      return [event, Type.Optional(Type.Array(groups, { description }))];
    }),
  );
}

/** Events that are not among the properties are judged by name only. */
export const HooksSchema = Type.Object(eventLists(GroupSchema));

export type WrittenGroup = Static<typeof GroupSchema>;
export type WrittenHandler = Static<typeof HandlerSchema>;

export const GROUP_FIELDS: readonly string[] = Object.keys(GroupSchema.properties);
export const HANDLER_FIELDS: readonly string[] = Object.keys(HandlerSchema.properties);
