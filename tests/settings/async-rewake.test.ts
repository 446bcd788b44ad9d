/** `asyncRewake` takes a hook out of the turn only where no answer of it could have held anything back. */
import { expect, it } from 'vitest';
import { HOOK_EVENTS, type HookEvent } from '../../src/hooks/events.ts';
import { mayRunBehind } from '../../src/settings/async-rewake.ts';

it('is awaited where it guards, and not elsewhere', () => {
  const events = Object.keys(HOOK_EVENTS) as HookEvent[];
  expect(events.filter((event) => !mayRunBehind(event))).toEqual([
    'PreToolUse',
    'PermissionRequest',
    'PostToolBatch',
    'UserPromptSubmit',
    'PreModelRequest',
    'PostModelResponse',
    'PreCompact',
    'ConfigChange',
  ]);
});
