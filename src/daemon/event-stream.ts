/** What one client has still to read of a session. It is bounded: whoever reads too slowly is let go, and told so. */
import type { Delivery } from '../core/protocol.ts';

/** What may wait for one client, beside what it asked to have repeated. */
export interface StreamLimits {
  readonly events: number;
  readonly bytes: number;
}

interface Waiting {
  readonly delivery: Delivery;
  /** What it counts for. */
  readonly bytes: number;
  readonly isNew: boolean;
}

const SLOW = 'You read too slowly; come back with the number of the last event that you have seen.';

export class EventStream implements AsyncIterable<Delivery> {
  readonly #limits: StreamLimits;
  readonly #onClose: () => void;
  #queue: Waiting[];
  #waiting = 0;
  #bytes = 0;
  #isClosed = false;
  #wake: (() => void) | undefined;

  /** `repeated`: what it gets first, whatever its size: it is kept anyway. */
  constructor(repeated: readonly Delivery[], limits: StreamLimits, onClose: () => void) {
    this.#queue = repeated.map((delivery) => ({ delivery, bytes: 0, isNew: false }));
    this.#limits = limits;
    this.#onClose = onClose;
  }

  push(delivery: Delivery, bytes: number): void {
    if (this.#isClosed) return;
    this.#queue.push({ delivery, bytes, isNew: true });
    this.#waiting += 1;
    this.#bytes += bytes;
    if (this.#waiting > this.#limits.events || this.#isTooMuch()) {
      this.#queue = [{ delivery: { kind: 'dropped', why: SLOW }, bytes: 0, isNew: false }];
      this.close();
    }
    this.#wake?.();
  }

  /** One event may be of any size: whoever has read all before it reads quickly enough. */
  #isTooMuch(): boolean {
    if (this.#bytes <= this.#limits.bytes) return false;
    const largest = this.#queue.reduce((most, { bytes }) => Math.max(most, bytes), 0);
    return this.#bytes - largest > this.#limits.bytes;
  }

  /** Nothing more comes; what waits is still delivered. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    this.#wake?.();
  }

  /** Nothing more is delivered. */
  cancel(): void {
    this.#queue = [];
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Delivery, void, undefined> {
    try {
      for (;;) {
        const next = this.#queue.shift();
        if (next !== undefined) {
          if (next.isNew) this.#waiting -= 1;
          this.#bytes -= next.bytes;
          yield next.delivery;
        } else if (this.#isClosed) return;
        else await this.#somethingNew();
      }
    } finally {
      this.close();
    }
  }

  #somethingNew(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
