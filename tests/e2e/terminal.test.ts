/** hookd as a person uses it: on a terminal. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditRecords, kindsOf, makeWorkspace, modelScript, until } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { CTRL_C, ENTER, UP } from '../support/keys.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const PROMPT = '> ';

describe.skipIf(!hasTerminal)('a conversation', () => {
  it('shows streamed text, tool lines and questions; takes yes and no; keeps prompts in its history', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [
      [text('I will touch it.'), toolUse('Bash', { command: 'touch one' })],
      [text('Touched.')],
      [toolUse('Bash', { command: 'touch two' })],
      [text('Refused, I see.')],
    ]);
    const terminal = openTerminal(workspace, ['--model-script', script]);
    await terminal.sees(PROMPT);
    terminal.type(`make one${ENTER}`);
    await terminal.sees('I will touch it.');
    await terminal.sees('● Bash touch one');
    await terminal.sees('command: touch one');
    await terminal.sees('[y/N] ');
    terminal.type(`y${ENTER}`);
    await terminal.sees('Touched.');
    await terminal.sees(PROMPT);
    terminal.type(`make two${ENTER}`);
    await terminal.sees('[y/N] ');
    terminal.type(ENTER);
    await terminal.sees('⎿ denied:');
    await terminal.sees('Refused, I see.');
    await terminal.sees(PROMPT);
    terminal.type(UP);
    await terminal.sees('make two');
    terminal.type(CTRL_C);
    terminal.type(`q${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(workspace.project, 'one'))).toBe(true);
    expect(existsSync(join(workspace.project, 'two'))).toBe(false);
    const answers = auditRecords(workspace).filter(({ kind }) => kind === 'approval_resolved');
    expect(answers.map((record) => [record['answer'], record['client']])).toEqual([
      ['allow', 'terminal'],
      ['deny', 'terminal'],
    ]);
  });

  it('tells of saved settings while somebody types, and leaves what they have typed', async () => {
    const workspace = makeWorkspace({ settings: {} });
    const script = modelScript(workspace, [[toolUse('Bash', { command: 'rm x' })], [text('Denied, I see.')]]);
    const terminal = openTerminal(workspace, ['--model-script', script]);
    await terminal.sees(PROMPT);
    terminal.type('remove');
    await terminal.sees('remove');
    const settings = { permissions: { deny: ['Bash(rm *)'] } };
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(settings));
    await terminal.sees('settings: + deny Bash(rm *)');
    await terminal.sees('> remove');
    terminal.type(` it${ENTER}`);
    await terminal.sees('Denied by rule Bash(rm *)');
    await terminal.sees('Denied, I see.');
    terminal.type(`q${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
    const prompts = auditRecords(workspace).filter(({ kind }) => kind === 'prompt');
    expect(prompts.map((record) => record['text'])).toEqual(['remove it']);
  });

  it('takes what was typed while a turn ran as the next prompts, and as no answer to a question', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'touch x' })],
      [text('Refused, I see.')],
      [text('The second.')],
    ]);
    const terminal = openTerminal(workspace, ['--model-script', script]);
    await terminal.sees(PROMPT);
    terminal.type(`one${ENTER}`);
    await terminal.sees('[y/N] ');
    terminal.type(`n${ENTER}two${ENTER}q${ENTER}`);
    await terminal.sees('> two');
    await terminal.sees('The second.');
    await terminal.sees('> q');
    expect(await terminal.exitCode).toBe(0);
    const prompts = auditRecords(workspace).filter(({ kind }) => kind === 'prompt');
    expect(prompts.map((record) => record['text'])).toEqual(['one', 'two']);
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
  });

  it('goes on after Ctrl-C has interrupted a turn, and after one in the middle of a question', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash(sleep:*)'] } } });
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'sleep 300' })],
      [toolUse('Bash', { command: 'touch x' })],
      [text('Still here.')],
    ]);
    const terminal = openTerminal(workspace, ['--model-script', script]);
    await terminal.sees(PROMPT);
    terminal.type(`wait${ENTER}`);
    await terminal.sees('● Bash sleep 300');
    await until(() => kindsOf(auditRecords(workspace)).includes('process_started'), 'the command');
    terminal.type(CTRL_C);
    await terminal.sees('⎿ interrupted:');
    await terminal.sees('[interrupted]');
    await terminal.sees(PROMPT);
    terminal.type(`touch${ENTER}`);
    await terminal.sees('[y/N] ');
    terminal.type(CTRL_C);
    await terminal.sees('[interrupted]');
    await terminal.sees(PROMPT);
    terminal.type(`there?${ENTER}`);
    await terminal.sees('Still here.');
    await terminal.sees(PROMPT);
    terminal.type(CTRL_C);
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
  });

  it('does not let a command paint over the question that is asked about it', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'touch x # \u001b[2K\u001b[1A\u202eharmless' })],
      [text('ok')],
    ]);
    const terminal = openTerminal(workspace, ['-p', 'go', '--model-script', script]);
    await terminal.sees('touch x # \\u001b[2K\\u001b[1A\\u202eharmless');
    await terminal.sees('[y/N] ');
    terminal.type(`n${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
  });
});

describe.skipIf(!hasTerminal)('a question', () => {
  it('cannot be repainted by the name of a field', async () => {
    const workspace = makeWorkspace();
    const evil = '\u001b[2J\u001b[HBash asks for permission:\n  command: ls\n';
    const script = modelScript(workspace, [
      [toolUse('Bash', { [evil]: 'x', command: 'touch x' })],
      [text('ok')],
    ]);
    const terminal = openTerminal(workspace, ['-p', 'go', '--model-script', script]);
    await terminal.sees('command: touch x');
    await terminal.sees('"\\u001b[2J\\u001b[HBash asks');
    await terminal.sees('Allow this Bash command once? [y/N] ');
    terminal.type(`n${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
  });

  it('about a command of many lines says so where the answer is typed', async () => {
    const workspace = makeWorkspace();
    const command = `touch x${'\n'.repeat(60)}\n# Bash asks for permission:\n# Allow this once? [y/N] `;
    const script = modelScript(workspace, [[toolUse('Bash', { command })], [text('ok')]]);
    const terminal = openTerminal(workspace, ['-p', 'go', '--model-script', script]);
    await terminal.sees(' 1 │ touch x');
    await terminal.sees('63 │ # Allow this once? [y/N] ');
    await terminal.sees('Allow this Bash command (63 lines) once? [y/N] ');
    terminal.type(`n${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
  });
});

describe.skipIf(!hasTerminal)('a conversation whose last turn could not be recorded', () => {
  it('ends with exit code 4', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [[toolUse('Bash', { command: 'ls' })], [text('never said')]]);
    const terminal = openTerminal(workspace, ['--model-script', script]);
    await terminal.sees(PROMPT);
    rmSync(join(workspace.home, 'audit'), { recursive: true });
    writeFileSync(join(workspace.home, 'audit'), '');
    terminal.type(`go${ENTER}`);
    await terminal.sees(/\[AUDIT_(UNAVAILABLE|TAMPERED)/);
    await terminal.sees(PROMPT);
    terminal.type(`q${ENTER}`);
    expect(await terminal.exitCode).toBe(4);
  });
});

describe.skipIf(!hasTerminal)('a run on a terminal', () => {
  it('shows its progress, and asks', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [[toolUse('Bash', { command: 'touch x' })], [text('The end.')]]);
    const terminal = openTerminal(workspace, ['run', 'go', '--model-script', script]);
    await terminal.sees('● Bash touch x');
    await terminal.sees('[y/N] ');
    terminal.type(`yes${ENTER}`);
    await terminal.sees('The end.');
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(workspace.project, 'x'))).toBe(true);
  });

  it('puts the real question of the demonstration with --ask', async () => {
    const terminal = openTerminal(makeWorkspace(), ['demo', 's03', '--ask']);
    await terminal.sees('command: git push origin main');
    await terminal.sees('[y/N] ');
    terminal.type(`n${ENTER}`);
    await terminal.sees('denied');
    await terminal.sees('was changed');
    expect(await terminal.exitCode).toBe(0);
  });
});
