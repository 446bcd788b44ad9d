import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

it('what scrubEnv names reaches neither hooks nor commands, from wherever it comes', async () => {
  const command = 'printf "%s" "$SECRET_ONE|$SECRET_TWO|$FROM_HOOK|$OTHER" > seen';
  const leaves = 'echo "export FROM_HOOK=yes" >> "$CLAUDE_ENV_FILE"';
  const workspace = makeWorkspace({
    env: { SECRET_ONE: 'one', OTHER: 'other' },
    settings: {
      permissions: { allow: ['Bash'] },
      scrubEnv: ['SECRET_*', 'FROM_HOOK'],
      env: { SECRET_TWO: 'two' },
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: leaves }] }],
        UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }],
      },
    },
  });
  const printed = 'echo "$SECRET_ONE|$SECRET_TWO|$FROM_HOOK|$OTHER"';
  const { results } = await play([[toolUse('Bash', { command: printed })], [text('ok')]], { workspace });
  expect(results.map((result) => result.text.trim())).toEqual(['|||other']);
  expect(readFileSync(join(workspace.project, 'seen'), 'utf8')).toBe('|||other');
});
