/**
 * A small process that starts programs for a large one: forking costs as much as the memory of whoever forks, and it blocks
 * them. It opens the standard streams through `/proc/PID/fd` and holds nothing else of ours; it ends with us.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { findLost, ticksNow } from './lost-child.ts';

export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of this process: for stdin, stdout and stderr. Must stay open until `start` has resolved. */
  readonly descriptors: readonly ['ignore' | number, number, number];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Spawned {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat, read before anybody could wait for it; null where there is none. */
  readonly startTime: string | null;
  readonly exited: Promise<Exit>;
}

export type SpawnFailure =
  /** What the system said of this program; `code` as in system errors. */
  | { readonly kind: 'refused'; readonly error: Error }
  /** The spawner cannot be used here; nothing was started. */
  | { readonly kind: 'unusable' };

interface Order extends SpawnRequest {
  readonly id: number;
}
type Report =
  | { readonly id: number; readonly pid: number; readonly startTime: string | null }
  | { readonly id: number; readonly exit: Exit }
  | { readonly id: number; readonly refusal: { readonly code?: string; readonly message: string } }
  | { readonly id: number; readonly unusable: true };

interface Open {
  readonly env: SpawnRequest['env'];
  readonly since: number;
  readonly started: (result: Spawned | SpawnFailure) => void;
  pid?: number;
  exited?: (exit: Exit) => void;
}

export class Spawner {
  readonly #open = new Map<number, Open>();
  /** Ends a group whose end nobody would hear of any more. */
  readonly #abandon: (group: number) => void;
  #process: ChildProcess | undefined;
  #orders = 0;

  constructor(abandon: (group: number) => void) {
    this.#abandon = abandon;
  }

  start(request: SpawnRequest): Promise<Spawned | SpawnFailure> {
    const id = ++this.#orders;
    return new Promise((resolve) => {
      this.#open.set(id, { env: request.env, since: ticksNow(), started: resolve });
      const helper = this.#running();
      helper.channel?.ref();
      helper.send({ id, ...request } satisfies Order, (error) => {
        if (error !== null) this.#hear({ id, unusable: true });
      });
    });
  }

  close(): void {
    this.#process?.disconnect();
    this.#process = undefined;
  }

  #running(): ChildProcess {
    if (this.#process?.connected === true) return this.#process;
    const helper = spawn(process.execPath, ['-e', PROGRAM], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl-C on our terminal is not for it: it ends when we do.
      detached: true,
    });
    helper.on('message', (report) => this.#hear(report as Report));
    helper.once('error', () => this.#lose(helper));
    helper.once('exit', () => this.#lose(helper));
    helper.unref();
    this.#process = helper;
    return helper;
  }

  #hear(report: Report): void {
    const open = this.#open.get(report.id);
    if (open === undefined) return;
    if ('pid' in report) {
      open.pid = report.pid;
      const exited = new Promise<Exit>((resolve) => {
        open.exited = resolve;
      });
      open.started({ pid: report.pid, startTime: report.startTime, exited });
      return;
    }
    this.#open.delete(report.id);
    if ('exit' in report) open.exited?.(report.exit);
    else if ('unusable' in report) open.started({ kind: 'unusable' });
    else {
      const { code, message } = report.refusal;
      open.started({ kind: 'refused', error: Object.assign(new Error(message), { code }) });
    }
    if (this.#open.size === 0) this.#process?.channel?.unref();
  }

  /** What it had started can no longer be waited for: it is ended, and says so. */
  #lose(helper: ChildProcess): void {
    if (this.#process === helper) this.#process = undefined;
    for (const [id, open] of [...this.#open]) {
      this.#open.delete(id);
      if (open.pid === undefined) {
        void this.#seek(open);
      } else {
        this.#abandon(open.pid);
        open.exited?.({ code: null, signal: 'SIGKILL' });
      }
    }
  }

  /** It may run, and nobody would hear of it, or end it. */
  async #seek({ env, since, started }: Open): Promise<void> {
    const pid = await findLost({ env, since, parents: () => [this.#process?.pid] });
    if (pid === undefined) {
      const error = new Error('the process that starts programs has ended before it started this one');
      started({ kind: 'refused', error });
      return;
    }
    this.#abandon(pid);
    started({ pid, startTime: null, exited: Promise.resolve({ code: null, signal: 'SIGKILL' }) });
  }
}

/** The whole program of the spawner: it is handed over as text, so it uses nothing of this module. */
function program(load: NodeJS.Require): void {
  const { spawn: begin } = load('node:child_process') as typeof import('node:child_process');
  const { openSync, closeSync, readFileSync } = load('node:fs') as typeof import('node:fs');
  const say = (report: Report) => void process.send?.(report, () => undefined);
  const ours = process.ppid;
  const startTimeOf = (pid: number): string | null => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
    } catch {
      return null;
    }
  };
  process.on('message', (order: Order) => {
    const opened: number[] = [];
    const { id, file, args, cwd, env } = order;
    try {
      const stdio = order.descriptors.map((descriptor, index) => {
        if (descriptor === 'ignore') return descriptor;
        const copy = openSync(`/proc/${ours}/fd/${descriptor}`, index === 0 ? 'r' : 1);
        opened.push(copy);
        return copy;
      });
      const child = begin(file, [...args], { cwd, env, stdio, detached: true });
      child.once('error', (error) => {
        const { code } = error as NodeJS.ErrnoException;
        if (child.pid === undefined)
          say({ id, refusal: { ...(code === undefined ? {} : { code }), message: error.message } });
      });
      if (child.pid !== undefined) say({ id, pid: child.pid, startTime: startTimeOf(child.pid) });
      child.once('exit', (code, signal) => say({ id, exit: { code, signal } }));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Nothing was started: either the streams could not be opened here, or the system refused at once.
      if (opened.length < order.descriptors.filter((one) => one !== 'ignore').length)
        say({ id, unusable: true });
      else say({ id, refusal: { ...(code === undefined ? {} : { code }), message } });
    } finally {
      for (const copy of opened) closeSync(copy);
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
}

/** Some compilers wrap the names of inner functions in a helper that a text does not bring along. */
const PROGRAM = `const __name = (one) => one; (${program.toString()})(require);`;
