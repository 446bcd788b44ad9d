/** Terminals and commands around sessions of one daemon: what one does, the others see. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../src/core/protocol.ts';
import { type BuiltDaemon, startBuiltDaemon } from '../support/built-daemon.ts';
import { follow } from '../support/daemon.ts';
import { auditRecords, hookd, makeWorkspace, modelScript, startHookd, until } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { ENTER } from '../support/keys.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const PROMPT = '> ';
let daemon: BuiltDaemon | undefined;

afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
});

async function sessionsOf(one: BuiltDaemon): Promise<readonly SessionInfo[]> {
  return (await one.connect('test')).listSessions();
}

describe.skipIf(!hasTerminal)('a conversation in the daemon', () => {
  it('shows what other clients ask and answer, and can be left and joined', async () => {
    daemon = await startBuiltDaemon();
    const { workspace } = daemon;
    const phone = await daemon.connect('phone');
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'touch one' })],
      [text('Touched.')],
      [text('For the phone.')],
    ]);
    const terminal = openTerminal(workspace, ['--model-script', script], {});
    await terminal.sees(PROMPT);
    terminal.type(`go${ENTER}`);
    await terminal.sees('[y/N] ');
    const [approval] = await phone.approvals();
    if (approval === undefined) throw new Error('no question waits');
    await phone.answer(approval.id, { answer: 'allow', inputDigest: approval.inputDigest });
    await terminal.sees('answered by phone: allowed');
    await terminal.sees('Touched.');
    await terminal.sees(PROMPT);
    expect(existsSync(join(workspace.project, 'one'))).toBe(true);
    await (await phone.openSession(approval.session)).prompt('from the phone');
    await terminal.sees('(from another client)');
    await terminal.sees('> from the phone');
    await terminal.sees('For the phone.');
    await terminal.sees(PROMPT);
    terminal.type(`/status${ENTER}`);
    await terminal.sees('in the daemon');
    await terminal.sees(PROMPT);
    terminal.type(`q${ENTER}`);
    await terminal.sees(`Come back with: hookd --resume ${approval.session}`);
    expect(await terminal.exitCode).toBe(0);
    const [left] = await sessionsOf(daemon);
    expect(left).toMatchObject({ id: approval.session, state: 'ended', turns: 2 });
    const answers = auditRecords(workspace).filter(({ kind }) => kind === 'approval_resolved');
    expect(answers.map((record) => record['client'])).toEqual(['phone']);
  });
});

describe('a run', () => {
  const turns = [[toolUse('Bash', { command: 'touch x' })], [text('The end.')]];

  it('tells the same in the daemon and in its own process, and leaves no session behind', async () => {
    const here = makeWorkspace();
    const args = (script: string) => ['run', 'go', '--json', '--model-script', script];
    const alone = await hookd(here, args(modelScript(here, turns)));
    daemon = await startBuiltDaemon();
    const { workspace } = daemon;
    const inDaemon = await hookd(workspace, args(modelScript(workspace, turns)));
    const [one, other] = [alone, inDaemon].map(({ stdout }) => JSON.parse(stdout));
    expect(Object.keys(other)).toEqual(Object.keys(one));
    expect(other.result).toBe('The end.');
    expect(other.permission_denials).toEqual(one.permission_denials);
    expect(inDaemon.code).toBe(alone.code);
    expect(inDaemon.stderr).toBe(alone.stderr);
    const denied = (workspaceOf: typeof here) =>
      auditRecords(workspaceOf).find(({ kind }) => kind === 'tool_result')?.['text'];
    expect(denied(workspace)).toBe(denied(here));
    expect((await sessionsOf(daemon)).map(({ state }) => state)).toEqual(['ended']);
    const without = await hookd(workspace, [...args(modelScript(workspace, turns)), '--no-daemon']);
    expect(without.code).toBe(0);
    expect(await sessionsOf(daemon)).toHaveLength(2);
    const started = auditRecords(workspace).filter(({ kind }) => kind === 'daemon_started');
    expect(started.map((record) => record['mode']).toSorted()).toEqual(['daemon', 'foreground']);
  });

  it('starts a daemon where it is told to, and only there', async () => {
    const workspace = makeWorkspace();
    const args = ['run', 'go', '--model-script', modelScript(workspace, [[text('One.')], [text('Two.')]])];
    await hookd(workspace, args);
    expect((await hookd(workspace, ['daemon', 'status'])).code).toBe(1);
    try {
      expect((await hookd(workspace, [...args, '--daemon'])).stdout).toBe('One.\n');
    } finally {
      expect((await hookd(workspace, ['daemon', 'stop'])).stdout).toContain('has stopped');
    }
  });

  it('waits for an answer from elsewhere where it is told to', async () => {
    daemon = await startBuiltDaemon();
    const { workspace } = daemon;
    const connection = await daemon.connect('test');
    const script = modelScript(workspace, turns);
    const run = startHookd(workspace, ['run', 'go', '--wait-for-approval', '--model-script', script]);
    let id = '';
    await until(() => {
      void connection.approvals().then(([one]) => {
        id = one?.id ?? id;
      });
      return id !== '';
    }, 'the question');
    const unknown = await hookd(workspace, ['approvals', 'allow', 'nosuch']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('There is no question "nosuch".');
    const agent = { ...workspace, env: { ...workspace.env, CLAUDECODE: '1', HOOKD_PROJECT_DIR: '/p' } };
    const refused = await hookd(agent, ['approvals', 'allow', id]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('AGENT_REFUSED');
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
    const allowed = await hookd(workspace, ['approvals', 'allow', id.slice(0, 8)]);
    expect(allowed.stdout).toContain('  command: touch x');
    expect(allowed.stdout).toContain('Allowed, once.');
    expect((await run.finished).stdout).toBe('The end.\n');
    expect(existsSync(join(workspace.project, 'x'))).toBe(true);
  });
});

describe('hookd sessions', () => {
  it('shows, attaches, interrupts and ends by the beginning of an id', async () => {
    daemon = await startBuiltDaemon({ settings: { permissions: { allow: ['Bash(sleep:*)'] } } });
    const { workspace } = daemon;
    const session = await daemon.session([[toolUse('Bash', { command: 'sleep 300' })], [text('x')]]);
    const follower = follow(session, 0);
    const id = session.info.id.slice(0, 8);
    await session.prompt('wait\nlong');
    await until(() => follower.kinds().includes('tool_use'), 'the call');
    const shown = await hookd(workspace, ['sessions', 'show', id]);
    expect(shown.stdout).toContain(`session   ${session.info.id}, running, in the daemon`);
    for (const line of shown.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const attached = startHookd(workspace, ['sessions', 'attach', id]);
    const watched = startHookd(workspace, ['sessions', 'attach', id, '--json']);
    const interrupted = await hookd(workspace, ['sessions', 'interrupt', id, '--json']);
    expect(JSON.parse(interrupted.stdout)).toMatchObject({ id: session.info.id, state: 'idle' });
    const after = await hookd(workspace, ['sessions', 'show', id, '--json']);
    expect(JSON.parse(after.stdout).lastTurns).toMatchObject([
      { turn: 1, reason: 'interrupted', summary: { calls: { Bash: { interrupted: 1 } } } },
    ]);
    const ended = await hookd(workspace, ['sessions', 'end', id]);
    expect(ended.stdout).toContain(`hookd --resume ${session.info.id}`);
    const seen = await attached.finished;
    expect(seen.code).toBe(0);
    expect(seen.stdout).toContain('> wait\n… long\n● Bash sleep 300\n  ⎿ interrupted:');
    const deliveries = (await watched.finished).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(deliveries.at(-1).event.kind).toBe('session_ended');
    follower.leave();
    expect((await hookd(workspace, ['sessions', 'show', 'nosuch'])).stderr).toContain('SESSION_UNKNOWN');
  });
});
