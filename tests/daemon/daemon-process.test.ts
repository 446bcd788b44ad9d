/** The daemon as a process: several that start at once, one that is killed, one that is told to stop. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectAnyVersion } from '../../src/cli/connection.ts';
import { follow } from '../support/daemon.ts';
import {
  auditRecords,
  hookd,
  kindsOf,
  makeWorkspace,
  modelScript,
  type Running,
  startHookd,
  until,
} from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

describe('a daemon', () => {
  it('is one of five that start at once; killed, its socket is taken over; SIGTERM ends it in order', async () => {
    const workspace = makeWorkspace();
    const five = Array.from({ length: 5 }, () => startHookd(workspace, ['daemon', 'run']));
    const losers: Running[] = [];
    for (const one of five) void one.finished.then(() => losers.push(one));
    await until(() => losers.length === 4, 'four that give way');
    const said = await Promise.all(losers.map(({ finished }) => finished));
    expect(said.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(said.every(({ stderr }) => stderr.includes('DAEMON_RUNNING'))).toBe(true);
    const winner = five.find((one) => !losers.includes(one));
    if (winner === undefined) throw new Error('none is left');
    const socket = join(workspace.home, 'run/hookd.sock');
    await until(() => existsSync(join(workspace.home, 'run/hookd.pid')), 'the winner to listen');
    winner.child.kill('SIGKILL');
    await winner.finished;
    expect(existsSync(socket)).toBe(true);

    const next = startHookd(workspace, ['daemon', 'run', '--grace', '0']);
    const isNext = () =>
      readFileSync(join(workspace.home, 'run/hookd.pid'), 'utf8') === `${next.child.pid}\n`;
    await until(isNext, 'the next to listen');
    // This is another build than the one that runs.
    const connection = await connectAnyVersion(workspace.env, 'test');
    const session = await connection.createSession({
      cwd: workspace.project,
      env: { ...workspace.env },
      modelScript: modelScript(workspace, [[toolUse('Bash', { command: 'sleep 60' })], [text('done')]]),
    });
    const watcher = follow(session, 0);
    await session.prompt('do it');
    await until(() => kindsOf(auditRecords(workspace)).includes('tool_started'), 'the call');
    next.child.kill('SIGTERM');
    const { code, stderr } = await next.finished;
    expect(code).toBe(0);
    expect(stderr).toMatch(/listening on .*\n.*stopping: SIGTERM\n.*stopped\n$/);
    expect(kindsOf(auditRecords(workspace)).slice(-4)).toEqual([
      'tool_result',
      'turn_ended',
      'session_ended',
      'daemon_stopped',
    ]);
    watcher.leave();
    await watcher.done;
    expect(existsSync(socket)).toBe(false);
  });

  it('killed while a run waits for a person: all who ask learn that it went away, and how to go on', async () => {
    const workspace = makeWorkspace();
    const first = startHookd(workspace, ['daemon', 'run']);
    await until(() => existsSync(join(workspace.home, 'run/hookd.pid')), 'the daemon');
    const script = modelScript(workspace, [[toolUse('Bash', { command: 'touch x' })]]);
    const flags = ['--daemon', '--wait-for-approval', '--json', '--model-script', script];
    const run = startHookd(workspace, ['run', 'do it', ...flags]);
    await until(() => kindsOf(auditRecords(workspace)).includes('approval_requested'), 'the question');
    const watching = startHookd(workspace, ['approvals', 'watch']);
    await until(() => watching.output.stdout.includes('approvals allow'), 'the question to be shown');
    first.child.kill('SIGKILL');
    const [told, watched] = await Promise.all([run.finished, watching.finished]);
    const { session_id: id, ...report } = JSON.parse(told.stdout);
    expect(report).toMatchObject({ is_error: true, terminal_reason: 'error' });
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/daemon went away.*hookd --resume /),
    });
    expect(told.stderr).toContain(`hookd --resume ${id}`);
    expect(watched).toMatchObject({ code: 1, stderr: expect.stringContaining('went away.') });

    const next = startHookd(workspace, ['daemon', 'run', '--grace', '0']);
    await until(
      () => readFileSync(join(workspace.home, 'run/hookd.pid'), 'utf8') === `${next.child.pid}\n`,
      'the next',
    );
    const status = JSON.parse((await hookd(workspace, ['daemon', 'status', '--json'])).stdout);
    expect(status).toMatchObject({ approvals: 0, approvalsToResume: 1 });
    const [left] = JSON.parse((await hookd(workspace, ['approvals', 'list', '--json'])).stdout);
    expect(left).toMatchObject({ session: id, needsResume: true });
    expect(await hookd(workspace, ['approvals', 'allow', left.id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`hookd --resume ${id}\n`),
    });
    next.child.kill('SIGTERM');
    await next.finished;
  });

  it('is started, looked at and stopped by commands', async () => {
    const workspace = makeWorkspace();
    expect((await hookd(workspace, ['daemon', 'status'])).code).toBe(1);
    const started = await hookd(workspace, ['daemon', 'start', '--json']);
    const { pid, started: isNew } = JSON.parse(started.stdout);
    try {
      expect(isNew).toBe(true);
      const status = await hookd(workspace, ['daemon', 'status', '--json']);
      expect(JSON.parse(status.stdout)).toMatchObject({ running: true, pid, sessions: { total: 0 } });
      const listed = await hookd(workspace, ['approvals', 'list', '--json']);
      expect(listed).toMatchObject({ code: 0, stdout: '[]\n' });
    } finally {
      const stopped = await hookd(workspace, ['daemon', 'stop', '--json']);
      expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, pid });
    }
    expect(auditRecords(workspace).at(-1)).toMatchObject({ kind: 'daemon_stopped' });
    const logs = await hookd(workspace, ['daemon', 'logs']);
    expect(logs.stdout).toMatch(/listening on .*\n.*stopping: stopped by hookd daemon stop\n.*stopped\n$/);
  });
});
