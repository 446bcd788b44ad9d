/** A turn that is interrupted while its hooks run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/hooks/events.ts';
import { runningInGroup } from '../lib/children.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const sleepers = [{ hooks: [1, 2, 3].map((n) => ({ type: 'command', command: `sleep 6${n} & wait` })) }];

describe('hooks that run when their turn is interrupted', () => {
  it.each(['PreToolUse', 'UserPromptSubmit', 'PreModelRequest', 'PostToolUse', 'Stop', 'PostToolBatch'])(
    '%s: all are ended with their groups, each start has its end on record, and nothing is asked',
    async (event) => {
      const workspace = makeWorkspace({
        settings: { permissions: { allow: ['Bash'] }, hooks: { [event]: sleepers } },
      });
      const turn = new AbortController();
      let started = 0;
      const { end, records } = await play([[toolUse('Bash', { command: 'touch made' })], [text('ok')]], {
        workspace,
        signal: turn.signal,
        onEvent: ({ kind }) => {
          if (kind !== 'hook_started') return;
          started += 1;
          if (started === 3) turn.abort();
        },
      });
      expect(end.reason).toBe('interrupted');
      const of = (kind: string) => records.filter((record) => record.kind === kind);
      expect(of('hook_run')).toHaveLength(of('hook_started').length);
      expect(of('hook_run').map(({ end }) => end)).toEqual(Array(3).fill({ kind: 'interrupted' }));
      expect(of('approval_requested')).toEqual([]);
      expect(of('turn_ended')).toHaveLength(1);
      for (const { process } of of('process_started').slice(-3) as unknown as {
        process: { processGroup: number };
      }[])
        expect(runningInGroup(process.processGroup)).toEqual([]);
      const isBefore = ['PreToolUse', 'UserPromptSubmit', 'PreModelRequest'].includes(event);
      expect(readdirSync(workspace.project)).toEqual(isBefore ? [] : ['made']);
    },
  );
});

it('no hook is told of an interrupt: SessionEnd is the next event, and the log has what was cut off', async () => {
  const tells = [{ hooks: [{ type: 'command', command: 'cat >> ../told; echo >> ../told' }] }];
  const hooks = Object.fromEntries(Object.keys(HOOK_EVENTS).map((event) => [event, tells]));
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] }, hooks } });
  const turn = new AbortController();
  const calls = [
    toolUse('Bash', { command: 'echo begun; sleep 60' }, 'ran'),
    toolUse('Bash', { command: 'ls' }, 'after'),
  ];
  const { end, records } = await play([calls, [text('ok')]], {
    workspace,
    signal: turn.signal,
    onEvent: ({ kind }) => kind === 'tool_output' && turn.abort(new Error('interrupted by terminal')),
  });
  expect(end.reason).toBe('interrupted');
  const told = readFileSync(join(workspace.root, 'told'), 'utf8').match(/"hook_event_name":"\w+"/g) ?? [];
  expect(told.map((words) => words.split('"').at(-2))).toEqual([
    ...[
      'SessionStart',
      'UserPromptSubmit',
      'PreModelRequest',
      'PostModelResponse',
      'PreToolUse',
      'SessionEnd',
    ],
  ]);
  const of = (kind: string) => records.filter((record) => record.kind === kind);
  expect(of('tool_result')).toMatchObject([
    { tool_use_id: 'ran', outcome: 'interrupted' },
    { tool_use_id: 'after', outcome: 'not_run' },
  ]);
  expect(of('turn_ended')).toMatchObject([{ reason: 'interrupted' }]);
});
