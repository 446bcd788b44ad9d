/** What a chain needs besides its file: room on the disk, sinks, and people who are told when either fails. */
import { dirname } from 'node:path';
import { HookdError, isAuditFailure } from '../core/errors.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { type ChannelSettings, joinSinks, type SinkSettings, sinkName } from './channel-settings.ts';
import type { SinkSurroundings } from './command-sink.ts';
import { describeSpace, SpaceWatch } from './disk-space.ts';
import type { DiskSpace, RemovedChain, SinkState } from './record-values.ts';
import { markTaken, removable, removeChains } from './retention.ts';
import { describeSink } from './sink.ts';
import { type SinkLag, Sinks } from './sinks.ts';
import type { AuditWriter } from './writer.ts';

/** Puts what happens to the channel itself on record, in no session. */
export interface ChannelRecords {
  (kind: 'disk_space', value: DiskSpace): void;
  (kind: 'sink_state', value: SinkState): void;
  (kind: 'chain_removed', value: RemovedChain): void;
}

export class Channel {
  readonly #writer: AuditWriter;
  readonly #record: ChannelRecords;
  readonly #space = new SpaceWatch();
  /** Who is told what people must know. */
  readonly #watchers = new Set<(text: string) => void>();
  /** What each session's settings say: the sinks of all count. */
  readonly #settings = new Map<SessionId | undefined, ChannelSettings>();
  #sinks: Sinks | undefined;
  /** The day on which old chains were looked for last. */
  #retained: string | undefined;

  constructor(writer: AuditWriter, record: ChannelRecords) {
    this.#writer = writer;
    this.#record = record;
  }

  configure(by: SessionId | undefined, settings: ChannelSettings, surroundings?: SinkSurroundings): void {
    this.#writer.settings = settings;
    this.#settings.set(by, settings);
    this.#retained = undefined;
    const sinks = this.#wantedSinks();
    if (surroundings === undefined || (sinks.length === 0 && this.#sinks === undefined)) return;
    this.#sinks ??= new Sinks(this.#writer, (state) => this.#tellOfSink(state));
    this.#sinks.configure(sinks, settings.sinkTimeoutMs, surroundings);
  }

  get sinkLag(): readonly SinkLag[] {
    return this.#sinks?.lag ?? [];
  }

  watch(tell: (text: string) => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  /** Throws AUDIT_UNAVAILABLE below the floor of free space. */
  assertRoom(): void {
    const { directory, settings } = this.#writer;
    const space = this.#space.look(dirname(directory), settings, (crossed) => {
      this.#record('disk_space', crossed);
      this.#tell(describeSpace(crossed));
    });
    if (space.state === 'below_floor') throw new HookdError('AUDIT_UNAVAILABLE', describeSpace(space));
  }

  /** Resolves when everything recorded so far is durable and every required sink has it. Throws AUDIT_*. */
  async durable(): Promise<void> {
    await this.#barrier();
    if (this.#writer.settings.keepDays ?? this.#writer.settings.keepChains) await this.#retain(new Date());
  }

  async #barrier(): Promise<void> {
    await this.#writer.durable();
    await this.#sinks?.required();
  }

  /** Once a day, and when settings have changed. */
  async #retain(now: Date): Promise<void> {
    const today = now.toISOString().slice(0, 10);
    if (this.#retained === today) return;
    this.#retained = today;
    const { directory, settings } = this.#writer;
    const required = this.#wantedSinks().filter((sink) => sink.required);
    const chains = removable(directory, settings, required.map(sinkName), now);
    if (chains.length === 0) return;
    for (const chain of chains) this.#record('chain_removed', chain);
    await this.#barrier();
    removeChains(dirname(directory), chains);
  }

  #wantedSinks(): readonly SinkSettings[] {
    return joinSinks([...this.#settings.values()].flatMap((each) => each.sinks));
  }

  /** Gives the sinks the end of the chain; what is durable goes out, whatever else fails. Throws AUDIT_*. */
  async close(): Promise<void> {
    try {
      await this.#barrier();
      // Barriers, and sinks that catch up, are on record too.
      if (this.#writer.head.seq > this.#writer.durableSeq) await this.#barrier();
    } finally {
      const late = (await this.#sinks?.close()) ?? [];
      const names = this.#wantedSinks().map(sinkName);
      markTaken(
        this.#writer.directory,
        names.filter((name) => !late.includes(name)),
      );
      for (const name of late)
        this.#tell(`The audit sink ${JSON.stringify(name)} did not get the end of the chain.`);
    }
    await this.#writer.close();
  }

  #tellOfSink(state: SinkState): void {
    try {
      this.#record('sink_state', state);
    } catch (error) {
      // The next barrier fails for the same reason, and that is what people are told.
      if (!isAuditFailure(error)) throw error;
    }
    if (state.state !== 'started') this.#tell(describeSink(state));
  }

  #tell(text: string): void {
    for (const tell of this.#watchers) tell(text);
  }
}
