/** One daemon a user: its place is private, and of several that start at once exactly one is served. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimInstance } from '../../src/daemon/instance.ts';
import { instancePlace } from '../../src/daemon/socket-path.ts';
import { ownIdentity } from '../../src/lib/proc.ts';
import { startTestDaemon } from '../support/daemon.ts';
import { makeWorkspace } from '../support/hookd.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

describe('the place of a daemon', () => {
  it('is a socket that only its user can open, in a directory that only they can enter', async () => {
    const before = process.umask(0);
    try {
      const daemon = await startTestDaemon();
      const { home } = daemon.workspace;
      expect(daemon.served.socket).toBe(join(home, 'run/hookd.sock'));
      expect([modeOf(join(home, 'run')), modeOf(daemon.served.socket)]).toEqual(['700', '600']);
      expect(readFileSync(join(home, 'run/hookd.pid'), 'utf8')).toBe(`${process.pid}\n`);
      await daemon.stop();
      expect(readdirSync(join(home, 'run')).filter((name) => name.startsWith('hookd'))).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  it('has a short path where the usual one is too long for a socket, and leaves nothing there', async () => {
    const workspace = makeWorkspace();
    const home = join(workspace.root, 'd'.repeat(90), '.hookd');
    mkdirSync(home, { recursive: true });
    const daemon = await startTestDaemon({
      workspace: { ...workspace, home, env: { ...workspace.env, HOOKD_HOME: home } },
    });
    const { socket } = daemon.served;
    expect(socket).toMatch(/^\/tmp\/hookd-\d+-[0-9a-f]{16}\/hookd\.sock$/);
    expect([modeOf(join(socket, '..')), modeOf(socket)]).toEqual(['700', '600']);
    await daemon.stop();
    expect(() => statSync(join(socket, '..'))).toThrow(/ENOENT/);
  });

  it('is refused where others could change it', async () => {
    const { home } = makeWorkspace();
    const { directory } = instancePlace(home);
    mkdirSync(directory);
    chmodSync(directory, 0o777);
    await expect(claimInstance(home)).rejects.toThrow(/may be written by others \(mode 0777\)/);
    rmSync(directory, { recursive: true });
    symlinkSync('/tmp', directory);
    await expect(claimInstance(home)).rejects.toThrow(/is a symbolic link/);
    rmSync(directory);
    writeFileSync(directory, '');
    await expect(claimInstance(home)).rejects.toThrow(/is no directory/);
    rmSync(directory);
    mkdirSync(instancePlace(home).socket, { recursive: true });
    await expect(claimInstance(home)).rejects.toThrow(/hookd\.sock is no socket/);
  });
});

describe('another user', () => {
  const isRoot = process.geteuid?.() === 0;
  it.skipIf(!isRoot)('can neither connect nor start a daemon in this home (needs root)', async () => {
    const daemon = await startTestDaemon();
    const { root, home } = daemon.workspace;
    // All that lies above the place is open, and the directory itself: the socket alone must hold.
    for (const path of [root, join(home, '..'), home, join(home, 'run')]) chmodSync(path, 0o755);
    const NOBODY = 65_534;
    const asNobody = <T>(act: () => T): T => {
      process.seteuid?.(NOBODY);
      try {
        return act();
      } finally {
        process.seteuid?.(0);
      }
    };
    const failure = new Promise<unknown>((resolve) => {
      const socket = asNobody(() => connect(daemon.served.socket));
      socket.on('error', resolve);
      socket.on('connect', () => resolve('connected'));
    });
    expect(await failure).toMatchObject({ code: 'EACCES' });
    await expect(asNobody(() => claimInstance(home))).rejects.toThrow(
      /belongs to user 0, and this is user 65534/,
    );
    await daemon.stop();
  });
});

describe('the lock of a daemon', () => {
  it('is held by exactly one, and free again after its end', async () => {
    const { home } = makeWorkspace();
    const claims = await Promise.allSettled(Array.from({ length: 5 }, () => claimInstance(home)));
    const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
    expect(won).toHaveLength(1);
    for (const claim of claims)
      if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ code: 'DAEMON_RUNNING' });
    won[0]?.release();
    const next = await claimInstance(home);
    next.release();
  });

  it('is taken over from a process that is gone, with its socket', async () => {
    const { home } = makeWorkspace();
    const { directory, socket } = instancePlace(home);
    mkdirSync(directory, { mode: 0o700 });
    const gone = { ...ownIdentity(), startTime: '1' };
    writeFileSync(join(directory, 'lock.7'), JSON.stringify(gone));
    // A socket that nobody listens on, as kill -9 leaves it.
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(directory, 'x.sock'), resolve));
    renameSync(join(directory, 'x.sock'), socket);
    await new Promise((resolve) => server.close(resolve));
    expect(statSync(socket).isSocket()).toBe(true);
    const instance = await claimInstance(home);
    expect(readdirSync(directory)).toEqual(['lock.8']);
    instance.release();
  });

  it('is not taken from one that lives', async () => {
    const { home } = makeWorkspace();
    const { directory } = instancePlace(home);
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(join(directory, 'lock.3'), JSON.stringify(ownIdentity()));
    await expect(claimInstance(home)).rejects.toThrow(`(pid ${process.pid})`);
  });

  it('holds nobody when a power loss has torn it', async () => {
    const { home } = makeWorkspace();
    const { directory } = instancePlace(home);
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(join(directory, 'lock.3'), '{"pid":12');
    const instance = await claimInstance(home);
    instance.release();
  });
});
