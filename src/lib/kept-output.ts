/** Keeps the first and the last part of a stream of UTF-8, counts the rest: memory stays bounded whatever a child writes. */
import { StringDecoder } from 'node:string_decoder';

/** `omitted` characters (UTF-16 units) stood between `first` and `last`; where it is 0, the text is `first + last`. */
export interface KeptOutput {
  readonly first: string;
  readonly last: string;
  readonly omitted: number;
}

export class OutputKeeper {
  readonly #decoder = new StringDecoder('utf8');
  readonly #firstLimit: number;
  readonly #lastLimit: number;
  #first = '';
  #firstIsFull = false;
  #last = '';
  #total = 0;

  /** Keeps at most `limit` characters, half of them from the end. */
  constructor(limit: number) {
    this.#firstLimit = Math.ceil(limit / 2);
    this.#lastLimit = limit - this.#firstLimit;
  }

  add(chunk: Uint8Array): void {
    this.#addText(this.#decoder.write(chunk));
  }

  /** What was kept; nothing may be added afterwards. */
  finish(): KeptOutput {
    this.#addText(this.#decoder.end());
    const last = lastCharacters(this.#last, this.#lastLimit);
    return { first: this.#first, last, omitted: this.#total - this.#first.length - last.length };
  }

  #addText(text: string): void {
    this.#total += text.length;
    let rest = text;
    if (!this.#firstIsFull) {
      const taken = firstCharacters(text, this.#firstLimit - this.#first.length);
      this.#first += taken;
      this.#firstIsFull = taken.length < text.length;
      rest = text.slice(taken.length);
    }
    this.#last += rest;
    // Cut only now and then: cutting copies.
    if (this.#last.length > 2 * this.#lastLimit + 1024) {
      this.#last = lastCharacters(this.#last, this.#lastLimit);
    }
  }
}

/** Of a text with more than `most` characters the middle is left out, and counted in its place. */
export function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const first = firstCharacters(text, Math.ceil(most / 2));
  const last = lastCharacters(text, Math.floor(most / 2));
  return keptText({ first, last, omitted: text.length - first.length - last.length });
}

/** What was kept, with a note of what was not. */
export function keptText({ first, last, omitted }: KeptOutput): string {
  return omitted === 0 ? first + last : `${first}\n... (${omitted} characters left out) ...\n${last}`;
}

/** At most `count` UTF-16 units from the start, never half of a surrogate pair. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(count - 1)) ? count - 1 : count);
}

function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = text.length - count;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
