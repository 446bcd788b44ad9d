/** What happened in a turn, in numbers: for Stop hooks, on record, for clients and for people. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { turnLine, turnLines } from '../../src/cli/turn-lines.ts';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { TurnSummary } from '../../src/core/vocabulary.ts';
import { auditDirectoryOf } from '../../src/daemon/hookd-home.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const CALLS = {
  Bash: { ok: 1, failed: 1, denied: 2 },
  Glob: { ok: 1 },
  '(unknown)': { unknown_tool: 1 },
};

it('is counted by tool and outcome, and says where the time went', async () => {
  const workspace = makeWorkspace({
    settings: {
      permissions: { allow: ['Bash(sleep *)', 'Bash(false)'], deny: ['Bash(touch *)'] },
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sleep 0.05' }] }],
        Stop: [{ hooks: [{ type: 'command', command: 'cat > ../stop' }] }],
      },
    },
  });
  const events: SessionEvent[] = [];
  const { end, records } = await play(
    [
      [
        toolUse('bash', { command: 'sleep 0.1' }),
        toolUse('Bash', { command: 'touch x' }),
        toolUse('Nothing', {}),
      ],
      { error: { status: 529, message: 'busy' } },
      [toolUse('Bash', { command: 'false' }), toolUse('glob', { pattern: '*' })],
      [toolUse('Bash', { command: 'mkdir y' })],
      [text('done')],
    ],
    {
      workspace,
      limits: { firstRetryMs: 1 },
      approvals: {
        ask: async () => {
          await new Promise((resolve) => setTimeout(resolve, 60));
          return { answer: 'deny', client: 'test' };
        },
      },
      onEvent: (event) => events.push(event),
    },
  );
  const summary = end.summary as TurnSummary;
  expect(summary).toMatchObject({ calls: CALLS, denials: 2, requests: 4, retries: 1, compactions: 0 });
  const { total, tools, hooks, questions } = summary.duration_ms;
  expect(tools).toBeGreaterThanOrEqual(99);
  expect(hooks).toBeGreaterThanOrEqual(3 * 49);
  expect(questions).toBeGreaterThanOrEqual(59);
  expect(total).toBeGreaterThanOrEqual(tools + hooks + questions - 5);
  const ended = records.find(({ kind }) => kind === 'turn_ended');
  expect(ended?.['summary']).toEqual(summary);
  const payload = JSON.parse(readFileSync(join(workspace.root, 'stop'), 'utf8'));
  expect(payload.turn_summary).toMatchObject({ calls: CALLS, denials: 2, requests: 4, retries: 1 });
  expect(payload.turn_summary.duration_ms.total).toBeLessThanOrEqual(total);
  const [line, ...more] = turnLines(auditDirectoryOf(workspace.home), String(ended?.session), 5);
  expect(more).toEqual([]);
  expect(line).toMatch(
    /^turn 1: completed · 4 requests · 1 sent again · Bash 1 ok, 2 denied, 1 failed; \(unknown\) 1 unknown tool; Glob 1 ok · .*\(.*tools .*, hooks .*, questions .*\)$/,
  );
});

it.each([
  [{}, 'turn : 0 requests'],
  [{ turn: 2, reason: 'error', requests: 3 }, 'turn 2: error · 3 requests'],
  [{ turn: 2, reason: 'error', summary: 'x' }, 'turn 2: error · 0 requests'],
  [
    {
      ...{ turn: 2, reason: 'completed' },
      summary: {
        requests: 1,
        compactions: 2,
        calls: { A: 7 },
        usage: { input_tokens: 2000 },
        duration_ms: { total: 5 },
      },
    },
    'turn 2: completed · 1 request · 2 compactions · A · 2k tokens in, 0 out · 5 ms',
  ],
])('a record %j is told as far as it goes', (record, line) => {
  expect(turnLine(record as never)).toBe(line);
});
