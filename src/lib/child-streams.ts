/** The standard streams of one child: a file or nothing to read, FIFOs to write to. All three can be opened by name. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fifo, FifoPool } from './fifo.ts';
import { madeForAMoment, OURS } from './in-memory.ts';
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
  readonly limitBytes?: number;
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/** `onFlood` is called when a stream has had more bytes than the limit, perhaps several times. */
export async function openStreams(
  fifos: FifoPool,
  request: StreamsRequest,
  onFlood: () => void,
): Promise<ChildStreams> {
  const { limitBytes = Number.POSITIVE_INFINITY } = request;
  const stdin = request.stdin === undefined ? 'ignore' : await openPayload(request.stdin);
  const open: Fifo[] = [];
  const close = () => {
    for (const fifo of open) fifo.close();
    if (stdin !== 'ignore') closeSync(stdin);
  };
  const openOutput = async (onOutput?: (chunk: Uint8Array) => void) => {
    const fifo = await fifos.take();
    open.push(fifo);
    const keeper = new OutputKeeper(request.keepCharacters);
    let bytes = 0;
    fifo.read((chunk) => {
      keeper.add(chunk);
      onOutput?.(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) onFlood();
    });
    return { fifo, keeper };
  };
  try {
    const stdout = await openOutput(request.onOutput);
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

/**
 * A regular file that has no name any more: a FIFO would block whoever opens it a second time. In memory where possible.
 * Its name is never guessed or followed: it is random, and the file must not have been there.
 */
function openPayload(payload: string): Promise<number> {
  return madeForAMoment((place) => openText(join(place, `${OURS}stdin-${randomUUID()}`), payload));
}

function openText(path: string, text: string): number {
  const writer = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(writer, text);
    return openSync(path, 'r');
  } finally {
    closeSync(writer);
    unlinkSync(path);
  }
}
