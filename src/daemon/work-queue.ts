/** What a session does, one thing after another, in the order in which it was asked for. */
import { HookdError } from '../core/errors.ts';

export interface Job {
  /** Must not throw. */
  readonly run: () => Promise<void>;
  /** It will not be run. */
  readonly drop: (why: string) => void;
}

export class WorkQueue {
  readonly #waiting: Job[] = [];
  #work: Promise<void> | undefined;
  #current: Promise<void> | undefined;

  add(job: Job): void {
    this.#waiting.push(job);
    this.#work ??= this.#workOff();
  }

  /** Resolves when it has run; rejects with what it throws, or when it is dropped. */
  done(run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const drop = (why: string) => reject(new HookdError('INTERRUPTED', `It was dropped: ${why}.`));
      this.add({ run: () => run().then(resolve, reject), drop });
    });
  }

  /** How many have not begun. */
  get waiting(): number {
    return this.#waiting.length;
  }

  dropWaiting(why: string): void {
    for (const { drop } of this.#waiting.splice(0)) drop(why);
  }

  /** Resolves when what runs now has ended, whatever waits behind it. */
  async ended(): Promise<void> {
    await this.#current;
  }

  /** Resolves when there is nothing more to do. */
  async idle(): Promise<void> {
    await this.#work;
  }

  async #workOff(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      this.#current = job.run();
      await this.#current;
    }
    this.#work = undefined;
  }
}
