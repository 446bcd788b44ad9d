/** The kinds of record about chains, settings, sessions and the conversation. */
import Type from 'typebox';
import {
  as,
  by,
  digest,
  HookShape,
  IdentityShape,
  json,
  kind,
  LinkShape,
  ofCall,
  oneOf,
  SourceShape,
  TurnSummaryShape,
  text,
  texts,
  whole,
} from './record-shapes.ts';

const sources = Type.Array(SourceShape, {
  'x-words': 'list of settings sources',
  description: 'files in force',
});
const trigger = oneOf(['manual', 'auto'], '`manual`: somebody asked for it');
const inForce = {
  digest: digest('names these settings: the `policy` of the records that follow'),
  sources,
  warnings: texts('what its user should know'),
};

const standing = {
  project: text('the project, by its path'),
  client: Type.String({ description: 'through which client' }),
};
const acceptedFiles = {
  ...standing,
  files: json<readonly object[]>(
    'a list of `{file, sha256, loosens}`: what stood in its settings files then, and what that switched on; `sha256` null: no file',
  ),
};

export const SESSION_RECORDS = {
  daemon_started: kind('The first record of a chain: who writes it, and what it saw of the others.', {
    writer: Type.String({ description: 'name of this chain' }),
    version: Type.String({ description: 'version of hookd' }),
    node: Type.String({ description: 'version of Node.js' }),
    mode: Type.String({
      description: '`foreground`: one command that ends with its work; `daemon`: until it is stopped',
    }),
    process: as(IdentityShape, 'the process that writes'),
    heads: Type.Array(LinkShape, {
      'x-words': 'list of named records',
      description: 'the newest durable record of the last 32 other chains',
    }),
    unfinished: Type.Optional(
      Type.Array(
        Type.Object({
          ...LinkShape.properties,
          writer_life: oneOf(['dead', 'stopped', 'unknown'], 'what became of its writer'),
          open_intents: whole('calls without an outcome that no earlier start has said'),
          torn_bytes: Type.Optional(whole('bytes of a last record that was not finished')),
        }),
        {
          'x-words': 'list of named records',
          description:
            'chains that it looked into for calls without an outcome, up to which record; with `writer_life`, `open_intents` (as many `outcome_unknown` follow) and `torn_bytes` where its last record was not finished',
        },
      ),
    ),
    unreadable: Type.Optional(texts('chains that could not be read')),
  }),
  daemon_stopped: kind('The last record of a chain that ended in order.', {
    reason: text('why'),
    open_intents: whole('permits without a result; 0 unless the log failed'),
  }),
  settings_loaded: kind('Settings are in force for a session, with their text.', inForce),
  settings_changed: kind('Other settings are in force from here on.', {
    ...inForce,
    before: digest('the `digest` of those before'),
    added: texts('rules and hooks that came'),
    removed: texts('rules and hooks that went'),
  }),
  settings_rejected: kind('Settings were refused; the last good ones stay, or nothing starts.', {
    problems: texts('every problem, with file, line and column'),
  }),
  session_started: kind('A session begins, or goes on in a new process: then `session_resumed` follows.', {
    workplace: json<object>('an object: `project`, `cwd`, `home`, `hookdHome`, `directories`, `policyFiles`'),
    model: Type.String({ description: 'the model by its name' }),
    permission_mode: Type.String({ description: 'the permission mode' }),
    system: Type.Optional(text('what the model is told first, in every request')),
    instructions: Type.Optional(
      json<readonly object[]>('a list of `{file, sha256}`: the files whose words are in `system`'),
    ),
  }),
  mode_chosen: kind(
    'A person chose another permission mode while the session ran; `settings_changed` puts it in force.',
    {
      mode: Type.String({ description: 'the mode from here on' }),
      before: Type.String({ description: 'the mode before' }),
      client: Type.String({ description: 'through which client' }),
    },
  ),
  trust_given: kind(
    'A person lets the settings of a project loosen and run hooks, from here on. In no session.',
    acceptedFiles,
  ),
  trust_revoked: kind('A person took that back. In no session.', standing),
  settings_accepted: kind(
    "A person took over what a project's settings had loosened while a tool call ran. In no session.",
    acceptedFiles,
  ),
  session_resumed: kind(
    'The session goes on from a transcript: what stands in it is all that the model is shown of what was before.',
    {
      transcript: text('the file'),
      bytes: whole('how much of it was read: its whole lines'),
      sha256: digest('over these bytes'),
      torn_bytes: Type.Optional(whole('bytes of a last line that was not finished: they are dropped')),
      messages: whole('how many messages of the conversation they are'),
      fork_of: Type.Optional(Type.String({ description: 'the session whose transcript was copied' })),
    },
  ),
  session_ended: kind('A session ends, or could not be opened.', { reason: text('why') }),
  prompt: kind('What the user asked.', { text: text('the words') }),
  model_request: kind('What leaves for the model; its messages are records of their own.', {
    model: Type.String({ description: 'the model by its name' }),
    max_tokens: whole('the longest answer'),
    messages: whole('how many messages it is shown'),
    tools: texts('the tools that it is offered'),
    purpose: Type.Optional(
      oneOf(
        ['summary'],
        '`summary`: the first messages and, last, the `instructions` of the `compaction_started` before; calls in its answer never run',
      ),
    ),
  }),
  model_response: kind(
    'What the model answered. The input of each tool use is a record of its own, which follows.',
    {
      id: text('its id'),
      model: text('the model that answered, as it says'),
      stop_reason: text('why it stopped'),
      content: json<readonly object[]>(
        'a list of blocks: `{type: "text", text}` and `{type: "tool_use", id, name}`',
      ),
      usage: json<object>('an object: counts of tokens, as the API reports them'),
    },
  ),
  model_failed: kind('Why the model did not answer.', {
    code: Type.String({ description: 'the error by its code' }),
    message: text('the error in words'),
    retry_in_ms: Type.Optional(whole('the pause before the request leaves again; absent when it does not')),
  }),
  context_added: kind('What a hook added to the conversation.', {
    event: Type.String({ description: 'at which event' }),
    text: text('the words'),
  }),
  prompt_refused: kind('A hook refused the prompt.', { text: text('the prompt'), reason: text('why'), by }),
  stop_blocked: kind('A Stop hook sent the model on.', {
    by,
    reason: text('what the model is told'),
    count: whole('the how-manieth time in this turn'),
  }),
  compaction_started: kind('The conversation is about to be shortened.', {
    trigger,
    how: oneOf(['summary', 'outputs'], '`outputs`: old outputs of tools are cut, no summary is needed'),
    messages: whole('how many messages it has'),
    tokens: whole('how many tokens they take, counted by the API or estimated'),
    window: whole('how many the model takes'),
    instructions: Type.Optional(text('what the model is asked, for a summary')),
  }),
  compacted: kind('The conversation is shortened. What went out of it stands in the records before.', {
    trigger,
    how: oneOf(['summary', 'outputs'], 'what was done'),
    messages_before: whole('how many messages it had'),
    messages_after: whole('how many it has now'),
    tokens_before: whole('how many tokens they took, counted by the API or estimated'),
    tokens_after: whole('how many they take now, estimated'),
    sha256_before: digest('digest of the messages as they were, as JSON'),
    sha256_after: digest('digest of the messages as they are now'),
    usage: Type.Optional(
      json<object>('an object: what the summary cost, in tokens, as the API reports them'),
    ),
    replaced: Type.Optional(whole('how many messages the summary stands for, from the first')),
    summary: Type.Optional(text('the message that stands for them')),
    outputs: Type.Optional(
      json<readonly object[]>('a list of `{tool_use_id, characters}`: the outputs that were cut'),
    ),
  }),
  compaction_left_out: kind('The conversation was to be shortened and is not, or only by cutting outputs.', {
    trigger,
    reason: text('why'),
    by: Type.Optional(as(HookShape, 'the hook that refused: PreCompact, or PreModelRequest for the summary')),
  }),
  turn_ended: kind('A turn ends.', {
    reason: oneOf(
      [
        'completed',
        'max_turns',
        'interrupted',
        'error',
        'hook_stopped',
        'stop_hook_prevented',
        'prompt_refused',
      ],
      'why',
    ),
    stop_reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'why the model stopped last',
    }),
    requests: whole('how many answers of the model it took'),
    detail: Type.Optional(text('more on the reason')),
    summary: Type.Optional(as(TurnSummaryShape, 'what happened in the turn, in numbers')),
  }),
  outcome_unknown: kind(
    'An earlier hookd ended between permit and result: the call may or may not have taken effect.',
    {
      ...ofCall,
      of_writer: Type.String({ description: 'the chain that holds the permit' }),
      writer_life: oneOf(
        ['dead', 'stopped', 'unknown'],
        '`stopped`: in order, after the log had failed; `unknown`: it lives or lived in another pid namespace',
      ),
      of_session: Type.String({ description: 'the session of the call' }),
      intent: digest("hash of the permit's record"),
    },
  ),
  segment_started: kind('Writing failed or the file was touched: a new file goes on with the chain.', {
    reason: Type.String({ description: '`AUDIT_UNAVAILABLE` or `AUDIT_TAMPERED`' }),
    detail: text('what was wrong'),
    after: digest('hash of the record after which it goes on'),
    abandoned: Type.String({ description: 'the file that was left' }),
    repeated: whole('how many records that were not durable it repeats'),
  }),
} as const;
