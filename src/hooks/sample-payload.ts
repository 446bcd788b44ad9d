/** Example values for what a payload holds beyond the common fields, to try a hook without a session. */
import type { JsonObject } from '../core/vocabulary.ts';
import type { HookEvent } from './events.ts';

const USAGE = {
  input_tokens: 1200,
  output_tokens: 80,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const SAMPLES: Readonly<Record<HookEvent, JsonObject>> = {
  PreToolUse: {},
  PermissionRequest: { permission_suggestions: [] },
  PermissionDenied: { reason: 'A rule denies this call.' },
  PostToolUse: { duration_ms: 12 },
  PostToolUseFailure: { error: 'Exit code 1', is_interrupt: false, duration_ms: 12 },
  PostToolBatch: {
    tool_calls: [
      {
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 'toolu_sample',
        tool_response: 'a\nb',
      },
    ],
  },
  UserPromptSubmit: { prompt: 'What does this project do?' },
  PreModelRequest: {
    model: 'sample-model',
    purpose: 'conversation',
    request_index: 1,
    message_count: 1,
    context_tokens: 0,
    usage: null,
  },
  PostModelResponse: {
    model: 'sample-model',
    purpose: 'conversation',
    stop_reason: 'end_turn',
    usage: USAGE,
    text: 'Done.',
    tool_names: [],
    duration_ms: 900,
  },
  Stop: {
    stop_hook_active: false,
    last_assistant_message: 'Done.',
    background_tasks: [],
    session_crons: [],
    turn_summary: {
      calls: { Bash: { ok: 3, denied: 1 }, Edit: { ok: 1 } },
      denials: 1,
      requests: 5,
      retries: 0,
      compactions: 0,
      usage: USAGE,
      duration_ms: { total: 21_400, model: 18_900, hooks: 120, tools: 2100, questions: 0 },
    },
  },
  StopFailure: { error: 'unknown', last_assistant_message: 'The model could not be reached.' },
  PreCompact: { trigger: 'manual', custom_instructions: '' },
  PostCompact: { trigger: 'manual', compact_summary: 'What was said so far.' },
  SessionStart: { source: 'startup', model: 'sample-model' },
  SessionEnd: { reason: 'other' },
  Notification: {
    notification_type: 'permission_prompt',
    message: 'hookd needs your permission to use Bash',
  },
  ConfigChange: { source: 'user_settings', file_path: '/home/me/.hookd/settings.json' },
};

/** On tool events without `tool_name`, `tool_input` and `tool_use_id`. */
export function sampleFields(event: HookEvent): JsonObject {
  return SAMPLES[event];
}

/** What a tool could have answered, in its own shape. */
export function sampleResponse(tool: string, input: JsonObject): JsonObject {
  const path = input['file_path'] ?? '';
  switch (tool) {
    case 'Bash':
      return { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
    case 'Read':
      return {
        type: 'text',
        file: { filePath: path, content: '', numLines: 0, startLine: 1, totalLines: 0, moreLines: 0 },
      };
    case 'Write':
      return {
        type: 'create',
        filePath: path,
        content: input['content'] ?? '',
        originalFile: null,
        structuredPatch: [],
        userModified: false,
      };
    case 'Edit':
      return {
        filePath: path,
        oldString: input['old_string'] ?? '',
        newString: input['new_string'] ?? '',
        originalFile: null,
        structuredPatch: [],
        userModified: false,
        replaceAll: false,
      };
    default:
      return {
        filenames: [],
        durationMs: 1,
        numFiles: 0,
        truncated: false,
        totalMatches: 0,
        countIsComplete: true,
      };
  }
}

/** An input that each tool takes. */
export function sampleInput(tool: string): JsonObject | undefined {
  return INPUTS[tool];
}

const INPUTS: Readonly<Record<string, JsonObject>> = {
  Bash: { command: 'ls' },
  Read: { file_path: 'README.md' },
  Write: { file_path: 'notes.txt', content: 'text\n' },
  Edit: { file_path: 'notes.txt', old_string: 'text', new_string: 'words' },
  Glob: { pattern: '**/*.md' },
};
