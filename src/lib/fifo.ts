/**
 * FIFOs for the output of children: made in batches, opened, and unlinked at once, so that nothing is left on the disk.
 * A child can open its end again by name (/dev/stdout), which it cannot do with the sockets that Node calls pipes.
 * The socket class is the event loop's reader of any descriptor; nothing here touches a network.
 */
import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { join } from 'node:path';
import { madeForAMoment, OURS } from './in-memory.ts';

/** Starting `mkfifo` costs as much as a hook, which takes two, so one run of it makes many. */
const BATCH = 64;
const CHUNK_BYTES = 64 * 1024;
/** The most that a pipe can hold when an unprivileged process has enlarged it. */
const DRAIN_BYTES = 1024 * 1024;
/** Most children have ended by then, and what they wrote is still in the pipe: they need no reader in the event loop. */
const READER_AFTER_MS = 20;

/** One for all: what is read is handed over before anything else is read. */
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

type OnChunk = (chunk: Uint8Array) => void;

export class Fifo {
  /** The child's end. We keep it open too: the reader then never sees an end of file that is not the child's exit. */
  readonly writer: number;
  readonly #reader: number;
  #socket: Socket | undefined;
  #readerTimer: NodeJS.Timeout | undefined;
  #onChunk: OnChunk | undefined;

  constructor(reader: number, writer: number) {
    this.#reader = reader;
    this.writer = writer;
  }

  /**
   * Hands over what arrives, in a buffer that all share: the receiver must be done with it when it returns. A moment after
   * it was written; until then the pipe keeps it, and who writes more than that waits.
   */
  read(onChunk: OnChunk): void {
    this.#onChunk = onChunk;
    this.#readerTimer = setTimeout(() => this.#startReader(onChunk), READER_AFTER_MS);
  }

  #startReader(onChunk: OnChunk): void {
    const options: SocketConstructorOpts & ConnectOpts = {
      fd: this.#reader,
      readable: true,
      writable: false,
      onread: {
        buffer: chunk,
        callback: (length) => {
          onChunk(chunk.subarray(0, length));
          return true;
        },
      },
    };
    this.#socket = new Socket(options);
    // A read error of a FIFO that we hold open ourselves leaves nothing to do: the child's exit still ends the run.
    this.#socket.on('error', () => {});
  }

  /** Takes what is in the pipe now, without waiting. Bounded: somebody may go on writing for ever. */
  drain(): void {
    for (let taken = 0; taken < DRAIN_BYTES; ) {
      const length = readNow(this.#reader);
      if (length === 0) return;
      this.#onChunk?.(chunk.subarray(0, length));
      taken += length;
    }
  }

  close(): void {
    clearTimeout(this.#readerTimer);
    closeSync(this.writer);
    if (this.#socket === undefined) closeSync(this.#reader);
    else this.#socket.destroy();
  }
}

/** Keeps opened FIFOs ready; each is used once, because a survivor of its run may still hold it. */
export class FifoPool {
  readonly #makeFifos: (paths: readonly string[]) => Promise<void>;
  readonly #ready: Fifo[] = [];
  #making: Promise<void> | undefined;

  /** `makeFifos` creates them on the disk; it is handed in because only one module starts programs. */
  constructor(makeFifos: (paths: readonly string[]) => Promise<void>) {
    this.#makeFifos = makeFifos;
  }

  async take(): Promise<Fifo> {
    for (;;) {
      const fifo = this.#ready.pop();
      if (fifo !== undefined) return fifo;
      this.#making ??= madeForAMoment((place) => this.#fill(place)).finally(() => {
        this.#making = undefined;
      });
      await this.#making;
    }
  }

  async #fill(place: string): Promise<void> {
    const directory = await mkdtemp(join(place, `${OURS}fifo-`));
    try {
      const paths = Array.from({ length: BATCH }, (_, index) => join(directory, String(index)));
      await this.#makeFifos(paths);
      for (const path of paths) this.#ready.push(openFifo(path));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

/** The reader first, without blocking: the writer's open would otherwise wait for it. */
function openFifo(path: string): Fifo {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return new Fifo(reader, openSync(path, constants.O_WRONLY));
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}

function readNow(descriptor: number): number {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, null);
  } catch {
    // EAGAIN: the pipe is empty.
    return 0;
  }
}
