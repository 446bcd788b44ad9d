/** The shape of a JSON answer, an event at a time: for checking, for the docs and for editors. */
import type { ValidateFunction } from 'ajv';
import Type, { type TObject, type TSchema } from 'typebox';
import { validatorOf } from '../lib/validator.ts';
import { type AnswerField, eventRow, type HookEvent } from './events.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));
const oneOf = (values: readonly string[], description: string) =>
  Type.Optional(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description },
    ),
  );
const input = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Replaces the whole input. Counts at exit 0 only; rules judge the new input.',
  }),
);

const atTop: Partial<Record<AnswerField, Record<string, TSchema>>> = {
  decision: {
    decision: oneOf(
      ['approve', 'block'],
      '`block` refuses, or sends the model on; `approve` allows a tool call.',
    ),
    reason: text('Why, in words for the model.'),
  },
};

const inside: Partial<Record<AnswerField, Record<string, TSchema>>> = {
  permissionDecision: {
    permissionDecision: oneOf(['allow', 'deny', 'ask', 'defer'], '`defer` counts as `ask`.'),
    permissionDecisionReason: text('Why.'),
  },
  'decision.behavior': {
    decision: Type.Optional(
      Type.Object({
        behavior: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
        message: text('Why it is denied.'),
        interrupt: Type.Optional(Type.Boolean({ description: 'A denial that also ends the turn.' })),
        updatedInput: input,
      }),
    ),
  },
  additionalContext: { additionalContext: text('What the model is told besides.') },
  updatedToolOutput: {
    updatedToolOutput: Type.Optional(
      Type.Unknown({ description: 'Replaces what the model is shown; in the shape of tool_response.' }),
    ),
  },
};

/** Keys that are not named here are ignored. */
export function answerSchema(event: HookEvent): TObject {
  const { answers } = eventRow(event);
  const fields = (table: typeof inside) => Object.assign({}, ...answers.map((name) => table[name] ?? {}));
  const updatesInput = answers.includes('updatedInput') && !answers.includes('decision.behavior');
  return Type.Object(
    {
      continue: Type.Optional(
        Type.Boolean({
          description: answers.includes('continue')
            ? '`false` ends the turn.'
            : 'Has no effect on this event.',
        }),
      ),
      stopReason: text('Why the turn ends.'),
      systemMessage: text('What the user is told.'),
      suppressOutput: Type.Optional(Type.Boolean({ description: 'Accepted; has no effect.' })),
      ...fields(atTop),
      hookSpecificOutput: Type.Optional(
        Type.Object({
          hookEventName: Type.Literal(event),
          ...fields(inside),
          ...(updatesInput ? { updatedInput: input } : {}),
        }),
      ),
    },
    { description: `What a ${event} hook may print.` },
  );
}

const validators = new Map<HookEvent, () => ValidateFunction>();

export function answerValidator(event: HookEvent): () => ValidateFunction {
  const known = validators.get(event);
  if (known !== undefined) return known;
  const made = validatorOf(`answer to ${event}`, () => answerSchema(event), {
    ...{ strict: true, verbose: true },
  });
  validators.set(event, made);
  return made;
}

/** What is wrong with an answer; undefined when it fits. */
export function misfit(event: HookEvent, answer: unknown): string | undefined {
  const validate = answerValidator(event)();
  if (validate(answer)) return undefined;
  const fault = validate.errors?.[0];
  if (fault === undefined) return 'it does not fit';
  const key = fault.instancePath.slice(1).replaceAll('/', '.');
  if (fault.keyword === 'required') return `${key || 'it'} lacks ${fault.params['missingProperty']}`;
  const found = JSON.stringify(fault.data)?.slice(0, 60);
  if (key.endsWith('hookEventName')) return `${key} is ${found}, not "${event}"`;
  const choices = fault.parentSchema?.['anyOf'] ?? validate.errors?.at(-1)?.schema;
  const expected = Array.isArray(choices)
    ? `one of ${choices.map((choice: { const?: unknown }) => JSON.stringify(choice.const)).join(', ')}`
    : undefined;
  return `${key} is ${found}, not ${expected ?? fault.parentSchema?.['type'] ?? fault.message}`;
}
