/**
 * The events of one session, numbered 1, 2, 3 … over all its runs, and those who follow them. Everybody gets the same
 * events in the same order; nobody can slow the session down. Display only: the audit log is the record.
 */
import { existsSync } from 'node:fs';
import type { Delivery, SessionEvent } from '../core/protocol.ts';
import { EventFile, type KeptEvent, readEvents } from './event-file.ts';
import { EventStream, type StreamLimits } from './event-stream.ts';

export interface EventLogOptions {
  readonly path: string;
  /** Nothing more is added: it is only read. */
  readonly isOver?: boolean;
  /** The state, for whoever has missed more than is kept. */
  readonly reset: () => Delivery;
  readonly keep?: StreamLimits;
  readonly stream?: StreamLimits;
}

/** What is kept of a session, in memory and on the disk. */
const KEEP: StreamLimits = { events: 2000, bytes: 1024 * 1024 };
const STREAM: StreamLimits = { events: 1000, bytes: 4 * 1024 * 1024 };

/** So many are gathered at most: whoever reads them must not be flooded. */
const MOST_GATHERED = 16;

/** Passed on as they form, and whole in what follows: neither numbered nor kept. */
const PASSING: readonly SessionEvent['kind'][] = ['text', 'tool_input', 'tool_output'];

/** An event that nobody has seen yet, which nobody changes any more. */
interface Untold {
  readonly event: SessionEvent;
  /** Where it has one: then it is kept. */
  readonly id: number | undefined;
}

/**
 * What one turn of the event loop tells is written at once and passed on at its end: while a call waits for its audit
 * records to be durable, which is waiting time anyway.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #keep: StreamLimits;
  readonly #file: EventFile;
  readonly #streams = new Set<EventStream>();
  #kept: KeptEvent[] = [];
  #untold: Untold[] = [];
  /** Characters of what is kept. */
  #size = 0;
  #lastId = 0;
  #isClosed = false;

  constructor(options: EventLogOptions) {
    const { path, keep = KEEP, isOver = false } = options;
    this.#options = options;
    this.#keep = keep;
    this.#isClosed = isOver;
    this.#file = new EventFile(path, (text) => this.add({ kind: 'warning', text }));
    if (!existsSync(path)) return;
    this.#kept = [...readEvents(path)];
    this.#lastId = this.#kept.at(-1)?.id ?? 0;
    this.#size = this.#kept.reduce((size, { line }) => size + line.length, 0);
    this.#forget();
    // Written anew: half a line that a crash left must not stand before the next one.
    if (!isOver) this.#file.replace(this.#kept);
  }

  /** Of the last numbered event; 0 before the first. */
  get lastId(): number {
    this.#tellAll();
    return this.#lastId;
  }

  add(event: SessionEvent): void {
    if (this.#isClosed) return;
    if (this.#untold.length === 0) setImmediate(() => this.#tellAll());
    const isPassing = PASSING.includes(event.kind);
    if (!isPassing) this.#lastId += 1;
    this.#untold.push({ event, id: isPassing ? undefined : this.#lastId });
    if (this.#untold.length >= MOST_GATHERED) this.#tellAll();
  }

  /** Whoever comes in gets everything after `after` (undefined: only what is to come), once each, until `signal`. */
  follow(after: number | undefined, signal: AbortSignal): AsyncIterable<Delivery> {
    this.#tellAll();
    const { stream: limits = STREAM } = this.#options;
    const stream: EventStream = new EventStream(this.#since(after), limits, () => {
      this.#streams.delete(stream);
      signal.removeEventListener('abort', cancel);
    });
    const cancel = () => stream.cancel();
    if (signal.aborted) stream.cancel();
    else if (this.#isClosed) stream.close();
    else {
      this.#streams.add(stream);
      signal.addEventListener('abort', cancel);
    }
    return stream;
  }

  /** Everybody gets what waits for them, and no more. */
  close(): void {
    this.#tellAll();
    this.#isClosed = true;
    for (const stream of [...this.#streams]) stream.close();
    this.#file.close();
  }

  /** The session did not come up: what nobody has seen has not been. */
  discard(): void {
    this.#untold = [];
    this.close();
  }

  #since(after: number | undefined): readonly Delivery[] {
    if (after === undefined || after === this.#lastId) return [];
    const firstKept = this.#kept[0]?.id ?? this.#lastId + 1;
    // 0 asks for what there is; any other number for all that follows it.
    if (!Number.isSafeInteger(after) || after > this.#lastId || (after !== 0 && after < firstKept - 1))
      return [this.#options.reset()];
    return this.#kept.flatMap(({ id, event }) => (id > after ? [{ kind: 'event', id, event } as const] : []));
  }

  /** On the disk before anybody sees it: a number that somebody knows is never given again. */
  #tellAll(): void {
    while (this.#untold.length > 0) {
      const untold = this.#untold;
      this.#untold = [];
      const kept = untold.flatMap(({ id, event }) => (id === undefined ? [] : keptEvent(id, event)));
      if (kept.length > 0) this.#keepAll(kept);
      if (this.#streams.size > 0) this.#pass(untold, kept);
    }
  }

  #pass(untold: readonly Untold[], kept: readonly KeptEvent[]): void {
    const firstId = kept[0]?.id ?? 0;
    for (const { id, event } of untold) {
      const bytes = id === undefined ? passingBytes(event) : (kept[id - firstId]?.line.length ?? 0);
      for (const stream of this.#streams) stream.push({ kind: 'event', id, event }, bytes);
    }
  }

  #keepAll(kept: readonly KeptEvent[]): void {
    this.#kept.push(...kept);
    for (const { line } of kept) this.#size += line.length;
    this.#file.append(kept);
    this.#forget();
    if (this.#file.size > 2 * this.#keep.bytes) this.#file.replace(this.#kept);
  }

  /** The oldest go first; the newest stays, whatever its size. */
  #forget(): void {
    const { events, bytes } = this.#keep;
    let gone = 0;
    while (this.#kept.length - gone > 1 && (this.#kept.length - gone > events || this.#size > bytes)) {
      this.#size -= this.#kept[gone]?.line.length ?? 0;
      gone += 1;
    }
    if (gone > 0) this.#kept.splice(0, gone);
  }
}

function keptEvent(id: number, event: SessionEvent): KeptEvent {
  return { id, event, line: `${JSON.stringify({ id, event })}\n` };
}

/** About. */
function passingBytes(event: SessionEvent): number {
  return 'text' in event ? event.text.length : 'json' in event ? event.json.length : 1;
}
