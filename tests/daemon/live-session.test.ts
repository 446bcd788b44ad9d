/** Sessions that outlive those who look at them: prompts, events, interrupts, modes, failures. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { HookdError } from '../../src/core/errors.ts';
import type { Daemon } from '../../src/daemon/daemon.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { auditRecords, makeWorkspace, type Workspace, type WorkspaceOptions } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { createSession, openDaemon, Watcher } from '../support/live.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

const ASKS: readonly ScriptedTurn[] = [[toolUse('Bash', { command: 'touch asked' })], [text('done')]];

async function daemonIn(options: WorkspaceOptions | Workspace = {}): Promise<[Daemon, Workspace]> {
  const workspace = 'root' in options ? options : makeWorkspace(options);
  const daemon = await openDaemon(workspace);
  let isOpen = true;
  const close = daemon.close.bind(daemon);
  daemon.close = (reason) => {
    isOpen = false;
    return close(reason);
  };
  cleanUp.push(async () => {
    if (isOpen) await daemon.close('test');
    rmSync(workspace.root, { recursive: true, force: true });
  });
  return [daemon, workspace];
}

it('two clients see the same events in the same order; one answers a question, the other sees who did', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, ASKS);
  const [one, other] = [new Watcher(session, 0), new Watcher(session, 0)];
  await session.prompt('do it');
  const { approval } = await one.next('approval_requested');
  expect(session.info).toMatchObject({ state: 'waiting', approvals: 1 });
  expect(daemon.approvals.list()).toEqual([approval]);
  await session.answer(approval.id, { answer: 'allow', inputDigest: approval.inputDigest }, 'phone');
  const { answer } = await other.next('approval_resolved');
  expect(answer).toEqual({ answer: 'allow', client: 'phone' });
  const { end, audit } = await other.next('turn_ended');
  await one.next('turn_ended');
  expect(end.reason).toBe('completed');
  expect(audit).toEqual(daemon.audit);
  expect(session.info).toMatchObject({ state: 'idle', turns: 1, title: 'do it', approvals: 0 });
  await session.end('test');
  await Promise.all([one.finished, other.finished]);
  expect(one.deliveries).toEqual(other.deliveries);
  expect(one.ids).toEqual(one.ids.map((_, index) => index + 1));
  expect(one.events.at(-1)).toEqual({ kind: 'session_ended', reason: 'test' });
  const resolved = auditRecords(workspace).find(({ kind }) => kind === 'approval_resolved');
  expect(resolved).toMatchObject({ answer: 'allow', client: 'phone' });
});

it('a client that comes back with its last number misses nothing, and gets nothing twice', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, [...ASKS, [text('more')]]);
  const [stays, leaves] = [new Watcher(session, 0), new Watcher(session, 0)];
  await session.prompt('one');
  const { approval } = await leaves.next('approval_requested');
  await leaves.leave();
  await session.answer(approval.id, { answer: 'deny', inputDigest: approval.inputDigest });
  await stays.next('turn_ended');
  const back = new Watcher(session, leaves.ids.at(-1));
  await session.prompt('two');
  await back.next('turn_ended', 2);
  await stays.next('turn_ended', 2);
  expect([...leaves.ids, ...back.ids]).toEqual(stays.ids);
  await Promise.all([back.leave(), stays.leave()]);
});

it('numbers go on after a restart, whoever comes back gets what was missed, and text is not repeated', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, [[text('first')]]);
  const before = new Watcher(session, 0);
  await session.prompt('one');
  await before.next('turn_ended');
  expect(before.all('text').length).toBeGreaterThan(0);
  const { id } = session;
  await daemon.close('restart');
  await before.finished;

  const again = await openDaemon(workspace);
  cleanUp.push(() => again.close('test'));
  expect(await again.sessions.list()).toMatchObject([{ id, state: 'resumable', title: 'one', turns: 1 }]);
  const left = new Watcher(again.sessions.get(id), 0);
  await left.finished;
  expect(left.ids).toEqual(before.ids);
  expect(left.all('text')).toEqual([]);
  const resumed = await createSession(again, workspace, [[text('second')]], { resume: id });
  const after = new Watcher(resumed, before.ids.at(-1));
  await resumed.prompt('two');
  await after.next('turn_ended');
  expect(after.ids[0]).toBe((before.ids.at(-1) ?? 0) + 1);
  expect(resumed.info).toMatchObject({ turns: 2, title: 'one', startedAt: session.info.startedAt });
  await after.leave();
});

it('prompts wait in order while a turn runs; an interrupt ends it and drops them', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, ASKS);
  const watcher = new Watcher(session, 0);
  await session.prompt('first');
  await watcher.next('approval_requested');
  for (let count = 0; count < 16; count++) await session.prompt(`waits ${count}`);
  await expect(session.prompt('too many')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  await session.interrupt();
  const { end } = await watcher.next('turn_ended');
  expect(end.reason).toBe('interrupted');
  expect(watcher.all('warning')).toHaveLength(16);
  expect(watcher.all('prompt').map(({ prompt }) => prompt.text)).toEqual(['first']);
  expect(watcher.all('approval_resolved')[0]?.answer).toMatchObject({ answer: 'unanswered' });
  expect(daemon.approvals.list()).toEqual([]);
  await session.prompt('next');
  await session.prompt('last');
  await watcher.next('turn_ended', 3);
  expect(watcher.all('prompt').map(({ prompt }) => prompt.text)).toEqual(['first', 'next', 'last']);
  await watcher.leave();
});

it('a mode that a client chooses is on record with that client, told, and judges the next call', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, [
    [toolUse('Write', { file_path: 'made', content: 'x' })],
    [text('ok')],
  ]);
  const watcher = new Watcher(session, 0);
  await expect(session.setMode('bypassPermissions')).rejects.toMatchObject({ code: 'USAGE' });
  await session.setMode('acceptEdits', 'phone');
  await session.prompt('write');
  await watcher.next('turn_ended');
  expect(watcher.all('tool_result')[0]?.result.outcome).toBe('ok');
  expect(watcher.all('mode_changed')).toEqual([
    { kind: 'mode_changed', mode: 'acceptEdits', client: 'phone' },
  ]);
  expect(session.info.permissionMode).toBe('acceptEdits');
  const records = auditRecords(workspace);
  expect(records.find(({ kind }) => kind === 'mode_chosen')).toMatchObject({
    ...{ mode: 'acceptEdits', before: 'default', client: 'phone', session: session.id },
  });
  expect(records.find(({ kind }) => kind === 'context_added')).toMatchObject({ event: 'PermissionMode' });
  await watcher.leave();
});

it('nothing of the environment of a session is on the disk, and its commands see it', async () => {
  const [daemon, workspace] = await daemonIn({ settings: { permissions: { allow: ['Bash'] } } });
  const env = { ...workspace.env, OF_CLIENT: 'seen-by-commands', TOKEN_OF_CLIENT: 'never-written-4711' };
  const script = [[toolUse('Bash', { command: 'echo "$OF_CLIENT" > seen' })], [text('ok')]];
  const session = await createSession(daemon, workspace, script, { env });
  const watcher = new Watcher(session, 0);
  await session.prompt('go');
  await watcher.next('turn_ended');
  await daemon.close('test');
  expect(readFileSync(join(workspace.project, 'seen'), 'utf8')).toBe('seen-by-commands\n');
  const written = readdirSync(workspace.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(written.length).toBeGreaterThan(3);
  expect(written.filter((content) => content.includes('never-written-4711'))).toEqual([]);
});

it('a question that waited when its daemon died waits again, under its id; after the answer the turn goes on', async () => {
  const [dead, workspace] = await daemonIn();
  const session = await createSession(dead, workspace, ASKS);
  const before = new Watcher(session, 0);
  await session.prompt('do it');
  const { approval } = await before.next('approval_requested');
  const directory = join(workspace.home, 'sessions', session.id);
  const stored = JSON.parse(readFileSync(join(directory, 'session.json'), 'utf8')) as object;
  // As kill -9 leaves it: nobody holds it.
  for (const name of readdirSync(directory)) if (name.startsWith('lock.')) rmSync(join(directory, name));
  writeFileSync(join(directory, 'session.json'), JSON.stringify({ ...stored, holder: null }));

  const again = await openDaemon(workspace);
  cleanUp.push(() => again.close('test'));
  const resumed = await createSession(again, workspace, [[text('done')]], { resume: session.id });
  const after = new Watcher(resumed, before.ids.at(-1));
  expect((await after.next('approval_requested')).approval).toMatchObject({ id: approval.id });
  await resumed.answer(approval.id, { answer: 'allow', inputDigest: approval.inputDigest }, 'phone');
  expect((await after.next('turn_ended')).end.reason).toBe('completed');
  expect(readdirSync(workspace.project)).toContain('asked');
  await after.leave();
});

it('a question that goes with its session, which no process ran, is told to those who watch', async () => {
  const [first, workspace] = await daemonIn();
  const session = await createSession(first, workspace, ASKS);
  const watcher = new Watcher(session, 0);
  await session.prompt('do it');
  const { approval } = await watcher.next('approval_requested');
  await first.close('restart');
  const [daemon] = await daemonIn(workspace);
  expect(daemon.approvals.list()).toEqual([{ ...approval, needsResume: true }]);
  const told: unknown[] = [];
  daemon.approvals.watch((notice) => told.push(notice));
  await daemon.sessions.get(session.id).end('over');
  expect(daemon.approvals.list()).toEqual([]);
  expect(told).toEqual([
    {
      ...{ kind: 'approval_resolved', id: approval.id, session: session.id },
      answer: { answer: 'unanswered', why: expect.stringContaining('ended') },
    },
  ]);
});

it('bypassPermissions comes back only in a session that was started in it, and not where settings forbid it', async () => {
  const [daemon, workspace] = await daemonIn();
  const flags = { permissionMode: 'bypassPermissions' };
  const session = await createSession(daemon, workspace, [[text('ok')]], { flags });
  await session.setMode('plan');
  await session.setMode('bypassPermissions');
  expect(session.info.permissionMode).toBe('bypassPermissions');
  await session.setMode('default');
  const forbids = { permissions: { disableBypassPermissionsMode: 'disable' } };
  writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(forbids));
  await expect(session.setMode('bypassPermissions')).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/The mode stays default\. .*disableBypassPermissionsMode/),
  });
  expect(session.info.permissionMode).toBe('default');
  await session.end('test');
  await expect(session.setMode('plan')).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  const chosen = auditRecords(workspace).filter(({ kind }) => kind === 'mode_chosen');
  expect(chosen.map(({ mode }) => mode)).toEqual(['plan', 'bypassPermissions', 'default']);
});

it('a session that does not come up leaves nothing, and the daemon goes on', async () => {
  const [daemon, workspace] = await daemonIn({ settings: { unknownKey: 1 } });
  const start = { startDirectory: workspace.project, flags: {} };
  await expect(daemon.createSession(start)).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
  await expect(daemon.createSession({ ...start, modelScript: 'none.json' })).rejects.toMatchObject({
    code: 'MODEL_SCRIPT_INVALID',
  });
  expect(await daemon.sessions.list()).toEqual([]);
  expect(readdirSync(join(workspace.home, 'sessions'))).toEqual([]);
  const session = await createSession(daemon, workspace, [[text('ok')]]);
  const watcher = new Watcher(session, 0);
  await session.prompt('go');
  expect((await watcher.next('turn_ended')).end.reason).toBe('completed');
});

it('a script of a session is looked for where the session starts', async () => {
  const [daemon, workspace] = await daemonIn({
    files: { 'play.json': '[[{"type":"text","text":"from here"}]]' },
  });
  const { project: startDirectory } = workspace;
  const session = await daemon.createSession({ startDirectory, flags: {}, modelScript: 'play.json' });
  const watcher = new Watcher(session, 0);
  await session.prompt('go');
  expect((await watcher.next('response')).response.content).toEqual([{ type: 'text', text: 'from here' }]);
});

it('a stop waits for a session that is just coming up, and lets none in after it', async () => {
  const [daemon, workspace] = await daemonIn();
  const starting = createSession(daemon, workspace, [[text('ok')]]);
  const closing = daemon.close('stop');
  const { info } = await starting;
  await closing;
  const late = createSession(daemon, workspace, [[text('ok')]]);
  await expect(late).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  const kinds = auditRecords(workspace).filter(({ session }) => session === info.id);
  expect(kinds.at(-1)).toMatchObject({ kind: 'session_ended', reason: 'stop' });
  expect(auditRecords(workspace)[0]).toMatchObject({ kind: 'daemon_started', mode: 'daemon' });
});

it('one session cannot run twice, and one that was ended is no longer there to be resumed by chance', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, [[text('ok')]]);
  const { id } = session;
  const twice = createSession(daemon, workspace, [], { resume: id });
  await expect(twice).rejects.toMatchObject({ code: 'SESSION_LIVE' });
  await session.end('done');
  expect(daemon.sessions.live).toEqual([]);
  expect(await daemon.sessions.list()).toMatchObject([{ id, state: 'ended' }]);
  const left = daemon.sessions.get(id);
  await expect(left.prompt('go on')).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  for (const unknown of ['', '..', '../sessions', 'x'.repeat(100), `${id}/..`]) {
    expect(() => daemon.sessions.get(unknown)).toThrow(expect.objectContaining({ code: 'SESSION_UNKNOWN' }));
  }
});

it('one that no process runs is ended on record, or not at all', async () => {
  const workspace = makeWorkspace();
  const [first] = await daemonIn(workspace);
  const { id } = await createSession(first, workspace, [[text('ok')]]);
  await first.close('restart');
  const [daemon] = await daemonIn(workspace);
  const left = daemon.sessions.get(id);
  expect(left.info.state).toBe('resumable');
  const full = vi.spyOn(Trail.prototype, 'record').mockImplementationOnce(() => {
    throw new HookdError('AUDIT_UNAVAILABLE', 'full');
  });
  await expect(left.end('ended by phone')).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  full.mockRestore();
  expect((await left.refresh()).state).toBe('resumable');
  await left.end('ended by phone');
  expect(left.info.state).toBe('ended');
  const ended = auditRecords(workspace).filter(({ kind }) => kind === 'session_ended');
  expect(ended).toMatchObject([
    { session: id, reason: 'restart' },
    { session: id, reason: 'ended by phone' },
  ]);
});

it('a compaction waits for the running turn, and whoever asked for it is told when it is done, or why not', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, [...ASKS, [text('two')], [text('what was said')]]);
  const watcher = new Watcher(session, 0);
  await session.prompt('one');
  const { approval } = await watcher.next('approval_requested');
  await session.prompt('two');
  const compacted = session.compact('the names');
  await session.answer(approval.id, { answer: 'deny', inputDigest: approval.inputDigest });
  await compacted;
  expect(watcher.events.map(({ kind }) => kind).slice(-4)).toEqual([
    ...['turn_ended', 'compaction_started', 'compacted', 'context'],
  ]);
  expect(session.info).toMatchObject({ state: 'idle', context: { window: 200_000 } });
  await expect(session.compact()).rejects.toMatchObject({ code: 'NOT_COMPACTED' });
  await watcher.leave();
});

it('a question that waits when hookd is stopped in order is asked again once its session goes on', async () => {
  const [daemon, workspace] = await daemonIn({ settings: { approvalTimeoutSeconds: 600 } });
  const session = await createSession(daemon, workspace, ASKS);
  const before = new Watcher(session, 0);
  await session.prompt('do it');
  const { approval } = await before.next('approval_requested');
  await session.prompt('waits behind it');
  await daemon.close('restart');
  await before.finished;
  expect(before.all('approval_resolved')).toEqual([]);
  expect(before.all('warning').map(({ text }) => text)).toEqual([
    'A prompt that waited was dropped: the session ends',
  ]);

  const again = await openDaemon(workspace);
  cleanUp.push(() => again.close('test'));
  expect(again.approvals.list()).toEqual([{ ...approval, needsResume: true }]);
  const resumed = await createSession(again, workspace, [[text('done')]], { resume: session.id });
  const after = new Watcher(resumed, before.ids.at(-1));
  expect((await after.next('approval_requested')).approval.id).toBe(approval.id);
  await resumed.answer(approval.id, { answer: 'allow', inputDigest: approval.inputDigest }, 'phone');
  expect((await after.next('turn_ended')).end.reason).toBe('completed');
  expect(readdirSync(workspace.project)).toContain('asked');
  const kinds = auditRecords(workspace).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'tool_result')).toHaveLength(1);
  await after.leave();
});

it('a question of a session that is ended before it goes on is answered on record, and not asked again', async () => {
  const [daemon, workspace] = await daemonIn();
  const session = await createSession(daemon, workspace, ASKS);
  const before = new Watcher(session, 0);
  await session.prompt('do it');
  const { approval } = await before.next('approval_requested');
  await daemon.close('restart');
  await before.finished;

  const again = await openDaemon(workspace);
  cleanUp.push(() => again.close('test'));
  await again.sessions.get(session.id).end('never mind');
  const resumed = await createSession(again, workspace, [[text('done')]], { resume: session.id });
  expect(resumed.info).toMatchObject({ state: 'idle', approvals: 0 });
  const of = (kind: string) => auditRecords(workspace).filter((record) => record.kind === kind);
  expect(of('approval_requested')).toHaveLength(1);
  expect(of('approval_resolved')).toMatchObject([{ approval: approval.id, answer: 'unanswered' }]);
  expect(of('tool_result')).toMatchObject([{ outcome: 'not_run' }]);
});
