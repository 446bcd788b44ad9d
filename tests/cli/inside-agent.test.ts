/** What only a person may do is refused to what the agent has started. */
import { expect, test } from 'vitest';
import { answerCommand } from '../../src/cli/approvals-answer.ts';
import { stopCommand } from '../../src/cli/daemon-stop.ts';
import { refuseInsideAgent } from '../../src/cli/inside-agent.ts';
import type { Output } from '../../src/cli/output.ts';
import { endSessionCommand, interruptSessionCommand } from '../../src/cli/sessions-show.ts';
import { acceptCommand } from '../../src/cli/settings-accept.ts';
import { trustCommand } from '../../src/cli/trust.ts';

const env = { CLAUDECODE: '1', HOOKD_PROJECT_DIR: '/p', HOME: '/nowhere', HOOKD_HOME: '/nowhere/.hookd' };
const output = {} as Output;
const id = 'x';

test.each([
  [
    'approvals allow',
    () => answerCommand({ answer: 'allow', id, reason: undefined, always: false, json: false, env }, output),
  ],
  [
    'approvals deny',
    () => answerCommand({ answer: 'deny', id, reason: 'x', always: false, json: false, env }, output),
  ],
  ['sessions end', () => endSessionCommand({ id, json: false, env }, output)],
  ['sessions interrupt', () => interruptSessionCommand({ id, json: false, env }, output)],
  ['daemon stop', () => stopCommand({ json: false, env } as Parameters<typeof stopCommand>[0], output)],
  ['settings accept', () => acceptCommand({ directory: '/p', flags: {}, json: true, env }, output)],
  [
    'trust',
    () =>
      trustCommand(
        { directory: '/p', revoke: false, list: false, json: true, env, flags: {} } as Parameters<
          typeof trustCommand
        >[0],
        output,
      ),
  ],
])('hookd %s', async (_, run) => {
  await expect(run()).rejects.toMatchObject({ code: 'AGENT_REFUSED', exitCode: 3 });
});

test('a session of another agent, or a person, is not refused', () => {
  expect(() => refuseInsideAgent({ CLAUDECODE: '1' }, 'trust')).not.toThrow();
  expect(() => refuseInsideAgent({ HOOKD_PROJECT_DIR: '/p' }, 'trust')).not.toThrow();
});
