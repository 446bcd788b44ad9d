import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { answerSchema, misfit } from '../../src/hooks/answer-schema.ts';
import {
  COMMON_PAYLOAD,
  eventRow,
  HOOK_EVENTS,
  type HookEvent,
  type HookPayload,
} from '../../src/hooks/events.ts';

const EVENTS = Object.keys(HOOK_EVENTS) as HookEvent[];

describe.each(EVENTS)('%s', (event) => {
  const row = eventRow(event);

  test('has schemas that compile, each field described', () => {
    const ajv = new Ajv({ strict: true });
    expect(() =>
      [COMMON_PAYLOAD, row.payload, answerSchema(event)].map((schema) => ajv.compile(schema)),
    ).not.toThrow();
    const undescribed = Object.entries(row.payload.properties).filter(
      ([name, schema]) => !('description' in schema) && !['usage', 'tool_calls'].includes(name),
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  test('matches a field of its payload', () => {
    if (row.subject !== undefined) expect(Object.keys(row.payload.properties)).toContain(row.subject);
  });

  test('names all words of its subject, unless that is a tool', () => {
    expect(row.words !== undefined).toBe(row.subject !== undefined && row.subject !== 'tool_name');
    const field: { description?: string } | undefined = row.payload.properties[row.subject ?? ''];
    for (const word of row.words ?? []) expect(field?.description).toContain(word);
  });

  test('can do by default what it can do at all', () => {
    expect(row.failureCan).toContain(row.onFailure);
  });

  test('judges conditions where there is a tool call', () => {
    expect(row.hasCondition).toBe(row.subject === 'tool_name');
  });

  test('takes an empty answer, and one for itself, but none for another event', () => {
    expect(misfit(event, {})).toBeUndefined();
    expect(misfit(event, { hookSpecificOutput: { hookEventName: event } })).toBeUndefined();
    expect(misfit(event, { hookSpecificOutput: { hookEventName: 'Other' } })).toContain(`not "${event}"`);
  });
});

test('four events are gates', () => {
  expect(EVENTS.filter((event) => eventRow(event).isGate)).toEqual([
    'PreToolUse',
    'PermissionRequest',
    'UserPromptSubmit',
    'PreModelRequest',
  ]);
});

test('payload types follow the table', () => {
  const payload: HookPayload<'PreToolUse'> = {
    session_id: 's',
    transcript_path: '/t',
    cwd: '/c',
    hook_event_name: 'PreToolUse',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 't1',
  };
  expect(new Ajv().validate(HOOK_EVENTS.PreToolUse.payload, payload)).toBe(true);
});
