/** All sinks of one chain: begun and ended as the settings say, and what a barrier waits for. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { HookdError } from '../core/errors.ts';
import { ChainReader } from './chain-reader.ts';
import { type SinkSettings, sinkName } from './channel-settings.ts';
import { openCommandSink, type SinkSurroundings } from './command-sink.ts';
import { openFileSink } from './file-sink.ts';
import type { SinkState } from './record-values.ts';
import { Sink, type SinkTarget } from './sink.ts';
import type { AuditWriter } from './writer.ts';

/** How long an end waits for sinks that are not required. */
const GRACE_MS = 2000;

export interface SinkLag {
  readonly name: string;
  readonly required: boolean;
  /** Durable records that it has not taken. */
  readonly behind: number;
  /** Why it takes nothing now. */
  readonly trouble?: string;
}

export class Sinks {
  readonly #writer: AuditWriter;
  readonly #report: (state: SinkState) => void;
  readonly #sinks = new Map<string, Sink>();
  #timeoutMs = 0;

  /** `report` must not throw. */
  constructor(writer: AuditWriter, report: (state: SinkState) => void) {
    this.#writer = writer;
    this.#report = report;
    writer.onDurable = () => {
      for (const sink of this.#sinks.values()) sink.nudge();
    };
  }

  /** Each sink gets the chain from its beginning. */
  configure(wanted: readonly SinkSettings[], timeoutMs: number, surroundings: SinkSurroundings): void {
    this.#timeoutMs = timeoutMs;
    const names = new Set(wanted.map(sinkName));
    for (const [name, sink] of this.#sinks) {
      if (names.has(name)) continue;
      this.#sinks.delete(name);
      void sink.close(GRACE_MS);
    }
    for (const settings of wanted) {
      const name = sinkName(settings);
      const sink = this.#sinks.get(name) ?? this.#begin(settings, surroundings);
      sink.required = settings.required;
      this.#sinks.set(name, sink);
      sink.nudge();
    }
  }

  /** How far each is behind now. */
  get lag(): readonly SinkLag[] {
    const { durableSeq } = this.#writer;
    return [...this.#sinks.values()].map(({ name, required, taken, trouble }) => ({
      ...{ name, required, behind: Math.max(0, durableSeq - taken) },
      ...(trouble === undefined ? {} : { trouble }),
    }));
  }

  /** Resolves when every required sink has all that is durable now. Throws AUDIT_UNAVAILABLE when one has not in time. */
  async required(): Promise<void> {
    const { durableSeq } = this.#writer;
    const sinks = [...this.#sinks.values()].filter(({ required }) => required);
    const late = await this.#without(sinks, durableSeq, this.#timeoutMs);
    if (late.length === 0) return;
    const words = late.map((sink) => {
      const why = sink.trouble === undefined ? '' : ` (${sink.trouble})`;
      return `The required audit sink ${JSON.stringify(sink.name)} has not taken the last ${durableSeq - sink.taken} records within ${this.#timeoutMs / 1000} s${why}.`;
    });
    throw new HookdError('AUDIT_UNAVAILABLE', words.join(' '));
  }

  /** Gives all sinks the end of the chain and lets go of them. Returns the names of those that did not get it. */
  async close(): Promise<readonly string[]> {
    const sinks = [...this.#sinks.values()];
    const late = await this.#without(sinks, this.#writer.durableSeq, GRACE_MS);
    await Promise.all(sinks.map((sink) => sink.close(GRACE_MS)));
    this.#sinks.clear();
    return late.map(({ name }) => name);
  }

  /** Those that do not have record `seq` in time. */
  async #without(sinks: readonly Sink[], seq: number, waitMs: number): Promise<readonly Sink[]> {
    const have = await Promise.all(sinks.map((sink) => sink.has(seq, waitMs)));
    return sinks.filter((_, index) => have[index] !== true);
  }

  #begin(settings: SinkSettings, surroundings: SinkSurroundings): Sink {
    return new Sink(settings, {
      open: (onEnd) => this.#open(settings, surroundings, onEnd),
      reader: new ChainReader(() => this.#writer.extents()),
      durable: () => this.#writer.durableSeq,
      report: this.#report,
    });
  }

  async #open(
    settings: SinkSettings,
    surroundings: SinkSurroundings,
    onEnd: (error: Error) => void,
  ): Promise<SinkTarget> {
    if (settings.type === 'command') return openCommandSink(settings, surroundings, onEnd);
    const directory = dirname(settings.path);
    const place = join(realpathSync(directory), basename(settings.path));
    const audit = realpathSync(dirname(this.#writer.directory));
    if (place.startsWith(`${audit}${sep}`)) throw new Error('it lies in the audit directory itself');
    return openFileSink(settings.path);
  }
}
