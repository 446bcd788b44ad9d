/** A conversation as a person has it: answers with reasons, commands, prompts of several lines. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditRecords, hookd, makeWorkspace, modelScript } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { ENTER, PASTE } from '../support/keys.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const PROMPT = '> ';

describe.skipIf(!hasTerminal)('a conversation', () => {
  it('tells the model why a person refused, explains a question, and shows what an edit changed', async () => {
    const workspace = makeWorkspace({ files: { 'a.txt': 'one\ntwo\n' } });
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'touch x' })],
      [text('I see.'), toolUse('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' })],
      [text('Done.')],
    ]);
    const terminal = openTerminal(workspace, ['--permission-mode', 'default', '--model-script', script]);
    await terminal.sees(PROMPT);
    terminal.type(`go${ENTER}`);
    await terminal.sees('[y/N] ');
    terminal.type(`e${ENTER}`);
    await terminal.sees('For another answer');
    await terminal.sees('[y/N] ');
    terminal.type(`n write it in Python${ENTER}`);
    await terminal.sees(/They said: write it in\s+Python/);
    await terminal.sees('I see.');
    await terminal.sees('[y/N] ');
    terminal.type(`y${ENTER}`);
    await terminal.sees('2 - two');
    await terminal.sees('2 + three');
    await terminal.sees('Done.');
    await terminal.sees(PROMPT);
    terminal.type(`/quit${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
    const answers = auditRecords(workspace).filter(({ kind }) => kind === 'approval_resolved');
    expect(answers.map((record) => [record['answer'], record['reason']])).toEqual([
      ['deny', 'write it in Python'],
      ['allow', undefined],
    ]);
  });

  it('is left and gone on with: by its last session, by id, from within', async () => {
    const workspace = makeWorkspace();
    const first = modelScript(workspace, [[text('Noted.')]], 'first.json');
    const second = modelScript(workspace, [[text('As before.')], [text('And on.')]], 'second.json');
    const terminal = openTerminal(workspace, ['remember this', '--model-script', first]);
    await terminal.sees('Noted.');
    await terminal.sees(PROMPT);
    terminal.type(`q${ENTER}`);
    await terminal.sees(/Come back with: hookd --resume [0-9a-f-]{36}/);
    expect(await terminal.exitCode).toBe(0);
    const id = /--resume ([0-9a-f-]{36})/.exec(terminal.screen())?.[1] ?? '';

    const again = openTerminal(workspace, ['--continue', '--model-script', second]);
    await again.sees('> remember this');
    await again.sees('Noted.');
    await again.sees(PROMPT);
    again.type(`what was it?${ENTER}`);
    await again.sees('As before.');
    await again.sees(PROMPT);
    again.type(`/resume${ENTER}`);
    await again.sees('There is no earlier session');
    await again.sees(PROMPT);
    again.type(`/resume nosuch${ENTER}`);
    await again.sees('There is no session "nosuch"');
    await again.sees(PROMPT);
    again.type(`q${ENTER}`);
    await again.sees(`--resume ${id}`);
    expect(await again.exitCode).toBe(0);

    const script = ['--model-script', second];
    const run = await hookd(workspace, ['run', 'x', '--resume', id.slice(0, 8), '--json', ...script]);
    expect(JSON.parse(run.stdout)).toMatchObject({ session_id: id, result: 'As before.' });
    const fork = await hookd(workspace, ['-p', 'x', '-c', '--fork-session', '--json', ...script]);
    expect(JSON.parse(fork.stdout)).toMatchObject({ result: 'As before.' });
    expect(JSON.parse(fork.stdout).session_id).not.toBe(id);
    const unknown = await hookd(workspace, ['-p', 'x', '--resume', '00000000', ...script]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('There is no session "00000000".');
  });

  it('takes commands and prompts of several lines', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { deny: ['Bash(rm *)'] } } });
    const script = modelScript(workspace, [[text('First.')], [text('Second.')], [text('Third.')]]);
    const terminal = openTerminal(workspace, ['--model-script', script]);
    await terminal.sees(PROMPT);
    terminal.type(`/mode plna${ENTER}`);
    await terminal.sees('Did you mean plan?');
    await terminal.sees(PROMPT);
    terminal.type(`/mode plan${ENTER}`);
    await terminal.sees('mode: plan');
    terminal.type(`/status${ENTER}`);
    await terminal.sees('mode      plan');
    await terminal.sees(PROMPT);
    terminal.type(`/permissions${ENTER}`);
    await terminal.sees('Bash(rm *)');
    await terminal.sees(PROMPT);
    terminal.type(`/staus${ENTER}`);
    await terminal.sees('Did you mean /status?');
    await terminal.sees(PROMPT);
    terminal.type(`one \\${ENTER}`);
    await terminal.sees('… ');
    terminal.type(`two${ENTER}`);
    await terminal.sees('First.');
    await terminal.sees(PROMPT);
    terminal.type(`${PASTE.begin}three\rfour${PASTE.end}${ENTER}`);
    await terminal.sees('Second.');
    await terminal.sees(PROMPT);
    terminal.type(`//audit is a path${ENTER}`);
    await terminal.sees('Third.');
    await terminal.sees(PROMPT);
    terminal.type(`/audit 3${ENTER}`);
    await terminal.sees('turn_ended');
    await terminal.sees(PROMPT);
    terminal.type(`q${ENTER}`);
    expect(await terminal.exitCode).toBe(0);
    const prompts = auditRecords(workspace).filter(({ kind }) => kind === 'prompt');
    expect(prompts.map((record) => record['text'])).toEqual(['one \ntwo', 'three\nfour', '/audit is a path']);
  });
});
