/**
 * Appends records to one chain and says when they are recorded and when they are durable.
 *
 * Invariants: `append` returns only when the bytes are with the kernel, `durable` only after an fdatasync that began
 * later than the last append. After a failed write or sync nothing is ever written to that file again: the next append
 * opens a new segment, which continues from the last durable record and repeats what was not durable. A segment that
 * is merely full, or of yesterday, is left when all of it is durable: then nothing is repeated.
 */
import { rmdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { HookdError } from '../core/errors.ts';
import { type Link, NO_PREVIOUS, sealBytes } from './chain.ts';
import type { Extent } from './chain-reader.ts';
import { CHANNEL_DEFAULTS, type ChannelSettings } from './channel-settings.ts';
import { createDirectory } from './directory.ts';
import { type Body, Pending } from './pending.ts';
import { quietly, Segment, syncDirectory, unavailable } from './segment.ts';
import { checkpointBody, rotatedBody, rotationDue, startedBody } from './segment-records.ts';

export type Head = Link & { readonly file: string };

export class AuditWriter {
  readonly directory: string;
  /** Told when more of the chain is durable. */
  onDurable: () => void = () => {};
  /** How the chain is kept, from the next record on. */
  settings: ChannelSettings = CHANNEL_DEFAULTS;
  readonly #now: () => Date;
  #segment: Segment;
  #number = 1;
  /** When the segment was begun. */
  #begun: Date;
  #last: Link = { seq: 0, hash: NO_PREVIOUS };
  /** The number of the last checkpoint. */
  #checkpoint = 0;
  /** The last record that fdatasync has confirmed, and all bodies after it. */
  #durable: Link = this.#last;
  #pending = new Pending();
  /** The files that were left, and how far each counts. */
  readonly #left: Extent[] = [];
  /** How many bytes of the segment are durable. */
  #durableBytes = 0;
  #failure: HookdError | undefined;
  #syncing: Promise<void> | undefined;
  #ended = false;

  private constructor(directory: string, segment: Segment, now: () => Date) {
    this.directory = directory;
    this.#segment = segment;
    this.#now = now;
    this.#begun = now();
  }

  /**
   * Creates `directory` (0700), which must be new: no two processes ever write one chain. A failure leaves no
   * directory. Throws AUDIT_UNAVAILABLE.
   */
  static create(directory: string, now: () => Date = () => new Date()): AuditWriter {
    createDirectory(directory);
    try {
      syncDirectory(dirname(directory));
      return new AuditWriter(directory, Segment.create(directory, 1), now);
    } catch (error) {
      quietly(() => rmdirSync(directory));
      throw error instanceof HookdError ? error : unavailable('create', directory, error);
    }
  }

  get head(): Head {
    return { ...this.#last, file: this.#segment.path };
  }

  /** The number of the last durable record. */
  get durableSeq(): number {
    return this.#durable.seq;
  }

  /** What is durable of the chain, file by file. */
  extents(): readonly Extent[] {
    return [...this.#left, { path: this.#segment.path, bytes: this.#durableBytes }];
  }

  /** Throws AUDIT_UNAVAILABLE when the record could not be written: then it is not part of the chain. */
  append(body: Body): Link {
    this.#refuseWhenEnded();
    if (this.#failure !== undefined) this.#continueInNewSegment(this.#failure);
    this.#holdBack();
    this.#rotateWhenDue();
    this.#checkpointWhenDue();
    this.#write(body);
    return this.#last;
  }

  /** Resolves when everything appended so far survives a power loss. One sync serves all who wait. Throws AUDIT_*. */
  async durable(): Promise<void> {
    this.#refuseWhenEnded();
    const wanted = this.#last.seq;
    for (let isChecked = false; ; isChecked = true) {
      // Looked at in every round: others write while we wait, and their failure may have moved us to a new file.
      if (this.#failure !== undefined) this.#continueInNewSegment(this.#failure);
      if (this.#durable.seq >= wanted) {
        if (!isChecked) this.#guarded(() => this.#segment.check());
        return;
      }
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
    if (this.#last.seq > 0 || this.#pending.count > 0) return;
    quietly(() => rmSync(this.#segment.path));
    quietly(() => rmdirSync(this.directory));
  }

  #write(body: Body): void {
    const seq = this.#last.seq + 1;
    const { bytes, hash } = sealBytes(seq, this.#last.hash, body);
    this.#guarded(() => this.#segment.append(bytes));
    this.#last = { seq, hash };
    this.#pending.add(body);
  }

  /** What is not durable is kept in memory: who records faster than the disk takes it waits here. */
  #holdBack(): void {
    if (!this.#pending.isMany) return;
    if (this.#syncing === undefined) this.#syncNow();
    else if (this.#pending.isTooMany)
      throw unavailable(
        'write',
        this.#segment.path,
        `the disk has not taken the last ${this.#pending.count} records`,
      );
  }

  /** Where no new segment can be made the record is refused, and the next one tries again. */
  #rotateWhenDue(): void {
    const reason = rotationDue(this.settings, this.#segment.size, this.#begun, this.#now());
    // While a sync is under way the segment cannot be left: that sync may be told of a failure.
    if (reason === undefined || this.#syncing !== undefined) return;
    this.#syncNow();
    const full = this.#segment;
    this.#enter(Segment.createAfter(this.directory, this.#number));
    full.close();
    this.#write(rotatedBody(this.#now(), reason, this.#last, basename(full.path)));
  }

  #checkpointWhenDue(): void {
    if (this.#last.seq - this.#checkpoint < this.settings.checkpointEvery) return;
    this.#write(checkpointBody(this.#now(), this.#last));
    this.#checkpoint = this.#last.seq;
  }

  #syncNow(): void {
    this.#guarded(() => {
      this.#segment.syncNow();
      this.#segment.check();
    });
    this.#reached(this.#last, this.#segment.size);
  }

  #reached(link: Link, bytes: number): void {
    this.#pending.take(link.seq - this.#durable.seq);
    this.#durable = link;
    this.#durableBytes = bytes;
    this.onDurable();
  }

  /** Begins when everybody who can go on now has done so: who records while it is under way has to wait for another. */
  async #sync(): Promise<void> {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const [reached, segment] = [this.#last, this.#segment];
    const { size } = segment;
    try {
      if (this.#failure !== undefined) return; // failed meanwhile; whoever waits goes on in a new file
      await segment.sync();
      if (segment !== this.#segment) return; // the file failed meanwhile; its successor repeats the records
      // One look for all who wait: it comes later than everything that they have recorded.
      segment.check();
      this.#reached(reached, size);
    } catch (error) {
      if (segment === this.#segment) throw this.#fail(error);
    } finally {
      this.#syncing = undefined;
    }
  }

  /** A failure in it is one of the segment. */
  #guarded(act: () => void): void {
    try {
      act();
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
    this.#enter(Segment.createAfter(this.directory, this.#number));
    const repeated = this.#pending.all();
    this.#last = this.#durable;
    this.#checkpoint = Math.min(this.#checkpoint, this.#last.seq);
    this.#pending = new Pending();
    this.#failure = undefined;
    abandoned.close();
    const name = basename(abandoned.path);
    try {
      this.#write(startedBody(this.#now(), failure, this.#durable, name, repeated.length));
      for (const body of repeated) this.#write(body);
    } catch (error) {
      // Nothing of the new file was acknowledged: the one after it starts from the same place.
      this.#last = this.#durable;
      this.#pending = new Pending(repeated);
      throw error;
    }
  }

  #enter({ segment, number }: { segment: Segment; number: number }): void {
    this.#left.push({ path: this.#segment.path, bytes: this.#durableBytes });
    this.#durableBytes = 0;
    this.#segment = segment;
    this.#number = number;
    this.#begun = this.#now();
  }
}
