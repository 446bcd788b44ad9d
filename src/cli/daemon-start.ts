/** `hookd daemon start`: a daemon that outlives this terminal; done when its socket answers. Commands start one this way, too. */
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, HookdError, messageOf, systemCode } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { instancePlace } from '../daemon/socket-path.ts';
import { startDetached } from '../lib/subprocess.ts';
import { type Connection, connectAnyVersion } from './connection.ts';
import type { Output } from './output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartOptions {
  /** It ends itself when nobody has needed it for a while. */
  readonly endsWhenIdle: boolean;
  readonly graceSeconds?: number | undefined;
}

export interface StartedDaemon {
  readonly connection: Connection;
  /** False: one ran already. */
  readonly isNew: boolean;
}

const PATIENCE_MS = 20_000;
const LOOK_MS = 20;
const KEEP_LOG_BYTES = 1024 * 1024;
const CLIENT = 'hookd daemon start';

/** Throws DAEMON_UNREACHABLE, with its last words, when it does not come up. */
export async function startDaemon(env: Environment, options: StartOptions): Promise<StartedDaemon> {
  const running = await runningDaemon(env);
  if (running !== undefined) return { connection: running, isNew: false };
  const hookdHome = hookdHomeOf(env);
  const log = logIn(hookdHome);
  const words = fstatSync(log).size;
  const args = [...program(), ...flagsOf(options)];
  const request = { file: process.execPath, args, cwd: hookdHome, env: definedOnly(env) };
  const child = await startDetached(request, log);
  closeSync(log);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const ended = child.hasEnded();
    const connection = await runningDaemon(env);
    if (connection !== undefined) return { connection, isNew: connection.health.pid === child.pid };
    if (ended || Date.now() > deadline) throw didNotStart(hookdHome, words, ended);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

export async function startCommand(
  { env, json, ...options }: StartOptions & { readonly env: Environment; readonly json: boolean },
  output: Output,
): Promise<number> {
  const { connection, isNew } = await startDaemon(env, options);
  const { health, socketPath } = connection;
  if (json) output.result(JSON.stringify({ started: isNew, ...health, socket: socketPath }));
  else
    output.result(
      isNew
        ? `hookd ${health.version} runs (pid ${health.pid}); its socket is ${socketPath}`
        : `A daemon runs already: hookd ${health.version} (pid ${health.pid}) on ${socketPath}`,
    );
  return EXIT.done;
}

/** undefined where none answers yet. */
async function runningDaemon(env: Environment): Promise<Connection | undefined> {
  try {
    return await connectAnyVersion(env, CLIENT);
  } catch (error) {
    if (error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE') return undefined;
    throw error;
  }
}

function program(): readonly string[] {
  const script = process.argv[1];
  if (script === undefined) throw new HookdError('INTERNAL', 'The program file of hookd is unknown.');
  return [...process.execArgv, script, 'daemon', 'run'];
}

function flagsOf({ endsWhenIdle, graceSeconds }: StartOptions): readonly string[] {
  return [
    ...(endsWhenIdle ? ['--end-when-idle'] : []),
    ...(graceSeconds === undefined ? [] : ['--grace', String(graceSeconds)]),
  ];
}

export function daemonLogOf(hookdHome: string): string {
  return join(hookdHome, 'daemon.log');
}

function logIn(hookdHome: string): number {
  try {
    mkdirSync(hookdHome, { recursive: true, mode: 0o700 });
    return openLog(hookdHome);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new HookdError(
      'DAEMON_UNREACHABLE',
      `No daemon was started: its directory ${hookdHome} cannot be written (${messageOf(error)}).`,
    );
  }
}

/** One older part is kept. */
function openLog(hookdHome: string): number {
  const path = daemonLogOf(hookdHome);
  const log = openSync(path, 'a', 0o600);
  if (fstatSync(log).size < KEEP_LOG_BYTES) return log;
  closeSync(log);
  renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function didNotStart(hookdHome: string, from: number, ended: boolean): HookdError {
  const log = daemonLogOf(hookdHome);
  const said = readFileSync(log).subarray(from).toString('utf8').trim();
  const { socket } = instancePlace(hookdHome);
  const what = ended
    ? 'The daemon ended as soon as it had begun'
    : `The daemon does not answer on ${socket} after ${PATIENCE_MS / 1000} s`;
  return new HookdError(
    'DAEMON_UNREACHABLE',
    said === '' ? `${what}; it said nothing (${log}).` : `${what}. It said:\n${said}`,
  );
}
