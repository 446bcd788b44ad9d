/** The standard streams of one child: a file or nothing to read, FIFOs to write to. All three can be opened by name. */
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fifo, FifoPool } from './fifo.ts';
import { type KeptOutput, OutputKeeper } from './kept-output.ts';

export interface ChildStreams {
  /** For stdin, stdout and stderr. */
  readonly descriptors: readonly ['ignore' | number, number, number];
  /** Takes what is still in the pipes and gives all that was kept. Merged output is in `stdout`. */
  finish(): { readonly stdout: KeptOutput; readonly stderr: KeptOutput };
  close(): void;
}

interface StreamsRequest {
  readonly stdin?: string;
  readonly streams: 'merged' | 'separate';
  readonly keepCharacters: number;
}

export async function openStreams(fifos: FifoPool, request: StreamsRequest): Promise<ChildStreams> {
  const stdin = request.stdin === undefined ? 'ignore' : await openPayload(request.stdin);
  const open: Fifo[] = [];
  const close = () => {
    for (const fifo of open) fifo.close();
    if (stdin !== 'ignore') closeSync(stdin);
  };
  const openOutput = async () => {
    const fifo = await fifos.take();
    open.push(fifo);
    const keeper = new OutputKeeper(request.keepCharacters);
    fifo.read((chunk) => keeper.add(chunk));
    return { fifo, keeper };
  };
  try {
    const stdout = await openOutput();
    const stderr = request.streams === 'merged' ? undefined : await openOutput();
    return {
      descriptors: [stdin, stdout.fifo.writer, (stderr ?? stdout).fifo.writer],
      finish() {
        for (const fifo of open) fifo.drain();
        return {
          stdout: stdout.keeper.finish(),
          stderr: stderr?.keeper.finish() ?? { first: '', last: '', omitted: 0 },
        };
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A regular file that has no name any more: a FIFO would block whoever opens it a second time. In memory where possible. */
async function openPayload(payload: string): Promise<number> {
  const directory = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hookd-stdin-'));
  try {
    const path = join(directory, 'payload');
    writeFileSync(path, payload, { mode: 0o600, flag: 'wx' });
    return openSync(path, 'r');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
