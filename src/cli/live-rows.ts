/** Rows below everything else that change while something goes on, and are gone when it has ended. Only on a terminal. */
import { clearScreenDown, moveCursor } from 'node:readline';

const REDRAWN_AFTER_MS = 60;

export class LiveRows {
  readonly #terminal: NodeJS.WritableStream | undefined;
  #drawn = 0;
  #wanted: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** No terminal, or one that cannot move its cursor: nothing is ever shown. */
  constructor(terminal: NodeJS.WritableStream | undefined) {
    this.#terminal = terminal;
  }

  /** Each row must fit on one line of the terminal. Drawn a little later: what comes in bursts is not drawn piece by piece. */
  show(rows: readonly string[]): void {
    if (this.#terminal === undefined) return;
    this.#wanted = rows;
    this.#timer ??= setTimeout(() => this.#draw(), REDRAWN_AFTER_MS).unref();
  }

  /** To be called before anything else is written. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = [];
    this.#erase();
  }

  #draw(): void {
    this.#timer = undefined;
    this.#erase();
    for (const row of this.#wanted) this.#terminal?.write(`${row}\n`);
    this.#drawn = this.#wanted.length;
  }

  #erase(): void {
    if (this.#drawn === 0 || this.#terminal === undefined) return;
    moveCursor(this.#terminal, 0, -this.#drawn);
    clearScreenDown(this.#terminal);
    this.#drawn = 0;
  }
}
