/**
 * Has the pieces of a log checked, in several threads where it is a large one. Nothing depends on the other threads: a
 * piece of which one of them does not tell in time is checked here. Without any waiting for events, so that who verifies
 * need not wait either: the threads share counters, and what they find is fetched.
 */
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { MOST_BYTES, type Stretch } from './check-piece.ts';
import { type Errand, type Finding, PieceList, type PlannedFile } from './piece-list.ts';

/** More would wait for the disk, and leave nothing of the machine to others. */
const MOST_THREADS = 4;
const PIECE_BYTES = 1024 * 1024;
/** Of fewer, a thread would hardly have begun before all is done. */
const LEAST_SHARED_BYTES = 16 * 1024 * 1024;
/** How many pieces this thread goes on before it waits for one that another has taken. */
const WINDOW = 8;
/** Many times what a piece takes. */
const PATIENCE_MS = 1000;
/** Run from its sources hookd has none: starting the compiler in a thread would take longer than most logs. */
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./check-worker.js', import.meta.url);

/** Other ways to do the same, for tests and measurements. */
export interface How {
  /** 1: all in this one; 0: line after line, no pieces. By default more for a large log, where there are processors. */
  readonly threads?: number;
  readonly pieceBytes?: number;
  /** Starts another thread. */
  readonly help?: (errand: Errand) => void;
  readonly patienceMs?: number;
}

/** Starts a thread of this program, the built form of `check-worker.ts`. Throws where the system has none to give. */
export function startWorker(program: URL, errand: Errand): void {
  const worker = new Worker(program, { workerData: errand, transferList: [errand.port] });
  // What it does not do is done by who waits for it.
  worker.on('error', () => undefined);
  worker.unref();
}

/** Has `files` checked while `act` asks for them, in this order. Throws what `act` throws, and nothing else. */
export function checking<Result>(
  files: readonly PlannedFile[],
  how: How | undefined,
  act: (ahead: CheckAhead) => Result,
): Result {
  const ahead = new CheckAhead(files, how);
  try {
    return act(ahead);
  } finally {
    ahead.close();
  }
}

export class CheckAhead {
  readonly #pieces: PieceList;
  readonly #pieceBytes: number;
  readonly #fileOf: ReadonlyMap<string, number>;
  readonly #ports: MessagePort[] = [];
  readonly #found = new Map<number, Stretch | undefined>();
  #patienceMs: number;

  constructor(files: readonly PlannedFile[], how: How = {}) {
    const { pieceBytes = PIECE_BYTES, patienceMs = PATIENCE_MS } = how;
    const threads = how.threads ?? threadsFor(files);
    const planned = threads === 0 ? [] : files;
    const shared = PieceList.sharedCounters();
    this.#patienceMs = patienceMs;
    this.#pieceBytes = pieceBytes;
    this.#pieces = new PieceList(planned, pieceBytes, shared);
    this.#fileOf = new Map(planned.map(({ path }, index) => [path, index]));
    for (let thread = 1; thread < threads; thread++) this.#help({ files, pieceBytes, shared }, how);
  }

  /**
   * What was found of each piece of a file, in order: undefined for one of which there is nothing to say. Not of more such
   * ones in a row than a line can fill that is checked in pieces: a file can be a hole of any size.
   */
  *stretches(path: string): Generator<Stretch | undefined> {
    const file = this.#fileOf.get(path);
    if (file === undefined) return;
    const [first, end] = this.#pieces.range(file);
    this.#pieces.skipTo(first);
    let silentBytes = 0;
    for (let index = first; index < end && silentBytes <= MOST_BYTES; index++) {
      const stretch = this.#get(index);
      silentBytes = stretch === undefined ? silentBytes + this.#pieceBytes : 0;
      yield stretch;
    }
  }

  /** Ends the other threads, each after the piece that it has begun. */
  close(): void {
    this.#pieces.skipTo();
    for (const port of this.#ports) port.close();
  }

  #help(errand: Omit<Errand, 'port'>, { help = helpOf(WORKER) }: How): void {
    const { port1, port2 } = new MessageChannel();
    this.#ports.push(port1);
    try {
      help?.({ ...errand, port: port2 });
    } catch {
      // Then all is done here.
    }
  }

  #get(index: number): Stretch | undefined {
    for (;;) {
      const { done } = this.#pieces;
      this.#fetch();
      if (this.#found.has(index)) {
        const stretch = this.#found.get(index);
        this.#found.delete(index);
        return stretch;
      }
      if (this.#pieces.taken < Math.min(index + WINDOW, this.#pieces.length)) {
        const mine = this.#pieces.take();
        this.#found.set(mine, this.#pieces.check(mine));
      } else {
        if (this.#pieces.wait(done, this.#patienceMs)) continue;
        // It has ended, or stands still: it is not waited for again.
        this.#patienceMs = 0;
        return this.#pieces.check(index);
      }
    }
  }

  #fetch(): void {
    for (const port of this.#ports)
      for (let one = receiveMessageOnPort(port); one !== undefined; one = receiveMessageOnPort(port)) {
        const { index, stretch } = one.message as Finding;
        this.#found.set(index, stretch);
      }
  }
}

function threadsFor(files: readonly PlannedFile[]): number {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytes < LEAST_SHARED_BYTES ? 1 : Math.min(availableParallelism(), MOST_THREADS);
}

function helpOf(program: URL | undefined): How['help'] {
  return program && ((errand) => startWorker(program, errand));
}
