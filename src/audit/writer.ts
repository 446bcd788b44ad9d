/**
 * Appends records to one chain and says when they are recorded and when they are durable.
 *
 * Invariants: `append` returns only when the bytes are with the kernel, `durable` only after an fdatasync that began
 * later than the last append. After a failed write or sync nothing is ever written to that file again: the next append
 * opens a new segment, which continues from the last durable record and repeats what was not durable.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { HookdError } from '../core/errors.ts';
import { type Link, NO_PREVIOUS, sealLine } from './chain.ts';
import { Segment, segmentName, syncDirectory, unavailable } from './segment.ts';

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

  private constructor(directory: string, segment: Segment, now: () => Date) {
    this.directory = directory;
    this.#segment = segment;
    this.#now = now;
  }

  /** Creates `directory` (0700), which must be new: no two processes ever write one chain. Throws AUDIT_UNAVAILABLE. */
  static create(directory: string, now: () => Date = () => new Date()): AuditWriter {
    try {
      const parent = dirname(directory);
      mkdirSync(parent, { recursive: true, mode: 0o700 });
      chmodSync(parent, 0o700);
      mkdirSync(directory, { mode: 0o700 });
      syncDirectory(parent);
    } catch (error) {
      throw unavailable('create', directory, error);
    }
    return new AuditWriter(directory, Segment.create(directory, 1), now);
  }

  get head(): Head {
    return { ...this.#last, file: this.#segment.path };
  }

  /** Throws AUDIT_UNAVAILABLE when the record could not be written: then it is not part of the chain. */
  append(body: Body): Link {
    if (this.#failure !== undefined) this.#continueInNewSegment(this.#failure);
    this.#write(body);
    return this.#last;
  }

  /** Resolves when everything appended so far survives a power loss. One sync serves all who wait. Throws AUDIT_*. */
  async durable(): Promise<void> {
    if (this.#failure !== undefined) this.#continueInNewSegment(this.#failure);
    this.#check();
    const wanted = this.#last.seq;
    while (this.#durable.seq < wanted) {
      this.#syncing ??= this.#sync();
      await this.#syncing;
    }
    this.#check();
  }

  async close(): Promise<void> {
    try {
      await this.durable();
    } finally {
      this.#segment.close();
    }
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
      throw segment === this.#segment ? this.#fail(error) : error;
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
    if (error instanceof HookdError) this.#failure = error;
    return error;
  }

  #continueInNewSegment(failure: HookdError): void {
    const next = Segment.create(this.directory, this.#number + 1);
    const abandoned = this.#segment;
    const repeated = this.#pending;
    this.#segment = next;
    this.#number += 1;
    this.#last = this.#durable;
    this.#pending = [];
    this.#failure = undefined;
    void Promise.resolve(this.#syncing)
      .catch(() => undefined)
      .then(() => abandoned.close());
    try {
      this.#write(this.#segmentStarted(failure, repeated.length));
      for (const body of repeated) this.#write(body);
    } catch (error) {
      // Nothing of the new file was acknowledged: the one after it starts from the same place.
      this.#last = this.#durable;
      this.#pending = repeated;
      throw error;
    }
  }

  #segmentStarted(failure: HookdError, repeated: number): Body {
    return JSON.stringify({
      time: this.#now().toISOString(),
      kind: 'segment_started',
      reason: failure.code,
      detail: failure.message,
      after: this.#durable.hash,
      abandoned: segmentName(this.#number - 1),
      repeated,
    });
  }
}
