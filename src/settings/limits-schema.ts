/** The part of the settings schema that bounds what a session may do. No project has a say in it. */
import Type, { type Static } from 'typebox';

export const notFromProjects = { 'x-scopes': ['user', 'command-line'] };

export const wholeNumber = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, ...notFromProjects, description }));

const share = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, ...notFromProjects, description }));

/** Node.js itself waits no longer. */
const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 300, ...notFromProjects, description }));

export const LimitProperties = {
  maxTurns: wholeNumber(1, 'How many answers of the model one prompt may take; `--max-turns` wins.'),
  maxTokens: wholeNumber(1, 'The longest answer of the model, in tokens.'),
  maxStopBlocks: wholeNumber(1, 'How often Stop hooks may send the model on in one turn; default 8.'),
  maxRetries: wholeNumber(
    0,
    'How often a request to the model that failed for a while (load, limits, a broken connection) is sent again; default 4.',
  ),
  maxRepeatedFailures: wholeNumber(
    2,
    'How often in a turn the same call may fail, with nothing else working in between, before the turn ends; default 6. Half-way the model is told.',
  ),
  maxSessionTokens: wholeNumber(
    1,
    'Tokens, sent and received, after which a session asks the model nothing more; no limit by default.',
  ),
  approvalTimeoutSeconds: wholeNumber(
    1,
    'How long a question waits for a person; then it is a denial. By default as long as its turn, also while nobody is attached.',
  ),
  contextWindow: wholeNumber(
    1000,
    'The most tokens that the model takes, its answer included; default 200,000. Set it together with `model` where that takes more or less.',
  ),
  compactAt: share(
    'How full the context window may be, as a share of it, before the conversation is compacted; default 0.8. 0: never by itself.',
  ),
  requestTimeoutSeconds: seconds('Seconds that the model may take until an answer begins; default 300.'),
  streamIdleTimeoutSeconds: seconds(
    'Seconds that an answer may stand still in the middle before the connection counts as lost; default 120.',
  ),
};

const LimitsSchema = Type.Object(LimitProperties);
export type Limits = Readonly<Static<typeof LimitsSchema>>;

export const LIMIT_KEYS = Object.keys(LimitProperties) as (keyof Limits)[];

/** Those that are set, and no other keys. */
export function limitsOf(given: (key: keyof Limits) => number | undefined): Limits {
  return Object.fromEntries(
    LIMIT_KEYS.flatMap((key) => {
      const value = given(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
