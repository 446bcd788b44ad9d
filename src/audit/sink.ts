/**
 * Feeds one sink: what is durable in the chain, in order, each record at least once. A sink that fails is opened again
 * after a while, for ever; that it failed, lags or has caught up is told once.
 */
import { messageOf } from '../core/errors.ts';
import { startTimer } from '../lib/timer.ts';
import type { Link } from './chain.ts';
import type { ChainReader } from './chain-reader.ts';
import { type SinkSettings, sinkName } from './channel-settings.ts';
import type { SinkState } from './record-values.ts';

export interface SinkTarget {
  /** Resolves when the sink has these whole lines. */
  take(lines: Buffer): Promise<void>;
  /** Lets go; what it was given is finished first, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface SinkDoors {
  /** `onEnd`: the sink has ended by itself. */
  readonly open: (onEnd: (error: Error) => void) => Promise<SinkTarget>;
  readonly reader: ChainReader;
  /** The number of the last durable record. */
  readonly durable: () => number;
  /** Told when the state changes; must not throw. */
  readonly report: (state: SinkState) => void;
}

const RETRY_MS = { first: 100, longest: 30_000 };
/** One that has worked for so long works: until then its next failure is one more of the same. */
const STEADY_MS = 1000;
/** Without any progress for so long a sink lags. */
const LAG_MS = 5000;

export class Sink {
  readonly name: string;
  required: boolean;
  readonly #settings: SinkSettings;
  readonly #doors: SinkDoors;
  #target: SinkTarget | undefined;
  #taken: Link['seq'] = 0;
  #state: SinkState['state'] | undefined;
  /** Why it does not take anything now. */
  #trouble: string | undefined;
  #retryMs = RETRY_MS.first;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;
  readonly #waiting = new Set<() => void>();

  constructor(settings: SinkSettings, doors: SinkDoors) {
    this.#settings = settings;
    this.name = sinkName(settings);
    this.required = settings.required;
    this.#doors = doors;
  }

  /** The number of the last record that the sink has. */
  get taken(): number {
    return this.#taken;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** There may be something new to take. */
  nudge(): void {
    if (this.#isClosed || this.#running !== undefined) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (!this.#isClosed && this.#taken < this.#doors.durable()) this.nudge();
    });
  }

  /** True when the sink has everything up to record `seq`, at the latest after `waitMs`. */
  async has(seq: number, waitMs: number): Promise<boolean> {
    if (this.#taken >= seq) return true;
    this.nudge();
    return new Promise((resolve) => {
      const look = () => {
        if (this.#taken < seq) return;
        stopTimer();
        this.#waiting.delete(look);
        resolve(true);
      };
      const stopTimer = startTimer(waitMs, () => {
        this.#waiting.delete(look);
        resolve(false);
      });
      this.#waiting.add(look);
    });
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    this.#wake?.();
    const target = this.#target;
    this.#target = undefined;
    await target?.close(graceMs).catch(() => undefined);
    this.#doors.reader.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#feed();
        return;
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  async #feed(): Promise<void> {
    this.#target ??= await this.#open();
    // Closed while it was being opened.
    if (this.#isClosed) return this.close(0);
    for (let lines = this.#doors.reader.next(); lines !== undefined; lines = this.#doors.reader.next()) {
      if (this.#isClosed) return;
      await this.#watched(this.#target.take(lines.bytes));
      this.#doors.reader.keep();
      this.#taken = Math.max(this.#taken, lines.last.seq);
      for (const look of [...this.#waiting]) look();
    }
    this.#trouble = undefined;
    if (this.#state !== 'started') this.#tellWhenSteady(this.#target);
  }

  #tellWhenSteady(target: SinkTarget): void {
    setTimeout(() => {
      if (this.#target !== target || this.#isClosed || this.#trouble !== undefined) return;
      this.#retryMs = RETRY_MS.first;
      this.#tell('current');
    }, STEADY_MS).unref();
  }

  async #open(): Promise<SinkTarget> {
    if (this.#state === undefined) this.#tell('started');
    const target = await this.#doors.open((error) => {
      // It ended while nothing was given to it.
      if (this.#target === target && this.#running === undefined && !this.#isClosed)
        this.#running = this.#failed(error)
          .then(() => this.#run())
          .finally(() => {
            this.#running = undefined;
          });
    });
    return target;
  }

  /** Tells that the sink lags while `taking` takes long. */
  async #watched(taking: Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.#tell('lagging', `no progress for ${LAG_MS / 1000} s`), LAG_MS);
    timer.unref();
    try {
      await taking;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets go, says so, and waits before the next attempt. */
  async #failed(error: unknown): Promise<void> {
    const target = this.#target;
    this.#target = undefined;
    this.#trouble = messageOf(error);
    this.#tell('failed', this.#trouble);
    this.#doors.reader.close();
    await target?.close(0).catch(() => undefined);
    this.#goBack();
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#retryMs);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS.longest);
  }

  /** What was in the pipe of a program that ended may be lost: the next one gets everything. */
  #goBack(): void {
    if (this.#settings.type === 'command') this.#doors.reader.rewind();
    else this.#doors.reader.goBack();
  }

  #tell(state: SinkState['state'], detail?: string): void {
    if (state === this.#state) return;
    this.#state = state;
    const behind = this.#doors.durable() - this.#taken;
    const { name, required } = this;
    this.#doors.report({ sink: name, required, state, behind, ...(detail === undefined ? {} : { detail }) });
  }
}

/** For people. */
export function describeSink({ sink, required, state, behind, detail }: SinkState): string {
  const what = `The audit sink ${JSON.stringify(sink)}`;
  const lag = behind === 0 ? 'It has everything so far' : `It lacks ${behind} of the records so far`;
  const then = required ? 'it is required: calls wait for it and fail' : 'the log itself is complete';
  if (state === 'current') return `${what} has caught up.`;
  return `${what} ${state === 'lagging' ? 'lags' : 'takes no records'}: ${detail ?? ''}. ${lag}; ${then}.`;
}
