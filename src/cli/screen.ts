/** A conversation on a terminal: streamed text and whole lines, kept apart. */
import type { SessionEvent } from '../core/protocol.ts';
import { type Output, printable } from './output.ts';
import { eventLines } from './render.ts';

export class Screen {
  readonly #output: Output;
  #midLine = false;

  constructor(output: Output) {
    this.#output = output;
  }

  show(event: SessionEvent): void {
    if (event.kind === 'text') {
      this.#output.modelText(event.text);
      this.#midLine = !event.text.endsWith('\n');
      return;
    }
    const lines = eventLines(event, this.#output.colours);
    if (lines.length > 0 || event.kind === 'response') this.#endLine();
    for (const line of lines) this.#output.result(line);
  }

  endTurn(problem: string | undefined): void {
    this.#endLine();
    if (problem !== undefined) this.#output.result(this.#output.colours.red(`[${printable(problem)}]`));
  }

  #endLine(): void {
    if (this.#midLine) this.#output.result('');
    this.#midLine = false;
  }
}
