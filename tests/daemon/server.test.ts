/** The daemon over its real socket: sessions, those who watch them, questions and answers. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { HookdError } from '../../src/core/errors.ts';
import type { PendingApproval } from '../../src/core/protocol.ts';
import { serveDaemon } from '../../src/daemon/serve.ts';
import {
  ask,
  follow,
  JSON_BODY,
  startTestDaemon,
  type TestDaemon,
  type TestDaemonOptions,
} from '../support/daemon.ts';
import { auditRecords, kindsOf, makeWorkspace, until } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

const daemons: TestDaemon[] = [];
async function start(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const daemon = await startTestDaemon(options);
  daemons.push(daemon);
  return daemon;
}
afterEach(async () => {
  await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
});

const ASKS = { permissions: { ask: ['Bash(echo *)'] } };
const ECHO = [toolUse('Bash', { command: 'echo hello' })];

async function waitingIn(daemon: TestDaemon): Promise<PendingApproval> {
  let found: readonly PendingApproval[] = [];
  const deadline = Date.now() + 20_000;
  while (found.length === 0 && Date.now() < deadline) found = await daemon.connection.approvals();
  const [first] = found;
  if (first === undefined) throw new Error('no question came');
  return first;
}

describe('a session of the daemon', () => {
  it('is played for whoever asks, and looks the same to two clients', async () => {
    const daemon = await start();
    const session = await daemon.session([[toolUse('Bash', { command: 'true' })], [text('done')]]);
    const other = await (await daemon.connect('other')).openSession(session.info.id);
    const followers = [follow(session, 0), follow(other, 0)];
    await session.prompt('do it');
    for (const one of followers) await until(() => one.kinds().includes('turn_ended'), 'the end of the turn');
    const [first, second] = followers.map(({ seen }) =>
      seen.filter((one) => one.kind === 'event' && one.id !== undefined),
    );
    expect(first).toEqual(second);
    expect(followers[0]?.kinds().filter((kind) => kind !== 'context')).toEqual([
      'prompt',
      'request',
      'response',
      'tool_use',
      'tool_result',
      'request',
      'response',
      'turn_ended',
    ]);
    const listed = await daemon.connection.listSessions();
    expect(listed.map(({ id, state, turns, title }) => ({ id, state, turns, title }))).toEqual([
      { id: session.info.id, state: 'idle', turns: 1, title: 'do it' },
    ]);
    await session.end('test');
    await Promise.all(followers.map(({ done }) => done));
    expect(followers.map(({ kinds }) => kinds().at(-1))).toEqual(['session_ended', 'session_ended']);
  });

  it('tells every client who answered a question; the answer is on record under their name', async () => {
    const daemon = await start({ settings: ASKS });
    const session = await daemon.session([ECHO, [text('done')]]);
    const watcher = follow(session, 0);
    await session.prompt('do it');
    const approval = await waitingIn(daemon);
    expect(approval).toMatchObject({ session: session.info.id, subject: 'Bash' });
    const other = await daemon.connect('the other one');
    const { id, inputDigest } = approval;
    await other.answer(id, { answer: 'allow', inputDigest });
    await until(() => watcher.kinds().includes('turn_ended'), 'the end of the turn');
    const told = watcher.seen.find((one) => one.kind === 'event' && one.event.kind === 'approval_resolved');
    expect(told).toMatchObject({ event: { id, answer: { answer: 'allow', client: 'the other one' } } });
    const record = auditRecords(daemon.workspace).find(({ kind }) => kind === 'approval_resolved');
    expect(JSON.stringify(record)).toContain('"the other one"');
    await expect(daemon.connection.answer(id, { answer: 'allow', inputDigest })).rejects.toMatchObject({
      code: 'APPROVAL_GONE',
    });
    watcher.leave();
  });

  it('takes an answer only for the input that was shown', async () => {
    const daemon = await start({ settings: ASKS });
    const session = await daemon.session([ECHO, [text('done')]]);
    await session.prompt('do it');
    const { id } = await waitingIn(daemon);
    const answer = session.answer(id, { answer: 'allow', inputDigest: '0'.repeat(64) });
    await expect(answer).rejects.toMatchObject({ code: 'APPROVAL_MISMATCH' } satisfies Partial<HookdError>);
    expect((await daemon.connection.approvals()).map((one) => one.id)).toEqual([id]);
    await session.interrupt();
    expect(await daemon.connection.approvals()).toEqual([]);
  });

  it('shows questions of all sessions to whoever watches, those that wait first', async () => {
    const daemon = await start({ settings: ASKS });
    const session = await daemon.session([ECHO, ECHO, [text('done')]]);
    await session.prompt('do it');
    const first = await waitingIn(daemon);
    const leave = new AbortController();
    const notices = daemon.connection.watchApprovals(leave.signal)[Symbol.asyncIterator]();
    expect((await notices.next()).value).toMatchObject({
      kind: 'approval_requested',
      approval: { id: first.id },
    });
    const next = notices.next();
    await session.answer(first.id, { answer: 'deny', inputDigest: first.inputDigest, reason: 'not now' });
    expect((await next).value).toMatchObject({
      kind: 'approval_resolved',
      id: first.id,
      session: session.info.id,
      answer: { answer: 'deny', client: 'test', reason: 'not now' },
    });
    expect((await notices.next()).value).toMatchObject({ kind: 'approval_requested' });
    leave.abort();
    expect((await notices.next()).done).toBe(true);
  });

  it('misses nothing when a client comes back with its last number', async () => {
    const daemon = await start();
    const session = await daemon.session([[text('one')], [text('two')]]);
    const before = follow(session, 0);
    await session.prompt('first');
    await until(() => before.kinds().includes('turn_ended'), 'the end of the first turn');
    before.leave();
    await before.done;
    const last = before.seen.reduce((id, one) => (one.kind === 'event' ? (one.id ?? id) : id), 0);
    await session.prompt('second');
    const after = follow(session, last);
    await until(() => after.kinds().includes('turn_ended'), 'the end of the second turn');
    after.leave();
    const ids = [...before.seen, ...after.seen].flatMap((one) =>
      one.kind === 'event' && one.id !== undefined ? [one.id] : [],
    );
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect(after.seen.some((one) => one.kind === 'event' && one.event.kind === 'prompt')).toBe(true);
  });

  it('gives the state to a client whose number is of another life', async () => {
    const daemon = await start();
    const session = await daemon.session([[text('one')]]);
    const lost = follow(session, 4_000);
    await until(() => lost.seen.length > 0, 'the state');
    expect(lost.seen[0]).toMatchObject({ kind: 'reset', info: { id: session.info.id }, approvals: [] });
    lost.leave();
  });

  it('changes its mode for a client, on record', async () => {
    const daemon = await start();
    const session = await daemon.session([[text('one')]]);
    const watcher = follow(session, 0);
    await session.setMode('plan');
    await until(() => watcher.kinds().includes('mode_changed'), 'the new mode');
    expect((await session.refresh()).permissionMode).toBe('plan');
    const chosen = auditRecords(daemon.workspace).find(({ kind }) => kind === 'mode_chosen');
    expect(chosen).toMatchObject({ mode: 'plan', client: 'test' });
    expect(await daemon.connection.settingsOf(session.info.id)).toMatchObject({ mode: 'plan' });
    watcher.leave();
  });

  it('is interrupted on record with who did it', async () => {
    const daemon = await start();
    const session = await daemon.session([[toolUse('Bash', { command: 'sleep 61' })], [text('done')]]);
    const watcher = follow(session, 0);
    await session.prompt('do it');
    await until(() => watcher.kinds().includes('tool_use'), 'the call');
    const phone = await (await daemon.connect('phone')).openSession(session.info.id);
    await phone.interrupt();
    const ended = auditRecords(daemon.workspace).find(({ kind }) => kind === 'turn_ended');
    expect(ended).toMatchObject({ reason: 'interrupted', detail: 'interrupted by phone' });
    watcher.leave();
  });

  it('refuses to begin where settings are wrong, with every problem', async () => {
    const daemon = await start({ settings: { permissions: { deny: [7] } } });
    const begun = daemon.session([[text('one')]]);
    await expect(begun).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
    await expect(begun).rejects.toThrow(/settings\.json:\d+:\d+/);
    expect(await daemon.connection.listSessions()).toEqual([]);
  });

  it('says that it runs already, or cannot go on, as something to be put right, not as a fault of the daemon', async () => {
    const daemon = await start();
    const session = await daemon.session([[text('ok')]]);
    const { socket } = daemon.served;
    const resume = (id: string) =>
      ask(socket, {
        method: 'POST',
        path: '/v1/sessions',
        headers: JSON_BODY,
        body: JSON.stringify({ cwd: daemon.workspace.project, resume: id }),
      });
    const live = await resume(session.info.id);
    expect([live.status, live.json.error?.code]).toEqual([409, 'SESSION_LIVE']);
    await session.end('test');
    const empty = await resume(session.info.id);
    expect([empty.status, empty.json.error?.code]).toEqual([409, 'SESSION_NOT_RESUMABLE']);
    expect(existsSync(join(daemon.workspace.home, 'hookd.log'))).toBe(false);
  });

  it('is unknown under an id that nobody has', async () => {
    const daemon = await start();
    await expect(daemon.connection.openSession('nobody')).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' });
    await expect(daemon.connection.openSession('../../etc')).rejects.toMatchObject({
      code: 'SESSION_UNKNOWN',
    });
  });
});

describe('the end of a daemon', () => {
  it('takes nothing new, interrupts what runs after its grace, and records all of it', async () => {
    const daemon = await start();
    const session = await daemon.session([[toolUse('Bash', { command: 'sleep 60' })], [text('done')]]);
    const watcher = follow(session, 0);
    await session.prompt('do it');
    await until(() => watcher.kinds().includes('tool_use'), 'the call');
    await daemon.connection.stop(600_000);
    await expect(daemon.session([[text('no')]])).rejects.toMatchObject({ code: 'DAEMON_STOPPING' });
    expect(await daemon.connection.status()).toMatchObject({
      stopping: true,
      sessions: { byState: { running: 1 } },
    });
    // Whoever is in more of a hurry says so.
    await daemon.connection.stop(0);
    await daemon.served.stopped;
    expect(kindsOf(auditRecords(daemon.workspace)).slice(-3)).toEqual([
      'turn_ended',
      'session_ended',
      'daemon_stopped',
    ]);
    expect(auditRecords(daemon.workspace).at(-1)).toMatchObject({ reason: 'stopped by test' });
    await watcher.done;
    expect(watcher.kinds().at(-1)).toBe('session_ended');
    await expect(daemon.connect('late')).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
  });

  it('begins neither a prompt that waits behind the running turn, nor a compaction', async () => {
    const daemon = await start();
    const wait = toolUse('Bash', { command: 'until [ -e go ]; do sleep 0.02; done' });
    const session = await daemon.session([[wait], [text('done')], [text('never')]]);
    const watcher = follow(session, 0);
    await session.prompt('first');
    await until(() => watcher.kinds().includes('tool_use'), 'the call');
    await session.prompt('second');
    await daemon.connection.stop(600_000);
    await expect(session.compact()).rejects.toMatchObject({ code: 'DAEMON_STOPPING' });
    writeFileSync(join(daemon.workspace.project, 'go'), '');
    await daemon.served.stopped;
    const records = auditRecords(daemon.workspace);
    expect(records.filter(({ kind }) => kind === 'prompt')).toMatchObject([{ text: 'first' }]);
    expect(records.filter(({ kind }) => kind === 'turn_ended')).toMatchObject([{ reason: 'completed' }]);
    await watcher.done;
    expect(watcher.kinds()).toContain('warning');
  });

  it('comes by itself when nobody needs it', async () => {
    const { env, ...workspace } = makeWorkspace();
    const { stopped } = await serveDaemon({ env, graceMs: 0, idleMs: 100 });
    await stopped;
    expect(auditRecords({ env, ...workspace }).at(-1)).toMatchObject({
      kind: 'daemon_stopped',
      reason: 'nobody needed it any more',
    });
  });
});
