/** One daemon a user: a private directory, a lock, and only then the socket; a dead one's socket is removed under the lock. */
import { chmodSync, lstatSync, mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { HookdError } from '../core/errors.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { type InstancePlace, instancePlace } from './socket-path.ts';

export interface Instance {
  readonly place: InstancePlace;
  /** Says whose process it is, once the socket answers. */
  announce(): void;
  /** After the server has closed: the next daemon may start. */
  release(): void;
}

const PROBE_MS = 2_000;

/** Throws DAEMON_RUNNING when there is one, USAGE where the place is not ours alone. */
export async function claimInstance(hookdHome: string): Promise<Instance> {
  mkdirSync(hookdHome, { recursive: true, mode: 0o700 });
  assertOurs(hookdHome);
  const place = instancePlace(hookdHome);
  makePrivate(place.directory);
  makePrivate(place.socketDirectory);
  const attempt = await takeInstanceLock(place.directory, () => answers(place.socket));
  if (!attempt.ok) {
    const { pid } = attempt.holder;
    throw new HookdError('DAEMON_RUNNING', `A hookd daemon of ${hookdHome} runs already (pid ${pid}).`);
  }
  const { lock } = attempt;
  try {
    removeStaleSocket(place.socket);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    place,
    announce: () => writeFileSync(place.pidFile, `${process.pid}\n`, { mode: 0o600 }),
    release() {
      rmSync(place.pidFile, { force: true });
      rmSync(place.socket, { force: true });
      if (place.socketDirectory !== place.directory) removeIfEmpty(place.socketDirectory);
      lock.release();
    },
  };
}

/** True when somebody takes connections there. */
export function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    const settle = (answer: boolean) => {
      probe.destroy();
      resolve(answer);
    };
    probe.setTimeout(PROBE_MS, () => settle(false));
    probe.once('connect', () => settle(true));
    probe.once('error', () => settle(false));
  });
}

/** Another user's home would make our daemon write there, and read their settings with our authority. */
function assertOurs(hookdHome: string): void {
  const { uid } = statSync(hookdHome);
  const own = process.geteuid?.() ?? uid;
  if (uid === own) return;
  throw new HookdError(
    'USAGE',
    `HOOKD_HOME ${hookdHome} belongs to user ${uid}, and this is user ${own}. A daemon starts in its own user's home only: set HOOKD_HOME, or start it as that user.`,
  );
}

function makePrivate(directory: string): void {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) mkdirSync(directory, { mode: 0o700 });
  const stats = lstatSync(directory);
  const own = process.geteuid?.() ?? stats.uid;
  const refuse = (what: string): never => {
    throw new HookdError(
      'USAGE',
      `${directory} ${what}. It holds the daemon's socket and must be a directory of yours that nobody else can change: look at it, then remove it.`,
    );
  };
  if (!stats.isDirectory()) refuse(stats.isSymbolicLink() ? 'is a symbolic link' : 'is no directory');
  if (stats.uid !== own) refuse(`belongs to user ${stats.uid}, and this is user ${own}`);
  const mode = stats.mode & 0o7777;
  if ((mode & 0o022) !== 0) refuse(`may be written by others (mode ${mode.toString(8).padStart(4, '0')})`);
  if (mode !== 0o700) chmodSync(directory, 0o700);
}

function removeStaleSocket(socket: string): void {
  const stats = lstatSync(socket, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket())
    throw new HookdError(
      'USAGE',
      `${socket} is no socket. Look at it, then remove it: the daemon's goes there.`,
    );
  rmSync(socket, { force: true });
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // something else lies in it: not ours to remove
  }
}
