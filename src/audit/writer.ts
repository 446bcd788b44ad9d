/**
 * Appends records to one chain and says when they are recorded and when they are durable.
 *
 * Invariants: `append` returns only when the bytes are with the kernel, `durable` only after an fdatasync that began
 * later than the last append. After a failed write or sync nothing is ever written to that file again: the next append
 * opens a new segment, which continues from the last durable record and repeats what was not durable.
 */
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { HookdError, systemCode } from '../core/errors.ts';
import { type Link, NO_PREVIOUS, sealLine } from './chain.ts';
import { secureDirectory } from './directory.ts';
import { quietly, Segment, syncDirectory, unavailable } from './segment.ts';

/** A record without its place in the chain, as a JSON object text: after a failure it gets another place. */
export type Body = string;

export interface Head extends Link {
  readonly file: string;
}

export class AuditWriter {
  readonly directory: string;
  readonly #now: () => Date;
  #segment: Segment;
  #number = 1;
  #last: Link = { seq: 0, hash: NO_PREVIOUS };
  /** The last record that fdatasync has confirmed, and all bodies after it. */
  #durable: Link = this.#last;
  #pending: Body[] = [];
  #failure: HookdError | undefined;
  #syncing: Promise<void> | undefined;
  #ended = false;

  private constructor(directory: string, segment: Segment, now: () => Date) {
    this.directory = directory;
    this.#segment = segment;
    this.#now = now;
  }

  /**
   * Creates `directory` (0700), which must be new: no two processes ever write one chain. A failure leaves no
   * directory. Throws AUDIT_UNAVAILABLE.
   */
  static create(directory: string, now: () => Date = () => new Date()): AuditWriter {
    const parent = dirname(directory);
    try {
      secureDirectory(parent);
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      throw unavailable('create', directory, error);
    }
    try {
      syncDirectory(parent);
      return new AuditWriter(directory, Segment.create(directory, 1), now);
    } catch (error) {
      quietly(() => rmdirSync(directory));
      throw error instanceof HookdError ? error : unavailable('create', directory, error);
    }
  }

  get head(): Head {
    return { ...this.#last, file: this.#segment.path };
  }

  /** Throws AUDIT_UNAVAILABLE when the record could not be written: then it is not part of the chain. */
  append(body: Body): Link {
    this.#refuseWhenEnded();
    if (this.#failure !== undefined) this.#continueInNewSegment(this.#failure);
    this.#write(body);
    return this.#last;
  }

  /** Resolves when everything appended so far survives a power loss. One sync serves all who wait. Throws AUDIT_*. */
  async durable(): Promise<void> {
    this.#refuseWhenEnded();
    const wanted = this.#last.seq;
    for (;;) {
      // Looked at in every round: others write while we wait, and their failure may have moved us to a new file.
      if (this.#failure !== undefined) this.#continueInNewSegment(this.#failure);
      this.#check();
      if (this.#durable.seq >= wanted) return;
      this.#syncing ??= this.#sync();
      await this.#syncing;
    }
  }

  /** After it nothing can be appended. When it throws, the chain is not ended: the next append or close tries again. */
  async close(): Promise<void> {
    if (this.#ended) return;
    try {
      await this.durable();
      this.#ended = true;
    } finally {
      this.#segment.close();
    }
  }

  /** Ends a chain that never got its first record and removes it; a chain with records only lets go of its file. */
  discard(): void {
    this.#ended = true;
    this.#segment.close();
    if (this.#last.seq > 0 || this.#pending.length > 0) return;
    quietly(() => rmSync(this.#segment.path));
    quietly(() => rmdirSync(this.directory));
  }

  #write(body: Body): void {
    const seq = this.#last.seq + 1;
    const { line, hash } = sealLine(seq, this.#last.hash, body);
    try {
      this.#segment.append(Buffer.from(`${line}\n`));
    } catch (error) {
      throw this.#fail(error);
    }
    this.#last = { seq, hash };
    this.#pending.push(body);
  }

  async #sync(): Promise<void> {
    const reached = this.#last;
    const segment = this.#segment;
    try {
      await segment.sync();
      if (segment !== this.#segment) return; // the file failed meanwhile; its successor repeats the records
      this.#pending = this.#pending.slice(reached.seq - this.#durable.seq);
      this.#durable = reached;
    } catch (error) {
      if (segment === this.#segment) throw this.#fail(error);
    } finally {
      this.#syncing = undefined;
    }
  }

  #check(): void {
    try {
      this.#segment.check();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(error: unknown): unknown {
    const failure = error instanceof HookdError ? error : unavailable('use', this.#segment.path, error);
    this.#failure = failure;
    return failure;
  }

  #refuseWhenEnded(): void {
    if (this.#ended) throw unavailable('write', this.#segment.path, 'the chain has ended');
  }

  #continueInNewSegment(failure: HookdError): void {
    const abandoned = this.#segment;
    const { segment, number } = this.#createNext();
    const repeated = this.#pending;
    this.#segment = segment;
    this.#number = number;
    this.#last = this.#durable;
    this.#pending = [];
    this.#failure = undefined;
    abandoned.close();
    try {
      this.#write(this.#segmentStarted(failure, abandoned, repeated.length));
      for (const body of repeated) this.#write(body);
    } catch (error) {
      // Nothing of the new file was acknowledged: the one after it starts from the same place.
      this.#last = this.#durable;
      this.#pending = repeated;
      throw error;
    }
  }

  /** A number that is taken (by somebody else, or by an attempt of ours that could not be taken back) is left out. */
  #createNext(): { segment: Segment; number: number } {
    for (let number = this.#number + 1; ; number++) {
      try {
        return { segment: Segment.create(this.directory, number), number };
      } catch (error) {
        const isTaken = error instanceof HookdError && systemCode(error.cause) === 'EEXIST';
        if (!isTaken) throw error;
      }
    }
  }

  #segmentStarted(failure: HookdError, abandoned: Segment, repeated: number): Body {
    return JSON.stringify({
      time: this.#now().toISOString(),
      kind: 'segment_started',
      reason: failure.code,
      detail: failure.message,
      after: this.#durable.hash,
      abandoned: basename(abandoned.path),
      repeated,
    });
  }
}
