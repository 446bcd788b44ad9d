/** A hook to begin with: reads its payload, says what it could answer, and has no opinion until somebody changes it. */
import { eventRow, type HookEvent } from './events.ts';

export const LANGUAGES = ['sh', 'python', 'node', 'perl'] as const;
export type Language = (typeof LANGUAGES)[number];

export const EXTENSIONS: Readonly<Record<Language, string>> = {
  sh: '.sh',
  python: '.py',
  node: '.mjs',
  perl: '.pl',
};

/** What a program in this language needs; all must be there. */
export const NEEDS: Readonly<Record<Language, readonly string[]>> = {
  sh: ['sh', 'jq'],
  python: ['python3'],
  node: ['node'],
  perl: ['perl'],
};

export interface StartingPoint {
  readonly text: string;
  /** What switches it on, as JSON of one line. */
  readonly settings: string;
}

/** `command`: what the settings will start, as a shell reads it. */
export function startingPoint(event: HookEvent, language: Language, command: string): StartingPoint {
  const settings = settingsFor(event, command);
  const mark = language === 'node' ? '//' : '#';
  const head = headOf(event, settings).map((line) => `${mark} ${line}`.trimEnd());
  const body = BODIES[language](event);
  return { text: [`#!${INTERPRETERS[language]}`, ...head, ...body, ''].join('\n'), settings };
}

const INTERPRETERS: Readonly<Record<Language, string>> = {
  sh: '/bin/sh',
  python: '/usr/bin/env python3',
  node: '/usr/bin/env node',
  perl: '/usr/bin/env perl',
};

function settingsFor(event: HookEvent, command: string): string {
  const matcher = eventRow(event).subject === 'tool_name' ? { matcher: 'Bash' } : {};
  const hook = { type: 'command', command, timeout: Math.min(10, eventRow(event).timeoutMs / 1000) };
  return JSON.stringify({ hooks: { [event]: [{ ...matcher, hooks: [hook] }] } });
}

function headOf(event: HookEvent, settings: string): readonly string[] {
  const row = eventRow(event);
  const fields = Object.entries(row.payload.properties as Record<string, { readonly description?: string }>);
  return [
    `Event: ${event}. ${row.doc}`,
    'Gets on stdin: session_id, transcript_path, cwd, hook_event_name, prompt_id, and',
    ...fields.map(
      ([name, { description }]) => `  ${name}${description === undefined ? '' : `: ${description}`}`,
    ),
    `Exit 0: no opinion, or what the JSON on stdout says. Exit 2: ${EXIT_2[row.exit2]}.`,
    ...(row.stdoutIsContext
      ? ['Plain text on stdout at exit 0 is read, too: print debug lines to stderr.']
      : []),
    'Settings:',
    `  ${settings}`,
  ];
}

const EXIT_2 = {
  deny: 'the call does not run; the model reads stderr',
  block: 'what was about to happen does not; stderr says why',
  feedback: 'the model reads stderr; what happened stays',
  stop: 'the turn ends; stderr says why',
  goOn: 'the model works on, with stderr as a message',
  nothing: 'no effect on this event',
} as const;

/** One answer with an effect, for each event; valid JSON, Python and JavaScript alike. */
function exampleAnswer(event: HookEvent): string {
  const { answers } = eventRow(event);
  const specific = (more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });
  const object = answers.includes('permissionDecision')
    ? specific({ permissionDecision: 'deny', permissionDecisionReason: 'Say what to do instead.' })
    : answers.includes('decision.behavior')
      ? specific({ decision: { behavior: 'deny', message: 'Say why.' } })
      : answers.includes('decision')
        ? { decision: 'block', reason: 'Say what is wrong.' }
        : answers.includes('additionalContext')
          ? specific({ additionalContext: 'What the model should know.' })
          : { systemMessage: 'What the user is told.' };
  return JSON.stringify(object);
}

/** The field that is most often looked at. */
const FIELD: Readonly<Record<HookEvent, string>> = {
  PreToolUse: 'tool_input',
  PermissionRequest: 'tool_input',
  PermissionDenied: 'reason',
  PostToolUse: 'tool_response',
  PostToolUseFailure: 'error',
  PostToolBatch: 'tool_calls',
  UserPromptSubmit: 'prompt',
  PreModelRequest: 'context_tokens',
  PostModelResponse: 'stop_reason',
  Stop: 'last_assistant_message',
  StopFailure: 'error',
  PreCompact: 'trigger',
  PostCompact: 'compact_summary',
  SessionStart: 'source',
  SessionEnd: 'reason',
  Notification: 'message',
  ConfigChange: 'file_path',
};

/** A guard refuses what it cannot read; others let go on, and the user is told. */
function codeWhenUnread(event: HookEvent): 1 | 2 {
  const { isGate, exit2 } = eventRow(event);
  return isGate && exit2 !== 'nothing' ? 2 : 1;
}

function unreadComment(event: HookEvent): string {
  return codeWhenUnread(event) === 2
    ? 'a guard refuses what it cannot read'
    : 'all goes on, and the user is told';
}

/** Without it a Stop hook that blocks would send the model on again and again. */
const isStop = (event: HookEvent): boolean => event === 'Stop';

const BODIES: Readonly<Record<Language, (event: HookEvent) => readonly string[]>> = {
  sh: (event) => {
    const field = FIELD[event];
    return [
      '',
      'payload=$(cat)',
      `# jq reads JSON. Without it, or without the field: ${unreadComment(event)}.`,
      `${field}=$(printf '%s' "$payload" | jq -c '.${field} | values') && [ -n "$${field}" ] || {`,
      `  echo '${event} hook: the payload cannot be read' >&2`,
      `  exit ${codeWhenUnread(event)}`,
      '}',
      ...(isStop(event)
        ? [`[ "$(printf '%s' "$payload" | jq .stop_hook_active)" = true ] && exit 0 # it was sent on already`]
        : []),
      '',
      '# Put your test here:',
      `# case $${field} in`,
      `#   *something*) printf '%s\\n' '${exampleAnswer(event)}' ;;`,
      '# esac',
      'exit 0',
    ];
  },
  python: (event) => {
    const field = FIELD[event];
    return [
      'import json',
      'import sys',
      '',
      'try:',
      '    payload = json.load(sys.stdin.buffer)',
      `    ${field} = payload["${field}"]`,
      `except Exception as error:  # ${unreadComment(event)}`,
      `    print(f"${event} hook: the payload cannot be read: {error!r}", file=sys.stderr)`,
      `    sys.exit(${codeWhenUnread(event)})`,
      ...(isStop(event)
        ? ['if payload.get("stop_hook_active"):  # it was sent on already', '    sys.exit(0)']
        : []),
      '',
      '# Put your test here:',
      `# if "something" in str(${field}):`,
      `#     print(json.dumps(${exampleAnswer(event)}))`,
    ];
  },
  node: (event) => {
    const field = FIELD[event];
    return [
      "let text = '';",
      "process.stdin.setEncoding('utf8');",
      "process.stdin.on('data', (part) => {",
      '  text += part;',
      '});',
      "process.stdin.on('end', () => {",
      '  try {',
      '    judge(JSON.parse(text));',
      `  } catch (error) { // ${unreadComment(event)}`,
      `    console.error(\`${event} hook: \${error}\`);`,
      `    process.exitCode = ${codeWhenUnread(event)};`,
      '  }',
      '});',
      '',
      'function judge(payload) {',
      `  const { ${field} } = payload;`,
      `  if (${field} === undefined) throw new Error('the payload lacks ${field}');`,
      ...(isStop(event) ? ['  if (payload.stop_hook_active) return; // it was sent on already'] : []),
      '  // Put your test here:',
      `  // if (JSON.stringify(${field}).includes('something'))`,
      `  //   console.log(JSON.stringify(${exampleAnswer(event)}));`,
      '}',
    ];
  },
  perl: (event) => {
    const field = FIELD[event];
    return [
      'use strict;',
      'use warnings;',
      'use JSON::PP;',
      '',
      'binmode STDIN;',
      'my $payload = eval { local $/; decode_json(scalar <STDIN>) };',
      `my $${field} = ref $payload eq 'HASH' ? $payload->{${field}} : undef;`,
      `if (not defined $${field}) {    # ${unreadComment(event)}`,
      `    print STDERR "${event} hook: the payload cannot be read\\n";`,
      `    exit ${codeWhenUnread(event)};`,
      '}',
      ...(isStop(event) ? ['exit 0 if $payload->{stop_hook_active};    # it was sent on already'] : []),
      '',
      '# Put your test here:',
      `# if (JSON::PP->new->allow_nonref->encode($${field}) =~ /something/) {`,
      `#     print '${exampleAnswer(event)}', "\\n";`,
      '# }',
      'exit 0;',
    ];
  },
};
