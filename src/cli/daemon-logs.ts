/** `hookd daemon logs`: what the daemon said of itself, and faults inside hookd. Never the audit: that is `hookd audit tail`. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { EXIT, HookdError } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { daemonLogOf } from './daemon-start.ts';
import type { Output } from './output.ts';

export interface LogsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly count: number;
  readonly follow: boolean;
  readonly json: boolean;
  /** Ends following. */
  readonly signal: AbortSignal;
}

const LOOK_MS = 200;
/** Of each file: more is not looked at for the last lines. */
const LOOK_BACK_BYTES = 1024 * 1024;

export async function logsCommand(options: LogsOptions, output: Output): Promise<number> {
  const { env, count, follow, json, signal } = options;
  if (!Number.isSafeInteger(count) || count < 0)
    throw new HookdError('USAGE', `-n takes a whole number from 0, not ${count}.`);
  const hookdHome = hookdHomeOf(env);
  const tails = [daemonLogOf(hookdHome), join(hookdHome, 'hookd.log')].map((path) => new Tail(path));
  if (!follow && tails.every(({ exists }) => !exists))
    output.note(`hookd: no daemon has written ${tails.map(({ path }) => path).join(' or ')} yet.`);
  const print = (tail: Tail, lines: readonly string[]): void => {
    for (const line of lines) output.result(json ? JSON.stringify({ file: tail.path, line }) : line);
  };
  for (const tail of tails) print(tail, lastOf(tail.read(), count));
  while (follow && !signal.aborted && !output.isClosed()) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    for (const tail of tails) print(tail, tail.read());
  }
  return EXIT.done;
}

function lastOf(lines: readonly string[], count: number): readonly string[] {
  return count === 0 ? [] : lines.slice(-count);
}

/** Reads a file on and on; begins again when another one has taken its name. */
class Tail {
  readonly path: string;
  #inode = 0;
  #at: number | undefined;
  #rest = '';
  #decoder = new StringDecoder('utf8');

  constructor(path: string) {
    this.path = path;
  }

  get exists(): boolean {
    return statSync(this.path, { throwIfNoEntry: false }) !== undefined;
  }

  /** The whole lines that are new. */
  read(): readonly string[] {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.ino !== this.#inode || stats.size < (this.#at ?? 0)) {
      this.#at = this.#inode === 0 ? Math.max(0, stats.size - LOOK_BACK_BYTES) : 0;
      this.#inode = stats.ino;
      this.#rest = '';
    }
    const from = this.#at ?? 0;
    const bytes = Buffer.alloc(stats.size - from);
    const file = openSync(this.path, 'r');
    const length = readSync(file, bytes, 0, bytes.length, from);
    closeSync(file);
    this.#at = from + length;
    const lines = (this.#rest + this.#decoder.write(bytes.subarray(0, length))).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}
