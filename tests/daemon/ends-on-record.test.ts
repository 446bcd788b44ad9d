/** What has begun on record has its end there, also where it comes to nothing half-way. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openChain } from '../../src/audit/open-chain.ts';
import { listSegments, readRecords } from '../../src/audit/read.ts';
import { Segment } from '../../src/audit/segment.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { HookdError } from '../../src/core/errors.ts';
import type { SessionId } from '../../src/core/vocabulary.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { SessionRequest } from '../../src/daemon/open-session.ts';
import { ownIdentity } from '../../src/lib/proc.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { auditRecords, kindsOf, makeWorkspace, until, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';
import { createSession, openDaemon } from '../support/live.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const hook = (command: string, more: object = {}) => [{ hooks: [{ type: 'command', command, ...more }] }];

function start(daemon: Daemon, { project }: Workspace, more: Partial<SessionRequest> = {}) {
  return daemon.startSession({
    startDirectory: project,
    flags: {},
    approvals: nobody,
    model: { model: createScriptedModel([[text('ok')]]), name: 'scripted' },
    onEvent: () => undefined,
    ...more,
  });
}

/** Beginnings and ends of sessions, in order. */
const sessionsIn = (workspace: Workspace) =>
  auditRecords(workspace).filter(({ kind }) => kind === 'session_started' || kind === 'session_ended');

/** Lets the append fail that `fails` is true for, with its number from 1 and what it is to write. */
function failAppends(fails: (n: number, line: string) => boolean): () => number {
  const { append } = Segment.prototype;
  let n = 0;
  vi.spyOn(Segment.prototype, 'append').mockImplementation(function (this: Segment, bytes) {
    n += 1;
    if (fails(n, String(bytes))) throw new HookdError('AUDIT_UNAVAILABLE', 'full');
    Reflect.apply(append, this, [bytes]);
  });
  return () => n;
}

it('a session that does not come up has its end on record, and nothing of it stays', async () => {
  const workspace = makeWorkspace();
  const daemon = await Daemon.open({ env: workspace.env });
  const id = 'aaaaaaaa-0000-4000-8000-000000000000' as SessionId;
  const moreTools = {
    [Symbol.iterator]: () => {
      throw new Error('no tools');
    },
  };
  await expect(start(daemon, workspace, { id, moreTools: moreTools as never })).rejects.toThrow('no tools');
  expect(sessionsIn(workspace)).toMatchObject([
    { kind: 'session_started', session: id },
    { kind: 'session_ended', session: id, reason: 'it could not be opened: no tools' },
  ]);
  expect(existsSync(join(workspace.home, 'sessions', id))).toBe(false);
  await daemon.close('test');
});

it('wherever the audit fails while a session is opened, what has begun ends on record once it works again', async () => {
  const hooks = { SessionStart: hook('echo context'), SessionEnd: hook('true') };
  let opened = 0;
  let k = 0;
  while (opened < 1) {
    k += 1;
    const workspace = makeWorkspace({ settings: { hooks } });
    const daemon = await Daemon.open({ env: workspace.env });
    failAppends((n) => n === k);
    const failure = await start(daemon, workspace).then(
      () => undefined,
      (error: unknown) => error,
    );
    vi.restoreAllMocks();
    if (failure === undefined) opened += 1;
    else expect(failure).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    await daemon.close('test');
    expect(verifyAll(join(workspace.home, 'audit')).flatMap(({ problem }) => problem ?? [])).toEqual([]);
    // A new file repeats what may not be durable in the one that failed.
    const kinds = [...new Set(sessionsIn(workspace).map(({ kind }) => kind))];
    expect([k, kinds]).toEqual([k, kinds.length === 0 ? [] : ['session_started', 'session_ended']]);
    rmSync(workspace.root, { recursive: true });
  }
  // settings_loaded, session_started, hook_started, process_started, hook_run, context_added
  expect(k).toBeGreaterThan(6);
});

it('what an opening has started in the background does not outlive it', async () => {
  const hooks = { SessionStart: [...hook('sleep 60', { async: true }), ...hook('echo context')] };
  const workspace = makeWorkspace({ settings: { hooks } });
  const daemon = await Daemon.open({ env: workspace.env });
  failAppends((_, line) => line.includes('"kind":"context_added"'));
  await expect(start(daemon, workspace)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  const runs = auditRecords(workspace).filter(({ kind }) => kind === 'hook_run');
  expect(runs.at(-1)).toMatchObject({ is_async: true, end: { kind: 'interrupted' } });
  expect(kindsOf(auditRecords(workspace)).at(-1)).toBe('session_ended');
  await daemon.close('test');
});

it('hookd has stopped on record also where the end of a session could not be recorded', async () => {
  const workspace = makeWorkspace();
  const daemon = await Daemon.open({ env: workspace.env });
  await start(daemon, workspace);
  failAppends((_, line) => line.includes('"kind":"session_ended"'));
  await expect(daemon.close('test')).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  expect(kindsOf(auditRecords(workspace)).at(-1)).toBe('daemon_stopped');
});

it('a start that fails after its first record says so', async () => {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-start-')), 'audit');
  const about = { version: '', node: '', mode: 'foreground', process: ownIdentity() } as const;
  const failing = openChain(audit, { writer: 'w', ...about }, () => {
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  const records = listSegments(join(audit, 'w')).flatMap(({ path }) => [...readRecords(path)]);
  expect(records.at(-1)).toMatchObject({
    kind: 'daemon_stopped',
    reason: expect.stringMatching(/^it could not be started: .*no room/),
  });
  expect(verifyAll(audit).flatMap(({ problem }) => problem ?? [])).toEqual([]);
});

it('a trial of hooks that comes to nothing ends on record', async () => {
  const workspace = makeWorkspace();
  writeFileSync(join(workspace.home, 'sessions'), 'in the way');
  const daemon = await Daemon.open({ env: workspace.env });
  const trial = daemon.tryHooks({
    ...{
      startDirectory: workspace.project,
      flags: {},
      event: 'Stop',
      fields: () => ({}),
      subject: undefined,
    },
    ...{ common: {}, signal: new AbortController().signal, tell: () => undefined },
  });
  await expect(trial).rejects.toThrow();
  await daemon.close('test');
  expect(sessionsIn(workspace).map(({ kind }) => kind)).toEqual(['session_started', 'session_ended']);
});

it('the call of a trial that breaks has a result on record', async () => {
  const workspace = makeWorkspace();
  const daemon = await Daemon.open({ env: workspace.env });
  const trial = daemon.tryHooks({
    ...{ startDirectory: workspace.project, flags: {}, event: 'PreToolUse', subject: undefined, common: {} },
    use: { id: 'call', name: 'Bash', input: { command: 'ls' } },
    fields: () => {
      throw new Error('broken');
    },
    ...{ signal: new AbortController().signal, tell: () => undefined },
  });
  await expect(trial).rejects.toThrow('broken');
  await daemon.close('test');
  expect(kindsOf(auditRecords(workspace)).slice(-3)).toEqual([
    ...['tool_result', 'session_ended', 'daemon_stopped'],
  ]);
});

it('a question that cannot be put has an answer on record, and is a denial', async () => {
  const { records, results } = await play([[toolUse('Bash', { command: 'touch asked' })], [text('ok')]], {
    approvals: { ask: () => Promise.reject(new Error('the terminal is gone')) },
  });
  expect(results).toMatchObject([{ outcome: 'denied' }]);
  expect(records.find(({ kind }) => kind === 'approval_resolved')).toMatchObject({
    answer: 'unanswered',
    why: 'the question could not be put (the terminal is gone)',
  });
});

it('an end of hookd waits for no session that is just coming up: its hooks are ended, and it ends on record', async () => {
  const workspace = makeWorkspace({
    settings: { hooks: { SessionStart: hook('touch ../begun; sleep 600') } },
  });
  const daemon = await openDaemon(workspace);
  const starting = createSession(daemon, workspace, [[text('ok')]]);
  await until(() => existsSync(join(workspace.root, 'begun')), 'the hook');
  await daemon.close('stop');
  await starting;
  const records = auditRecords(workspace);
  expect(records.find(({ kind }) => kind === 'hook_run')).toMatchObject({ end: { kind: 'interrupted' } });
  expect(kindsOf(records).slice(-2)).toEqual(['session_ended', 'daemon_stopped']);
});
