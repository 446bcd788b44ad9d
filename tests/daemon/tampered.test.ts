/** What stands in the directory of a session is not to be trusted: it holds up nobody, and takes nothing from whoever has it. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { fileLogger } from '../../src/lib/logger.ts';
import { readRegular } from '../../src/lib/read-regular.ts';
import { replaceFile } from '../../src/lib/replace-file.ts';
import { makeWorkspace, until, type Workspace, type WorkspaceOptions } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { createSession, openDaemon, Watcher } from '../support/live.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

function workspaceOf(options: WorkspaceOptions = {}): Workspace {
  const workspace = makeWorkspace(options);
  cleanUp.push(() => rmSync(workspace.root, { recursive: true, force: true }));
  return workspace;
}

async function daemonIn(workspace: Workspace): Promise<Daemon> {
  const daemon = await openDaemon(workspace);
  cleanUp.push(() => daemon.close('test'));
  return daemon;
}

/** A session with one turn, of a daemon that has ended; returns its id. */
async function leftSession(workspace: Workspace): Promise<string> {
  const daemon = await openDaemon(workspace);
  const session = await createSession(daemon, workspace, [[text('one')]]);
  const watcher = new Watcher(session, 0);
  await session.prompt('go');
  await watcher.next('turn_ended');
  await daemon.close('test');
  return session.id;
}

describe('a named pipe', () => {
  it('is not waited for where a file should be', () => {
    const { root } = workspaceOf();
    const path = join(root, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(() => readRegular(path)).toThrow(/pipe is not a regular file/);
  });

  it('in place of the operational log is not written to', async () => {
    const { root } = workspaceOf();
    const path = join(root, 'hookd.log');
    execFileSync('mkfifo', [path]);
    await fileLogger(path).error('a fault', new Error('of ours'));
    expect(statSync(path).isFIFO()).toBe(true);
  });

  it('in place of the files of a session holds up nobody: it is listed where it can be, and goes on', async () => {
    const workspace = workspaceOf();
    const id = await leftSession(workspace);
    for (const name of ['session.json', 'approvals.json', 'events.jsonl']) {
      const path = join(workspace.home, 'sessions', id, name);
      rmSync(path, { force: true });
      execFileSync('mkfifo', [path]);
    }
    const daemon = await daemonIn(workspace);
    expect(daemon.approvals.list()).toEqual([]);
    expect(await daemon.sessions.list()).toEqual([]);
    const session = await createSession(daemon, workspace, [[text('two')]], { resume: id as never });
    const watcher = new Watcher(session, 0);
    await session.prompt('on');
    expect((await watcher.next('turn_ended')).end.reason).toBe('completed');
    expect(await daemon.sessions.list()).toMatchObject([{ id, state: 'idle' }]);
    await watcher.leave();
  });
});

it('a file is replaced, whatever waits under the name that it has while it is written', () => {
  const { root } = workspaceOf();
  const victim = join(root, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(root, `file.${process.pid}.tmp`));
  replaceFile(join(root, 'file'), 'new');
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('new');
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

it('who comes second to a session that is just coming up takes neither its events nor its question', async () => {
  const workspace = workspaceOf();
  const first = await openDaemon(workspace);
  const asking = await createSession(first, workspace, [[toolUse('Bash', { command: 'touch asked' })]]);
  const before = new Watcher(asking, 0);
  await asking.prompt('go');
  const { approval } = await before.next('approval_requested');
  await first.close('restart');

  const command = 'touch began; until [ -e go-on ]; do sleep 0.02; done; echo \'{"systemMessage": "up"}\'';
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] };
  writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ hooks }));
  const daemon = await daemonIn(workspace);
  const model = [[text('done')]];
  const coming = createSession(daemon, workspace, model, { resume: asking.id });
  await until(() => existsSync(join(workspace.project, 'began')), 'the SessionStart hook');
  const second = createSession(daemon, workspace, model, { resume: asking.id });
  await expect(second).rejects.toMatchObject({ code: 'SESSION_LIVE' });
  mkdirSync(join(workspace.project, 'go-on'));
  const session = await coming;
  const after = new Watcher(session, 0);
  const again = (await after.next('approval_requested', 2)).approval;
  expect(again.id).toBe(approval.id);
  await session.answer(again.id, { answer: 'deny', inputDigest: again.inputDigest });
  await after.next('turn_ended');
  const directory = join(workspace.home, 'sessions', session.id);
  const kept = readFileSync(join(directory, 'events.jsonl'), 'utf8').split('\n').slice(0, -1);
  expect(kept.length).toBe(session.info.lastEventId);
  expect(readdirSync(directory).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
  await after.leave();
});

it('what is no question is not shown as one, and hides no other; what is no session is not listed', async () => {
  const workspace = workspaceOf();
  const first = await openDaemon(workspace);
  const sessions = [];
  for (const command of ['touch one', 'touch two']) {
    const session = await createSession(first, workspace, [[toolUse('Bash', { command })]]);
    const watcher = new Watcher(session, 0);
    await session.prompt('go');
    await watcher.next('approval_requested');
    sessions.push(session.id);
  }
  const [one, two] = first.approvals.list();
  await first.close('restart');
  const [id, other] = sessions.map((session) => join(workspace.home, 'sessions', session));
  const { decision, ...bare } = one ?? {};
  const odd = [
    ...[null, 1, {}, { id: 'x', inputDigest: 'y', session: one?.session }, bare],
    ...[
      { ...one, input: 'touch one' },
      { ...one, alwaysRule: 1 },
      { ...one, session: two?.session },
    ],
    { ...one, decision: { ...decision, cause: { kind: 'rule' } } },
  ];
  writeFileSync(join(id ?? '', 'approvals.json'), JSON.stringify({ v: 1, approvals: odd }));
  const path = join(other ?? '', 'session.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), title: { a: 1 } }));
  const daemon = await daemonIn(workspace);
  expect(await daemon.sessions.list()).toMatchObject([{ id: one?.session, approvals: 0 }]);
  expect(daemon.approvals.list()).toEqual([]);
  const title = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), title: 'go' });
  writeFileSync(path, title);
  const again = await daemonIn(workspace);
  expect(again.approvals.list()).toEqual([{ ...two, needsResume: true }]);
});

it('a question that came back does not take the id, and the place, of one that waits elsewhere', async () => {
  const workspace = workspaceOf();
  const first = await openDaemon(workspace);
  const ask = async (daemon: Daemon, id?: string) => {
    const turns = [[toolUse('Bash', { command: 'touch one' }, 'u1')], [text('done')]];
    const more = id === undefined ? {} : { resume: id as never };
    const session = await createSession(daemon, workspace, turns, more);
    const watcher = new Watcher(session, 0);
    if (id === undefined) await session.prompt('go');
    return { session, ...(await watcher.next('approval_requested', id === undefined ? 1 : 2)), watcher };
  };
  const left = await ask(first);
  await first.close('restart');
  const daemon = await daemonIn(workspace);
  const live = await ask(daemon);
  const path = join(workspace.home, 'sessions', left.session.id, 'approvals.json');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(left.approval.id, live.approval.id));
  const back = await ask(daemon, left.session.id);
  expect(back.approval.id).toBe(left.approval.id);
  expect(daemon.approvals.list().map(({ session }) => session)).toEqual([live.session.id, left.session.id]);
  await live.session.answer(live.approval.id, { answer: 'deny', inputDigest: live.approval.inputDigest });
  await live.watcher.next('turn_ended');
  expect(daemon.approvals.list()).toMatchObject([{ id: left.approval.id }]);
});
