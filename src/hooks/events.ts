/**
 * The table of hook events: what each one is told, what its matcher compares with, and what its answer can do.
 * Types, JSON Schemas and the reference in the docs are made from it. Long, because it is one table.
 */
import Type, { type Static, type TObject } from 'typebox';
import type { OnFailure } from './hook.ts';

/** The payload field that a matcher is compared with. */
export type MatcherSubject = 'tool_name' | 'source' | 'reason' | 'trigger' | 'error' | 'notification_type';

/**
 * What exit 2 and a JSON block do. `deny`: the call does not run. `block`: what was about to happen does not.
 * `feedback`: the model is told; what happened stays. `stop`: the turn ends. `goOn`: the turn does not end, the model
 * works on. `nothing`: no effect.
 */
export type Blocking = 'deny' | 'block' | 'feedback' | 'stop' | 'goOn' | 'nothing';

/** A field of a JSON answer that has an effect on an event; the others are ignored there. */
export type AnswerField =
  /** `continue: false` with `stopReason`: the turn ends. */
  | 'continue'
  /** `decision: "block"` with `reason`; on PreToolUse also `approve`. */
  | 'decision'
  /** In hookSpecificOutput, with `permissionDecisionReason`. */
  | 'permissionDecision'
  /** In hookSpecificOutput: `decision.behavior` with `message`, `interrupt`, `updatedInput`. */
  | 'decision.behavior'
  /** In hookSpecificOutput; on PermissionRequest inside `decision`. */
  | 'updatedInput'
  /** In hookSpecificOutput. */
  | 'additionalContext'
  /** In hookSpecificOutput. */
  | 'updatedToolOutput';

interface EventRow {
  readonly doc: string;
  /** undefined: the matcher is ignored. */
  readonly subject: MatcherSubject | undefined;
  /** All that the subject ever is here; undefined: the names of the tools, or no subject. */
  readonly words: readonly string[] | undefined;
  /** The fields beyond the common ones. */
  readonly payload: TObject;
  /** A guard of this event is never silently absent: one that cannot run counts as failed. */
  readonly isGate: boolean;
  readonly exit2: Blocking;
  /** `systemMessage` counts everywhere and is not named. */
  readonly answers: readonly AnswerField[];
  /** Exit 0 with text that is not JSON gives the model context. */
  readonly stdoutIsContext: boolean;
  /** What a hook that could not answer amounts to, unless it is configured otherwise. */
  readonly onFailure: OnFailure;
  /** What `onFailure` can ask for here; anything else amounts to `continue`. */
  readonly failureCan: readonly OnFailure[];
  readonly timeoutMs: number;
  /** `if` is judged; a hook of another event that has one never runs. */
  readonly hasCondition: boolean;
}

const DEFAULT_TIMEOUT_MS = 600_000;

const text = (description: string) => Type.String({ description });
const input = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The input as it is now, paths absolute.',
});
const purpose = Type.Union([Type.Literal('conversation'), Type.Literal('summary')], {
  description:
    'What for: the next step of the conversation, or a summary that takes the place of its older part.',
});
const permissionMode = Type.Union(
  [
    Type.Literal('default'),
    Type.Literal('acceptEdits'),
    Type.Literal('plan'),
    Type.Literal('dontAsk'),
    Type.Literal('bypassPermissions'),
  ],
  { description: 'The permission mode of the session.' },
);
const tool = {
  permission_mode: permissionMode,
  tool_name: text('The canonical name of the tool.'),
  tool_input: input,
};
const toolUse = { ...tool, tool_use_id: text('The model’s id of the call.') };
const milliseconds = Type.Number({ minimum: 0, description: 'How long the tool ran, in milliseconds.' });
const usage = Type.Object(
  {
    input_tokens: Type.Number(),
    output_tokens: Type.Number(),
    cache_creation_input_tokens: Type.Number(),
    cache_read_input_tokens: Type.Number(),
  },
  { description: 'Token counts as the API reports them.' },
);

const turnSummary = Type.Object(
  {
    calls: Type.Record(Type.String(), Type.Record(Type.String(), Type.Number()), {
      description: 'Tool → outcome (ok, failed, denied …) → how many calls.',
    }),
    denials: Type.Number({ description: 'Of these, how many were denied.' }),
    requests: Type.Number({ description: 'Model requests that were answered.' }),
    retries: Type.Number({ description: 'Requests that failed and left again.' }),
    compactions: Type.Number({ description: 'How often the conversation was shortened.' }),
    usage,
    duration_ms: Type.Object(
      {
        total: Type.Number(),
        model: Type.Number(),
        hooks: Type.Number(),
        tools: Type.Number(),
        questions: Type.Number(),
      },
      { description: 'Where the time went, in milliseconds; `questions`: until people answered.' },
    ),
  },
  { description: 'What happened in the turn until now, in numbers. Claude Code has no such field.' },
);

/** What every payload holds. */
export const COMMON_PAYLOAD = Type.Object({
  session_id: text('The session.'),
  transcript_path: text('The transcript of the session: JSON Lines, complete up to now.'),
  cwd: text('The start directory of the session.'),
  hook_event_name: text('The event.'),
  prompt_id: Type.Optional(text('The prompt that is being worked on; absent before the first.')),
});

const everyday = {
  isGate: false,
  stdoutIsContext: false,
  onFailure: 'continue',
  timeoutMs: DEFAULT_TIMEOUT_MS,
} as const;
const onlyNoted = { ...everyday, exit2: 'nothing', answers: [], failureCan: ['continue'] } as const;
const onTool = { subject: 'tool_name', words: undefined, hasCondition: true } as const;
const offTool = { subject: undefined, words: undefined, hasCondition: false } as const;

export const HOOK_EVENTS = {
  PreToolUse: {
    ...everyday,
    ...onTool,
    doc: 'Before a tool call is judged by rules: may refuse it, ask a person, allow it or rewrite its input.',
    payload: Type.Object(toolUse),
    isGate: true,
    exit2: 'deny',
    answers: ['continue', 'decision', 'permissionDecision', 'updatedInput', 'additionalContext'],
    onFailure: 'ask',
    failureCan: ['ask', 'block', 'continue'],
  },
  PermissionRequest: {
    ...everyday,
    ...onTool,
    doc: 'Before a person is asked about a call: may answer in the person’s place.',
    payload: Type.Object({
      ...tool,
      permission_suggestions: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'Always empty here.' }),
      ),
    }),
    isGate: true,
    exit2: 'nothing',
    answers: ['continue', 'decision.behavior', 'updatedInput'],
    failureCan: ['ask', 'block', 'continue'],
  },
  PermissionDenied: {
    ...onlyNoted,
    ...onTool,
    doc: 'After a call was refused by a rule, a mode or a person.',
    payload: Type.Object({ ...toolUse, reason: text('Why it was refused.') }),
  },
  PostToolUse: {
    ...everyday,
    ...onTool,
    doc: 'After a tool succeeded, unless the turn was interrupted: may give feedback or context, or replace what the model is shown.',
    payload: Type.Object({
      ...toolUse,
      tool_response: Type.Unknown({ description: 'What the tool did, in the tool’s own shape.' }),
      duration_ms: milliseconds,
    }),
    exit2: 'feedback',
    answers: ['continue', 'decision', 'additionalContext', 'updatedToolOutput'],
    failureCan: ['block', 'continue'],
  },
  PostToolUseFailure: {
    ...everyday,
    ...onTool,
    doc: 'After a tool ran and failed, unless the turn was interrupted: may give feedback or context.',
    payload: Type.Object({
      ...toolUse,
      error: text('What the model is told.'),
      is_interrupt: Type.Boolean({ description: 'Always false here.' }),
      duration_ms: milliseconds,
    }),
    exit2: 'feedback',
    answers: ['decision', 'additionalContext'],
    failureCan: ['block', 'continue'],
  },
  PostToolBatch: {
    ...everyday,
    ...offTool,
    doc: 'After all calls of one model response have their results, unless the turn was interrupted: may end the turn or give context.',
    payload: Type.Object({
      permission_mode: permissionMode,
      tool_calls: Type.Array(
        Type.Object({
          tool_name: Type.String(),
          tool_input: Type.Unknown({ description: 'As the model sent it.' }),
          tool_use_id: Type.String(),
          tool_response: text('What the model is told.'),
        }),
        {
          description:
            'Those that ran or were refused; in a session that is resumed only those that were still open.',
        },
      ),
    }),
    exit2: 'stop',
    answers: ['continue', 'decision', 'additionalContext'],
    failureCan: ['block', 'continue'],
  },
  UserPromptSubmit: {
    ...everyday,
    ...offTool,
    doc: 'Before a prompt goes to the model: may refuse it or give context.',
    payload: Type.Object({ permission_mode: permissionMode, prompt: text('The prompt.') }),
    isGate: true,
    exit2: 'block',
    answers: ['continue', 'decision', 'additionalContext'],
    stdoutIsContext: true,
    onFailure: 'ask',
    failureCan: ['ask', 'block', 'continue'],
    timeoutMs: 30_000,
  },
  PreModelRequest: {
    ...everyday,
    ...offTool,
    doc: 'Before a request to the model leaves, one for a summary, too; not again where the same one is repeated after a failure: may stop it or give context. Claude Code has no such event.',
    payload: Type.Object({
      permission_mode: permissionMode,
      model: text('The model that is asked.'),
      purpose,
      request_index: Type.Number({
        minimum: 1,
        description: 'Which request of the turn this is; a summary counts with the one that it is made for.',
      }),
      message_count: Type.Number({ minimum: 0, description: 'Messages in the request.' }),
      context_tokens: Type.Number({
        minimum: 0,
        description: 'Tokens of the context, as the last response reported them; 0 before the first.',
      }),
      usage: Type.Union([usage, Type.Null()], { description: 'Of the last response; null before it.' }),
    }),
    isGate: true,
    exit2: 'block',
    answers: ['continue', 'decision', 'additionalContext'],
    onFailure: 'ask',
    failureCan: ['ask', 'block', 'continue'],
  },
  PostModelResponse: {
    ...everyday,
    ...offTool,
    doc: 'After a response of the model, before its tool calls: may end the turn. Claude Code has no such event.',
    payload: Type.Object({
      permission_mode: permissionMode,
      model: text('The model that answered.'),
      purpose,
      stop_reason: text('Why it stopped: end_turn, tool_use …'),
      usage,
      text: text('What it said, without its tool calls.'),
      tool_names: Type.Array(Type.String(), { description: 'The tools it calls, in its order.' }),
      duration_ms: Type.Number({ minimum: 0, description: 'How long the request took, in milliseconds.' }),
    }),
    exit2: 'stop',
    answers: ['continue', 'decision'],
    failureCan: ['block', 'continue'],
  },
  Stop: {
    ...everyday,
    ...offTool,
    doc: 'When the model is done: may send it on, with a reason.',
    payload: Type.Object({
      permission_mode: permissionMode,
      stop_hook_active: Type.Boolean({ description: 'A hook has sent the model on in this turn.' }),
      last_assistant_message: text('What the model said last.'),
      background_tasks: Type.Array(Type.Unknown(), { description: 'Always empty here.' }),
      session_crons: Type.Array(Type.Unknown(), { description: 'Always empty here.' }),
      turn_summary: turnSummary,
    }),
    exit2: 'goOn',
    answers: ['continue', 'decision', 'additionalContext'],
    failureCan: ['continue'],
  },
  StopFailure: {
    ...onlyNoted,
    doc: 'Instead of Stop, when a turn ends in an error: the model could not be reached, refused the request or declined to answer, or a limit was reached (tokens of the session, calls that fail again and again).',
    subject: 'error',
    words: ['authentication_failed', 'rate_limit', 'unknown'],
    hasCondition: false,
    payload: Type.Object({
      error: text('authentication_failed, rate_limit or unknown.'),
      last_assistant_message: text('What the user is told.'),
    }),
  },
  PreCompact: {
    ...everyday,
    doc: 'Before the conversation is compacted: may refuse it (an automatic one is then left out this time); its plain output is added to the instructions.',
    subject: 'trigger',
    words: ['manual', 'auto'],
    hasCondition: false,
    payload: Type.Object({
      trigger: text('manual or auto.'),
      custom_instructions: text('What the user wants kept.'),
    }),
    exit2: 'block',
    answers: ['continue', 'decision'],
    stdoutIsContext: true,
    failureCan: ['block', 'continue'],
  },
  PostCompact: {
    ...onlyNoted,
    doc: 'After a summary has taken the place of the older part of the conversation; not where cutting old outputs of tools was enough. SessionStart with source `compact` follows.',
    subject: 'trigger',
    words: ['manual', 'auto'],
    hasCondition: false,
    payload: Type.Object({ trigger: text('manual or auto.'), compact_summary: text('What was kept.') }),
  },
  SessionStart: {
    ...everyday,
    doc: 'When a session starts or is resumed: may give context; may set variables for Bash in $CLAUDE_ENV_FILE.',
    subject: 'source',
    words: ['startup', 'resume', 'fork', 'compact'],
    hasCondition: false,
    payload: Type.Object({
      source: text('startup, resume, fork or compact.'),
      model: Type.Optional(text('The model of the session.')),
      seconds_since_last_response: Type.Optional(
        Type.Number({ description: 'resume, fork: age of the last response.' }),
      ),
      context_tokens: Type.Optional(Type.Number({ description: 'resume, fork: size of the conversation.' })),
      prompt_cache_likely_expired: Type.Optional(
        Type.Boolean({ description: 'resume, fork: the next request is read anew.' }),
      ),
    }),
    exit2: 'nothing',
    answers: ['additionalContext'],
    stdoutIsContext: true,
    failureCan: ['continue'],
  },
  SessionEnd: {
    ...onlyNoted,
    doc: 'When a session ends, or its process lets go of it; not after `kill -9`, and not where nothing ran the session when somebody ended it.',
    subject: 'reason',
    words: ['other'],
    hasCondition: false,
    payload: Type.Object({ reason: text('Always other here.') }),
    timeoutMs: 1_500,
  },
  Notification: {
    ...onlyNoted,
    doc: 'When a question waits for a person, about a call, a prompt or a model request.',
    subject: 'notification_type',
    words: ['permission_prompt'],
    hasCondition: false,
    payload: Type.Object({
      notification_type: text('permission_prompt; no other one here.'),
      message: text('What the user is told.'),
    }),
  },
  ConfigChange: {
    ...everyday,
    doc: 'When a settings file has changed: may keep the old settings in force. Deny and ask rules of the new ones count at once, refused or not.',
    exit2: 'block',
    answers: ['decision'],
    failureCan: ['block', 'continue'],
    subject: 'source',
    words: ['user_settings', 'project_settings', 'local_settings', 'flag_settings', 'policy_settings'],
    hasCondition: false,
    payload: Type.Object({
      source: text('user_settings, project_settings, local_settings, flag_settings or policy_settings.'),
      file_path: text('The file.'),
    }),
  },
} as const satisfies Record<string, EventRow>;

export type HookEvent = keyof typeof HOOK_EVENTS;

/** What a hook of this event gets on stdin. */
export type HookPayload<Event extends HookEvent> = Static<typeof COMMON_PAYLOAD> &
  Static<(typeof HOOK_EVENTS)[Event]['payload']>;

/** The row of an event, with its type widened to what every row has. */
export function eventRow(event: HookEvent): EventRow {
  return HOOK_EVENTS[event];
}

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(HOOK_EVENTS, name);
}

/** Events of Claude Code that have no moment here: hooks of them load with a note and never run. */
export const NEVER_FIRES = [
  'Setup',
  'InstructionsLoaded',
  'UserPromptExpansion',
  'SubagentStart',
  'SubagentStop',
  'CwdChanged',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'MessageDisplay',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'Elicitation',
  'ElicitationResult',
  'DirectoryAdded',
  'PreModelSwitch',
  'PostModelSwitch',
] as const;
