/** A queue between one who tells and one who reads at their own pace; what does not fit is not kept, and that is said. */

export class Mailbox<T> {
  readonly #items: T[] = [];
  readonly #limit: number;
  #wake: (() => void) | undefined;
  #isFull = false;
  #isClosed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Something did not fit: the reader gets what lies here, and nothing after it. */
  get overflowed(): boolean {
    return this.#isFull;
  }

  put(item: T): void {
    if (this.#isClosed || this.#isFull) return;
    if (this.#items.length >= this.#limit) this.#isFull = true;
    else this.#items.push(item);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /** Ends after `close`, after an overflow, or when `signal` aborts. */
  async *items(signal: AbortSignal): AsyncGenerator<T, void> {
    const wake = () => this.#wake?.();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        const item = this.#items.shift();
        if (item !== undefined) {
          yield item;
          continue;
        }
        if (this.#isClosed || this.#isFull) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.close();
    }
  }
}
