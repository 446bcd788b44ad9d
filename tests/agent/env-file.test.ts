/** CLAUDE_ENV_FILE through a session: what its SessionStart hooks write there is what its commands run with. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

function withLines(script: string, more: object = {}): Workspace {
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: script }] }] };
  return makeWorkspace({ settings: { permissions: { allow: ['Bash'] }, hooks, ...more } });
}

async function bash(workspace: Workspace, ...commands: readonly string[]) {
  const calls = commands.map((command, index) => toolUse('Bash', { command }, `u${index}`));
  const warnings: string[] = [];
  const { results } = await play(calls.length === 0 ? [[text('ok')]] : [calls, [text('ok')]], {
    workspace,
    onEvent: (event) => event.kind === 'warning' && warnings.push(event.text),
  });
  return { texts: results.map((result) => result.text), warnings };
}

it('the examples of Claude Code’s documents work', async () => {
  const workspace = withLines(`
    echo 'export NODE_ENV=production' >> "$CLAUDE_ENV_FILE"
    echo 'export PATH="$PATH:./node_modules/.bin"' >> "$CLAUDE_ENV_FILE"
    before=$(export -p | sort)
    export TOOL_HOME=/opt/tool GREETING="two words"
    comm -13 <(echo "$before") <(export -p | sort) >> "$CLAUDE_ENV_FILE"`);
  mkdirSync(join(workspace.project, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(workspace.project, 'node_modules/.bin/linter'), '#!/bin/sh\necho linted\n');
  chmodSync(join(workspace.project, 'node_modules/.bin/linter'), 0o755);
  const { texts, warnings } = await bash(workspace, 'echo "$NODE_ENV $TOOL_HOME $GREETING"', 'linter');
  expect(texts).toEqual(['production /opt/tool two words', 'linted']);
  expect(warnings).toEqual([]);
});

it('what is not understood is told when the session starts, before any command', async () => {
  const workspace = withLines('echo ". ~/.nvm/nvm.sh" >> "$CLAUDE_ENV_FILE"');
  const { warnings } = await bash(workspace);
  expect(warnings).toEqual([
    'CLAUDE_ENV_FILE of SessionStart hooks: line 1 (. ~/.nvm/nvm.sh) is not understood, and was left out.',
  ]);
});

it('a PATH on which there is no bash takes bash from no command', async () => {
  const { texts } = await bash(
    withLines('echo "export PATH=/nowhere" >> "$CLAUDE_ENV_FILE"'),
    'echo "$PATH"',
  );
  expect(texts).toEqual(['/nowhere']);
});

it('a PATH that begins in the project puts nothing in the place of bash', async () => {
  const workspace = withLines('echo "export PATH=./bin:$PWD/bin:$PATH" >> "$CLAUDE_ENV_FILE"');
  mkdirSync(join(workspace.project, 'bin'));
  writeFileSync(join(workspace.project, 'bin/bash'), '#!/bin/sh\ntouch ran-instead\n');
  chmodSync(join(workspace.project, 'bin/bash'), 0o755);
  const { texts } = await bash(workspace, 'echo bash it was');
  expect(texts).toEqual(['bash it was']);
  expect(existsSync(join(workspace.project, 'ran-instead'))).toBe(false);
});

it('what is kept back from commands is kept back from the values, too, and told', async () => {
  const workspace = withLines(
    `printf '%s\\n' 'export A="<$ANTHROPIC_API_KEY>"' 'export B="<$SECRET>"' 'export SECRET=again' >> "$CLAUDE_ENV_FILE"`,
    { scrubEnv: ['SECRET'], env: { SECRET: 'settings have it' } },
  );
  const { texts, warnings } = await bash(workspace, 'echo "<$A$B$SECRET>"');
  expect(texts).toEqual(['<>']);
  expect(warnings).toEqual([
    'CLAUDE_ENV_FILE of SessionStart hooks: line 1 does not set A, only a shell could tell $ANTHROPIC_API_KEY.',
    'CLAUDE_ENV_FILE of SessionStart hooks: line 2 does not set B, only a shell could tell $SECRET.',
    'CLAUDE_ENV_FILE of SessionStart hooks: line 3 does not count, commands have no SECRET.',
  ]);
});
