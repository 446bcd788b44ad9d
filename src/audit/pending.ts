/** Records that are written and not yet durable: kept in memory, because a failed file's successor repeats them. Bounded. */

/** A record without its place in the chain, as a JSON object text: after a failure it gets another place. */
export type Body = string;

const MANY = { records: 4096, characters: 4 * 1024 * 1024 };
/** What memory they may take while a sync hangs. */
const TOO_MANY = { records: 8 * MANY.records, characters: 8 * MANY.characters };

export class Pending {
  readonly #bodies: Body[];
  #characters = 0;

  constructor(bodies: readonly Body[] = []) {
    this.#bodies = [...bodies];
    for (const body of bodies) this.#characters += body.length;
  }

  get count(): number {
    return this.#bodies.length;
  }

  get isMany(): boolean {
    return this.count >= MANY.records || this.#characters >= MANY.characters;
  }

  get isTooMany(): boolean {
    return this.count >= TOO_MANY.records || this.#characters >= TOO_MANY.characters;
  }

  add(body: Body): void {
    this.#bodies.push(body);
    this.#characters += body.length;
  }

  /** Lets go of the first `count`. */
  take(count: number): void {
    for (const body of this.#bodies.splice(0, count)) this.#characters -= body.length;
  }

  all(): readonly Body[] {
    return [...this.#bodies];
  }
}
