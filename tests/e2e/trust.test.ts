/** Trust as a person meets it: the built program, on a terminal and without one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookd, makeWorkspace, modelScript } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { ENTER } from '../support/keys.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const projectSettings = {
  permissions: { allow: ['Bash(mkdir allowed)'] },
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch ran' }] }] },
};
const turns = [[toolUse('Bash', { command: 'mkdir allowed' })], [text('done')]];

it('a run says what does not count and how to trust; after hookd trust it counts', async () => {
  const workspace = makeWorkspace({ projectSettings });
  const run = ['run', 'go', '--model-script', modelScript(workspace, turns)];
  const { code, stderr } = await hookd(workspace, run);
  expect(code).toBe(0);
  expect(stderr).toContain('hooks: none of these hooks runs until this project is trusted (hookd trust)');
  expect(existsSync(join(workspace.project, 'ran'))).toBe(false);
  expect((await hookd(workspace, ['trust'])).stdout).toContain('│ hook SessionStart touch ran');
  expect((await hookd(workspace, run)).stderr).toBe('');
  expect(existsSync(join(workspace.project, 'ran'))).toBe(true);
  expect(existsSync(join(workspace.project, 'allowed'))).toBe(true);
});

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('a conversation asks first', async () => {
    const workspace = makeWorkspace({ projectSettings });
    const terminal = openTerminal(workspace, ['go', '--model-script', modelScript(workspace, turns)]);
    await terminal.sees('are not trusted. They would switch on:');
    await terminal.sees('│ hook SessionStart touch ran');
    await terminal.sees('[y/N] ');
    terminal.type(`y${ENTER}`);
    await terminal.sees(/done\n> /);
    terminal.type(`q${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(workspace.project, 'allowed'))).toBe(true);
  });

  it('hookd trust asks; what is no yes changes nothing', async () => {
    const workspace = makeWorkspace({ projectSettings });
    const terminal = openTerminal(workspace, ['trust']);
    await terminal.sees('│ allow Bash(mkdir allowed)');
    await terminal.sees('[y/N] ');
    terminal.type(ENTER);
    await terminal.sees('Not trusted. Its deny and ask rules count all the same.');
    expect(await terminal.exitCode).toBe(1);
    expect((await hookd(workspace, ['trust', '--list'])).stdout).toBe('no project is trusted\n');
  });
});
