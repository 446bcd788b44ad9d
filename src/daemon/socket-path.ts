/** Where the daemon of one user listens: daemon and clients find the same place from HOOKD_HOME alone. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface InstancePlace {
  /** Locks, pid file and, where its path is short enough, the socket. */
  readonly directory: string;
  readonly socket: string;
  /** Of the socket: `directory`, or one of our own elsewhere. */
  readonly socketDirectory: string;
  readonly pidFile: string;
}

/** The system's limit for the path of a socket, in bytes. */
const LONGEST = 107;

/**
 * A path that is too long is replaced by one that depends on nothing but user and home: a variable of the environment
 * may differ between the daemon and a client.
 */
export function instancePlace(hookdHome: string): InstancePlace {
  const directory = join(resolved(hookdHome), 'run');
  const usual = join(directory, 'hookd.sock');
  const socket = Buffer.byteLength(usual) <= LONGEST ? usual : join(elsewhere(directory), 'hookd.sock');
  return { directory, socket, socketDirectory: dirname(socket), pidFile: join(directory, 'hookd.pid') };
}

function elsewhere(directory: string): string {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return `/tmp/hookd-${process.geteuid?.() ?? 0}-${digest}`;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
