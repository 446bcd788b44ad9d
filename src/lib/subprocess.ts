/**
 * The one place that starts programs. A run ends when the child exits, whoever still holds its output, or when its time
 * is up; the whole process group is then ended. What is expected to fail is a value, never a throw.
 */
import { execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ChildStreams, openStreams } from './child-streams.ts';
import { FifoPool } from './fifo.ts';
import type { KeptOutput } from './kept-output.ts';
import { endGroup, liveMembers, signalGroup } from './process-group.ts';
import { startChild } from './start-child.ts';
import { startTimer } from './timer.ts';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;
/** How long we wait for a killed child: one that hangs in the kernel does not even die of SIGKILL. */
const KILL_WAIT_MS = 2_000;

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** What the child reads; nothing by default. */
  readonly stdin?: string;
  /** `merged`: both go through one FIFO, so that their order is kept, and all of it is in `stdout`. */
  readonly streams: 'merged' | 'separate';
  /** Characters kept of each stream, half of them from its end. */
  readonly keepCharacters: number;
  /** Is handed what arrives on stdout, in a buffer that is used again: it must be done with it when it returns. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** Bytes of a stream after which the child's group is ended; by default it may write for ever. */
  readonly limitBytes?: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called as soon as the child exists. When it throws, the child's group is killed and `runProcess` throws the same. */
  readonly onStarted?: (child: StartedChild) => void;
}

export interface StartedChild {
  readonly pid: number;
  readonly processGroup: number;
  /** Field 22 of /proc/PID/stat; null where there is none. */
  readonly startTime: string | null;
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'notStarted'; readonly message: string };

export interface ProcessResult {
  readonly end: ProcessEnd;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  /** True when a part of the output was not kept, or when the child wrote more than it might. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Members of the child's process group that still run; null where nothing can tell. */
  readonly survivors: number | null;
}

const fifos = new FifoPool(makeFifos);

export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const began = performance.now();
  const outcome = await runWithStreams(request);
  return { ...outcome, durationMs: Math.round(performance.now() - began) };
}

type Outcome = Omit<ProcessResult, 'durationMs'>;

async function runWithStreams(request: ProcessRequest): Promise<Outcome> {
  let streams: ChildStreams;
  const flooded = new AbortController();
  try {
    streams = await openStreams(fifos, request, () => flooded.abort());
  } catch (error) {
    return withoutOutput({
      kind: 'notStarted',
      message: `its streams could not be opened: ${textOf(error)}`,
    });
  }
  try {
    if (request.signal.aborted) return withoutOutput({ kind: 'interrupted' });
    const { end, survivors } = await runChild(request, streams, flooded.signal);
    const output = streams.finish();
    const truncated = flooded.signal.aborted || output.stdout.omitted + output.stderr.omitted > 0;
    return { end, ...output, truncated, survivors };
  } finally {
    streams.close();
  }
}

async function runChild(
  request: ProcessRequest,
  streams: ChildStreams,
  flooded: AbortSignal,
): Promise<{ end: ProcessEnd; survivors: number | null }> {
  if ([request.file, ...request.args].some((argument) => argument.includes('\0'))) {
    return { end: { kind: 'notStarted', message: 'an argument holds a NUL character' }, survivors: 0 };
  }
  const child = await startChild({
    file: request.file,
    args: request.args,
    cwd: request.cwd,
    env: request.env,
    descriptors: streams.descriptors,
  });
  if (child instanceof Error) return { end: await notStarted(child, request), survivors: 0 };
  const { pid: group, startTime, exited } = child;
  endWithUs(group);
  try {
    request.onStarted?.({ pid: group, processGroup: group, startTime });
  } catch (error) {
    signalGroup(group, 'SIGKILL');
    await firstOf(exited, KILL_WAIT_MS);
    // Its children die in their own time: the caller is told when they have.
    await endGroup(group, 0, KILL_WAIT_MS);
    stillRunning.delete(group);
    throw error;
  }
  const first = await firstOf(exited, request.timeoutMs, [request.signal, flooded]);
  const stopped = first.kind === 'timedOut' || first.kind === 'interrupted';
  if (stopped) await endGroup(group, GRACE_MS, KILL_WAIT_MS);
  // A child that was not waited for stays a zombie. One that was stopped for what it wrote has an end of its own.
  const last = stopped ? await firstOf(exited, KILL_WAIT_MS) : first;
  stillRunning.delete(group);
  const end = first.kind === 'interrupted' && !request.signal.aborted ? last : first;
  return { end, survivors: liveMembers(group) };
}

/** A program that reads a pipe for as long as it lives, in a group of its own. Throws where the system refuses at once. */
export function startFed(request: Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env'>) {
  const { file, args, cwd, env } = request;
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  const group = child.pid;
  if (group !== undefined) {
    endWithUs(group);
    child.once('exit', () => stillRunning.delete(group));
  }
  return child;
}

/** A program that outlives us, in a session of its own, with its output in an open file. Throws when it cannot be started. */
export async function startDetached(
  { file, args, cwd, env }: Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env'>,
  output: number,
): Promise<{ readonly pid: number; readonly hasEnded: () => boolean }> {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', output, output], detached: true });
  if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
  child.unref();
  return { pid: child.pid, hasEnded: () => child.exitCode !== null || child.signalCode !== null };
}

/** The child's end, or what came first: the time was up, or somebody interrupted. */
function firstOf(
  exited: Promise<ProcessEnd>,
  timeoutMs: number,
  signals: readonly AbortSignal[] = [],
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const settle = (end: ProcessEnd) => {
      stopTimer();
      for (const signal of signals) signal.removeEventListener('abort', interrupt);
      resolve(end);
    };
    const interrupt = () => settle({ kind: 'interrupted' });
    const stopTimer = startTimer(timeoutMs, () => settle({ kind: 'timedOut' }));
    for (const signal of signals) signal.addEventListener('abort', interrupt);
    if (signals.some((signal) => signal.aborted)) interrupt();
    void exited.then(settle);
  });
}

async function notStarted(cause: unknown, request: ProcessRequest): Promise<ProcessEnd> {
  return { kind: 'notStarted', message: await whyNotStarted(cause, request) };
}

async function whyNotStarted(cause: unknown, { file, cwd }: ProcessRequest): Promise<string> {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'E2BIG') return `the arguments of ${file} are longer than the system allows`;
  if (code === 'EACCES') return `${file} may not be executed`;
  // The system reports a missing directory as if the program were missing.
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const isDirectory = await stat(cwd).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    return isDirectory ? `${file} was not found on the PATH` : `the directory ${cwd} does not exist`;
  }
  return textOf(cause);
}

function withoutOutput(end: ProcessEnd): Outcome {
  const nothing = { first: '', last: '', omitted: 0 };
  return { end, stdout: nothing, stderr: nothing, truncated: false, survivors: 0 };
}

const stillRunning = new Set<number>();
let watchesExit = false;

/** Kills a group when we exit first: a detached child outlives its parent. */
function endWithUs(group: number): void {
  stillRunning.add(group);
  if (watchesExit) return;
  watchesExit = true;
  process.on('exit', () => {
    for (const running of stillRunning) signalGroup(running, 'SIGKILL');
  });
}

async function makeFifos(paths: readonly string[]): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', '--', ...paths], { env });
  } catch (error) {
    // Node's own message repeats all the paths; what mkfifo says of the first is enough.
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw said === '' ? error : new Error(said.split('\n', 1)[0], { cause: error });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
