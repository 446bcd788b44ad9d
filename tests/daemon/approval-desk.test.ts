/** Questions that wait for a person: the first answer counts, for the input that was shown, while the turn runs. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Segment } from '../../src/audit/segment.ts';
import type { Recorded } from '../../src/audit/trail.ts';
import { HookdError } from '../../src/core/errors.ts';
import type { ApprovalReply } from '../../src/core/protocol.ts';
import type { ApprovalRequest, SessionId } from '../../src/core/vocabulary.ts';
import { ApprovalDesk } from '../../src/daemon/approval-desk.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import type { Daemon } from '../../src/daemon/daemon.ts';
import type { LiveSession } from '../../src/daemon/live-session.ts';
import { auditRecords, makeWorkspace, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { createSession, openDaemon, Watcher } from '../support/live.ts';

const open: { daemon: Daemon; workspace: Workspace }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const { daemon, workspace } of open.splice(0)) {
    await daemon.close('test');
    rmSync(workspace.root, { recursive: true, force: true });
  }
});

interface Asked {
  readonly daemon: Daemon;
  readonly workspace: Workspace;
  readonly session: LiveSession;
  readonly watcher: Watcher;
  readonly id: string;
  readonly inputDigest: string;
}

/** A session that waits for an answer about one command. */
async function asked(settings: object = {}, approvals?: typeof nobody): Promise<Asked> {
  const workspace = makeWorkspace({ settings });
  const daemon = await openDaemon(workspace);
  open.push({ daemon, workspace });
  const calls = [toolUse('Bash', { command: 'touch asked' })];
  const session = await createSession(daemon, workspace, [calls, [text('ok')]], approvals && { approvals });
  const watcher = new Watcher(session, 0);
  await session.prompt('go');
  const { approval } =
    approvals === undefined
      ? await watcher.next('approval_requested')
      : { approval: { id: '', inputDigest: '' } };
  return { daemon, workspace, session, watcher, id: approval.id, inputDigest: approval.inputDigest };
}

const resultOf = async (watcher: Watcher) => (await watcher.next('tool_result')).result;

it('the first answer wins, whoever comes second is told so', async () => {
  const { session, watcher, id, inputDigest } = await asked();
  const first = session.answer(id, { answer: 'allow', inputDigest }, 'one');
  const second = session.answer(id, { answer: 'deny', inputDigest }, 'other');
  await first;
  await expect(second).rejects.toMatchObject({ code: 'APPROVAL_GONE' });
  expect((await resultOf(watcher)).outcome).toBe('ok');
  await expect(session.answer(id, { answer: 'deny', inputDigest })).rejects.toMatchObject({
    code: 'APPROVAL_GONE',
  });
});

it('an answer counts for the input that was shown only', async () => {
  const { session, id, inputDigest, daemon } = await asked();
  for (const digest of [
    '',
    inputDigest.slice(1),
    inputDigest.toUpperCase(),
    undefined,
    null,
    [inputDigest],
  ]) {
    const reply = { answer: 'allow', inputDigest: digest } as ApprovalReply;
    await expect(session.answer(id, reply)).rejects.toMatchObject({ code: 'APPROVAL_MISMATCH' });
  }
  expect(daemon.approvals.list()).toHaveLength(1);
});

it('what is no clear answer is none, and a rule that was not offered is refused', async () => {
  const { session, id, inputDigest, daemon } = await asked();
  for (const answer of ['yes', 'ALLOW', true, ['allow'], undefined, { allow: true }]) {
    const reply = { answer, inputDigest } as unknown as ApprovalReply;
    await expect(session.answer(id, reply)).rejects.toMatchObject({ code: 'USAGE' });
  }
  const broad = { answer: 'allow', inputDigest, alwaysRule: 'Bash' } as const;
  await expect(session.answer(id, broad)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('Bash(touch asked)'),
  });
  expect(daemon.approvals.list()).toHaveLength(1);
});

it('"always" with the rule that was offered lets the next call of its kind run', async () => {
  const { session, watcher, id, inputDigest, workspace } = await asked();
  const alwaysRule = 'Bash(touch asked)';
  await session.answer(id, { answer: 'allow', inputDigest, alwaysRule }, 'phone');
  await watcher.next('turn_ended');
  expect(watcher.all('approval_resolved')[0]?.answer).toEqual({
    answer: 'allow',
    client: 'phone',
    alwaysRule,
  });
  expect(auditRecords(workspace).find(({ kind }) => kind === 'approval_remembered')).toMatchObject({
    ...{ rule: alwaysRule, client: 'phone' },
  });
});

it('who allows what a rule refuses by now is told of the refusal', async () => {
  const { daemon, watcher, id, inputDigest, workspace } = await asked();
  const settings = JSON.stringify({ permissions: { deny: ['Bash(touch *)'] } });
  writeFileSync(join(workspace.home, 'settings.json'), settings);
  const refusal = await daemon.approvals.answer(id, { answer: 'allow', inputDigest }, 'phone');
  expect(refusal).toMatchObject({ behavior: 'deny', reason: expect.stringContaining('Bash(touch *)') });
  expect((await resultOf(watcher)).outcome).toBe('denied');
});

it('a reason that comes with a denial is told to the model', async () => {
  const { session, watcher, id, inputDigest } = await asked();
  await session.answer(id, { answer: 'deny', inputDigest, reason: 'use mkdir' });
  expect(await resultOf(watcher)).toMatchObject({
    outcome: 'denied',
    text: expect.stringContaining('use mkdir'),
  });
});

it('a question that nobody answers in time is a denial', async () => {
  const { watcher, daemon, session, id, inputDigest } = await asked({ approvalTimeoutSeconds: 1 });
  const { approval } = await watcher.next('approval_requested');
  expect(Date.parse(approval.expiresAt ?? '') - Date.parse(approval.requestedAt)).toBe(1000);
  const result = await resultOf(watcher);
  expect(result.outcome).toBe('denied');
  expect(result.text).toContain('nobody answered within 1 s');
  expect(watcher.all('approval_resolved')[0]?.answer).toMatchObject({ answer: 'unanswered' });
  expect(daemon.approvals.list()).toEqual([]);
  await expect(session.answer(id, { answer: 'allow', inputDigest })).rejects.toMatchObject({
    code: 'APPROVAL_GONE',
  });
});

it('the end of a session takes its question back', async () => {
  const { session, daemon, watcher, id, inputDigest, workspace } = await asked();
  await session.end('enough');
  await watcher.finished;
  expect(daemon.approvals.list()).toEqual([]);
  expect(watcher.all('approval_resolved')[0]?.answer).toMatchObject({ answer: 'unanswered' });
  await expect(daemon.approvals.answer(id, { answer: 'allow', inputDigest }, 'x')).rejects.toMatchObject({
    code: 'APPROVAL_GONE',
  });
  await expect(session.prompt('more')).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  expect(auditRecords(workspace).filter(({ kind }) => kind === 'tool_started')).toEqual([]);
});

it('another session cannot answer for this one', async () => {
  const { daemon, workspace, id, inputDigest } = await asked();
  const other = await createSession(daemon, workspace, [[text('hi')]]);
  await expect(other.answer(id, { answer: 'allow', inputDigest })).rejects.toMatchObject({
    code: 'APPROVAL_GONE',
  });
  expect(daemon.approvals.list()).toHaveLength(1);
});

it('where nobody can be asked, a question is denied at once', async () => {
  const { watcher, daemon } = await asked({}, nobody);
  expect((await resultOf(watcher)).outcome).toBe('denied');
  expect(watcher.all('approval_requested')).toEqual([]);
  expect(daemon.approvals.list()).toEqual([]);
});

it('an answer that cannot be recorded does not count, and everybody is told', async () => {
  const { session, watcher, daemon, id, inputDigest, workspace } = await asked();
  vi.spyOn(Segment.prototype, 'append').mockImplementation(() => {
    throw new HookdError('AUDIT_UNAVAILABLE', 'The audit log cannot write: ENOSPC.');
  });
  await session.prompt('waits');
  await expect(session.answer(id, { answer: 'allow', inputDigest })).rejects.toMatchObject({
    code: 'AUDIT_UNAVAILABLE',
  });
  const failed = await watcher.next('turn_failed');
  expect(failed).toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining('ENOSPC') });
  expect(watcher.all('warning')[0]?.text).toContain('A prompt that waited was dropped');
  expect(session.info).toMatchObject({ state: 'idle', approvals: 0 });
  expect(daemon.approvals.list()).toEqual([]);
  expect(watcher.all('tool_result')).toEqual([]);

  vi.restoreAllMocks();
  await session.prompt('again');
  expect((await watcher.next('turn_ended')).end.reason).toBe('completed');
  expect(auditRecords(workspace).filter(({ kind }) => kind === 'tool_started')).toEqual([]);
});

it('what waited when hookd was killed is listed, and says that its session must be resumed first', async () => {
  const { workspace, session, id, inputDigest } = await asked();
  const killed = makeWorkspace();
  const sessions = join(killed.home, 'sessions');
  cpSync(join(workspace.home, 'sessions'), sessions, { recursive: true });
  const file = join(sessions, session.id, 'session.json');
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  expect(stored).toMatchObject({ id: session.id, title: 'go', holder: { pid: process.pid } });
  writeFileSync(file, JSON.stringify({ ...stored, holder: { ...stored.holder, startTime: '1' } }));

  const daemon = await openDaemon(killed);
  open.push({ daemon, workspace: killed });
  expect(daemon.approvals.list()).toMatchObject([{ id, inputDigest, session: session.id }]);
  expect(await daemon.sessions.list()).toMatchObject([{ id: session.id, state: 'resumable', approvals: 1 }]);
  const allow = { answer: 'allow', inputDigest } as const;
  const early = { code: 'SESSION_ENDED', message: expect.stringContaining('hookd --resume ') };
  await expect(daemon.approvals.answer(id, allow, 'x')).rejects.toMatchObject(early);
  await expect(daemon.sessions.get(session.id).answer(id, allow)).rejects.toMatchObject(early);
  expect(daemon.sessions.get(session.id).info.lastEventId).toBe(session.info.lastEventId);
  await daemon.sessions.get(session.id).end('never mind');
  expect(auditRecords(killed).slice(-2)).toMatchObject([
    {
      kind: 'approval_resolved',
      session: session.id,
      approval: id,
      answer: 'unanswered',
      tool_use_id: expect.any(String),
    },
    { kind: 'session_ended', session: session.id, reason: 'never mind' },
  ]);
  expect(daemon.approvals.list()).toEqual([]);
  expect(await daemon.sessions.list()).toMatchObject([{ id: session.id, state: 'ended', approvals: 0 }]);
});

it.each([
  ['weeks away', 10_000_000, expect.any(String)],
  ['further away than dates reach', 1e15, undefined],
  ['further away than numbers reach', 1e308, undefined],
])('an expiry that is %s does not come early', async (_name, approvalTimeoutSeconds, expiresAt) => {
  const { daemon, session, id, inputDigest } = await asked({ approvalTimeoutSeconds });
  expect(daemon.approvals.list()).toEqual([expect.objectContaining({ id })]);
  expect(daemon.approvals.list()[0]?.expiresAt).toEqual(expiresAt);
  await session.answer(id, { answer: 'allow', inputDigest });
});

it('a question waits for all of its 40 days', async () => {
  vi.useFakeTimers();
  const days = 24 * 60 * 60_000;
  const { root, home } = makeWorkspace({});
  const desk = new ApprovalDesk({ hookdHome: home });
  const id = 'session' as SessionId;
  const side = desk.forSession({ id, tell: () => undefined, timeoutMs: () => 40 * days });
  const request = { value: { id: 'question', session: id } } as unknown as Recorded<ApprovalRequest>;
  const answers: unknown[] = [];
  void side.ask(request, new AbortController().signal).then((answer) => answers.push(answer));
  await vi.advanceTimersByTimeAsync(40 * days - 1);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toEqual([
    { answer: 'unanswered', why: 'nobody answered within 3456000 s (approvalTimeoutSeconds)' },
  ]);
  rmSync(root, { recursive: true });
});
