/** The part of the settings schema that is about the audit log. No project has a say in it. */
import Type from 'typebox';
import { notFromProjects, wholeNumber } from './limits-schema.ts';

export const SinkSchema = Type.Object({
  type: Type.Unsafe<'file' | 'command'>({
    type: 'string',
    enum: ['file', 'command'],
    description: '`file`: lines are appended to `path`; `command`: a program that reads lines.',
  }),
  path: Type.Optional(Type.String({ description: 'For `file`: absolute, or `~/…`.' })),
  command: Type.Optional(
    Type.String({ description: 'For `command`: a line for `bash`; with `args` the program itself.' }),
  ),
  args: Type.Optional(Type.Array(Type.String(), { description: 'For `command`: its arguments.' })),
  required: Type.Optional(
    Type.Boolean({ description: 'Nothing happens that this sink does not have; default false.' }),
  ),
});

export const RedactSchema = Type.Object({
  name: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,31}$',
    description: 'What stands in place of such a token: `[REDACTED:name:digest]`.',
  }),
  pattern: Type.String({ description: 'Its shape: `itk_[A-Za-z0-9]{32}`.' }),
});

export const AuditSchema = Type.Object(
  {
    lowWater: wholeNumber(
      0,
      'MiB free on the file system of the log below which everybody is warned; default 256, at most a tenth of the file system; 0: never.',
    ),
    floor: wholeNumber(
      0,
      'MiB free below which nothing new begins; default 16, at most a hundredth of the file system; 0: no floor.',
    ),
    rotateSize: wholeNumber(1, 'MiB after which a chain goes on in a new file; default 64.'),
    rotateDaily: Type.Optional(
      Type.Boolean({
        ...notFromProjects,
        description: 'A chain goes on in a new file each day (UTC); default true.',
      }),
    ),
    checkpointEvery: wholeNumber(1, 'Records from one `checkpoint` to the next; default 1000.'),
    keepDays: wholeNumber(
      1,
      'Days after its last record that a chain which has ended is removed. Absent: never.',
    ),
    keepChains: wholeNumber(
      1,
      'Chains (one a run of hookd) that are kept; older ones that have ended are removed. Absent: all.',
    ),
    sinkTimeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        ...notFromProjects,
        description: 'Seconds that a call waits for sinks that are `required`; default 10.',
      }),
    ),
    sinks: Type.Optional(
      Type.Array(SinkSchema, {
        ...notFromProjects,
        description:
          'Where every record goes besides: a list of `{"type": "file", "path"}` and `{"type": "command", "command"}`, each with `required` or not.',
      }),
    ),
    redact: Type.Optional(
      Type.Array(RedactSchema, {
        ...notFromProjects,
        description:
          'Tokens to mask in every record besides the known ones: a list of `{"name", "pattern"}`. A pattern is a fixed beginning of 3 characters and more, then characters and classes with counts, as in `itk_[A-Za-z0-9]{32}`.',
      }),
    ),
  },
  { ...notFromProjects, description: 'How the audit log is kept.' },
);
