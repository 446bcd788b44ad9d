/** What a running command prints, for those who watch: in pieces of bounded size, at a bounded rate. Display only. */
import { StringDecoder } from 'node:string_decoder';

/** Between two pieces. */
const PAUSE_MS = 100;
/** Of one piece; of more the end is shown, which is what a screen would still hold. */
const MOST_CHARACTERS = 8 * 1024;

export class LiveOutput {
  readonly #decoder = new StringDecoder('utf8');
  readonly #show: (text: string) => void;
  #text = '';
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  add(chunk: Uint8Array): void {
    this.#text += this.#decoder.write(chunk);
    if (this.#text.length > 2 * MOST_CHARACTERS) this.#cut();
    // What comes first waits too: a line that a program writes in two parts is then shown in one.
    this.#timer ??= setTimeout(() => this.#flush(), PAUSE_MS);
  }

  /** Shows what is left; nothing may be added afterwards. */
  finish(): void {
    this.#text += this.#decoder.end();
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text.length > MOST_CHARACTERS) this.#cut();
    if (this.#text === '') return;
    const note = this.#leftOut === 0 ? '' : `\n... (${this.#leftOut} characters not shown) ...\n`;
    const text = note + this.#text;
    this.#text = '';
    this.#leftOut = 0;
    this.#show(text);
  }

  #cut(): void {
    const from = this.#text.length - MOST_CHARACTERS;
    const unit = this.#text.charCodeAt(from);
    // Never half of a surrogate pair.
    const start = unit >= 0xdc00 && unit <= 0xdfff ? from + 1 : from;
    this.#leftOut += start;
    this.#text = this.#text.slice(start);
  }
}
