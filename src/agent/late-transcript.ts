/**
 * Hands on what it is told a moment later, in the same order: while the audit waits for the disk, which is waiting time
 * anyway, or at once when somebody is about to look (`catchUp`), and at the latest at the end of this turn of the event
 * loop. What it is told are recorded values and texts, which nobody changes meanwhile.
 */
import type { Compacted } from '../audit/record-values.ts';
import type { ModelResponse, ToolResult } from '../core/vocabulary.ts';
import type { TranscriptObserver } from './transcript.ts';

export class LateTranscript implements TranscriptObserver {
  readonly #observer: TranscriptObserver;
  #untold: (() => void)[] = [];

  constructor(observer: TranscriptObserver) {
    this.#observer = observer;
  }

  prompt(text: string): void {
    this.#later(() => this.#observer.prompt(text));
  }

  response(response: ModelResponse): void {
    this.#later(() => this.#observer.response(response));
  }

  results(results: readonly ToolResult[]): void {
    this.#later(() => this.#observer.results(results));
  }

  added(kind: 'context' | 'feedback', text: string): void {
    this.#later(() => this.#observer.added(kind, text));
  }

  compacted(compacted: Compacted): void {
    this.#later(() => this.#observer.compacted(compacted));
  }

  /** When it returns, the observer knows all. To be called before a hook starts, a tool runs, a person is asked, a request leaves or a turn is over. */
  catchUp(): void {
    const untold = this.#untold;
    this.#untold = [];
    for (const tell of untold) tell();
  }

  #later(tell: () => void): void {
    if (this.#untold.length === 0) setImmediate(() => this.catchUp());
    this.#untold.push(tell);
  }
}
