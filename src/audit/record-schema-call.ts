/** The kinds of record about one tool call and its hooks. */
import Type from 'typebox';
import type { Behavior } from '../core/vocabulary.ts';
import {
  as,
  by,
  CauseShape,
  digest,
  EndShape,
  HookShape,
  json,
  kind,
  maybeId,
  OutputShape,
  ofCall,
  oneOf,
  ProcessShape,
  text,
  texts,
  whole,
} from './record-shapes.ts';

const input = json<object>('an object, the input');
const which = as(HookShape, 'which hook');

export const CALL_RECORDS = {
  tool_use: kind('What the model asked for, word for word.', {
    tool_use_id: ofCall.tool_use_id,
    name: text('the tool by the name that the model gave'),
    input: json<unknown>('the input as it came'),
  }),
  tool_call: kind('The tool that the call was resolved to.', {
    ...ofCall,
    input: Type.Optional(
      json('an object: the input, where parsing changed it (aliases, defaults, absolute paths)'),
    ),
  }),
  hook_started: kind('A hook begins.', { tool_use_id: maybeId, hook: which }),
  hook_run: kind('A hook ended: how, how long it took, what it said.', {
    tool_use_id: maybeId,
    hook: which,
    end: EndShape,
    duration_ms: whole('how long it ran'),
    is_async: Type.Boolean({ description: 'it was not waited for; what it says does not count' }),
    verdict: oneOf(['block', 'ask', 'allow', 'none'], 'what it said; `none`: no opinion'),
    reason: Type.Optional(text('what it said for it')),
    failure: Type.Optional(
      Type.Object(
        {
          what: text('what failed'),
          became: oneOf(['ask', 'block', 'continue'], 'what `onFailure` made of it'),
        },
        {
          'x-words': '`{what, became}`',
          description: 'it could not answer, and what `onFailure` made of that',
        },
      ),
    ),
    warnings: texts('what of its answer was ignored or only half understood'),
    stdout: as(OutputShape, 'what it wrote'),
    stderr: as(OutputShape, 'what it wrote there'),
    survivors: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'processes of its group that were still there; null where nothing can tell',
    }),
  }),
  input_rewritten: kind("A hook's new input is in force.", {
    ...ofCall,
    by,
    before: input,
    after: input,
  }),
  hooked_call: kind('What all hooks together say about the call as it is now.', {
    ...ofCall,
    verdict: oneOf(['allow', 'ask', 'none'], 'none: no hook has an opinion'),
    reason: Type.Optional(text('why')),
    by: Type.Optional(as(HookShape, 'the hook that decided')),
  }),
  approval_requested: kind('A question is put to a person.', {
    tool_use_id: maybeId,
    approval: Type.String({ description: 'id of the question' }),
    subject: Type.String({ description: 'a tool, or `prompt`, `model request`' }),
    reason: text('why it is asked'),
    cause: as(CauseShape, 'what asks'),
    input_sha256: digest('digest of subject and input: the answer counts for these only'),
    always_rule: Type.Optional(text('the allow rule that "always" would write')),
  }),
  approval_resolved: kind('The answer, or that there was none.', {
    tool_use_id: maybeId,
    approval: Type.String({ description: 'id of the question' }),
    waited_ms: whole('how long the question stood'),
    input_sha256: digest('as in the question'),
    answer: oneOf(['allow', 'deny', 'unanswered'], 'the answer'),
    client: Type.Optional(Type.String({ description: 'through which client a person answered' })),
    reason: Type.Optional(text('what the person said for it')),
    why: Type.Optional(text('why nobody answered')),
    always_rule: Type.Optional(text('the allow rule that the person wants for later calls, too')),
  }),
  approval_remembered: kind(
    'A person approved for good: the rule is written next, and counts from `settings_changed` on.',
    {
      rule: text('the allow rule, never broader than what was asked'),
      client: Type.String({ description: 'through which client they answered' }),
      file: Type.String({ description: 'the settings file that it is written to' }),
    },
  ),
  permission: kind('Whether the call may run, and who or what decided.', {
    ...ofCall,
    decision: Type.Unsafe<Behavior>({ type: 'string', enum: ['allow', 'deny'], description: 'the decision' }),
    reason: text('one sentence for people and for the model'),
    cause: as(CauseShape, 'who or what decided'),
    asked_by: Type.Optional(as(CauseShape, 'where a person or a hook was asked: what made it a question')),
    target: Type.Optional(text('of a path: where it leads, links resolved; what is opened must be this')),
    decided_by_policy: digest('the settings that decided'),
  }),
  tool_started: kind('The tool begins; its permit is durable.', ofCall),
  process_started: kind('A child process of a tool or a hook.', {
    tool_use_id: maybeId,
    hook: Type.Optional(as(HookShape, 'of a hook: which one')),
    process: as(ProcessShape, 'how it is found again'),
  }),
  tool_result: kind('The answer to a tool use.', {
    tool_use_id: ofCall.tool_use_id,
    outcome: oneOf(
      ['ok', 'failed', 'denied', 'unknown_tool', 'invalid_input', 'interrupted', 'not_run', 'unknown'],
      'what became of it; `unknown`: hookd ended while it ran; all others but `ok`, `failed` and some `interrupted` did not run',
    ),
    text: text('what the model reads'),
    duration_ms: Type.Optional(
      Type.Number({ minimum: 0, description: 'how long the tool ran, where it did' }),
    ),
  }),
  output_replaced: kind("A hook's text in place of a tool's output.", {
    tool_use_id: ofCall.tool_use_id,
    by,
    text: text('the new text'),
  }),
} as const;
