/** A session on a terminal as it goes on: streamed text and whole lines, kept apart; below them what is still forming. */
import type { ContextUse, SessionEvent } from '../core/protocol.ts';
import type { ModelResponse, TurnEnd, Usage } from '../core/vocabulary.ts';
import { LiveRows } from './live-rows.ts';
import { type Output, oneLine, printable } from './output.ts';
import { eventLines, type Look, rowsOf } from './render.ts';
import { addUsage, NO_USAGE, usageLine } from './usage-line.ts';
import { shortened } from './width.ts';

/** Lines of a running command that are shown, and what is kept of them. */
const TAIL_LINES = 5;
const TAIL_CHARACTERS = 4000;

export class Screen {
  readonly #output: Output;
  readonly #columns: () => number;
  readonly #live: LiveRows;
  #midLine = false;
  /** Of the turn that runs. */
  #usage: Usage = NO_USAGE;
  #context: ContextUse | undefined;
  /** Text of the response that is coming in. */
  #streamed = '';
  #requests = 0;
  #started = performance.now();
  /** The end of what the running command has printed; the size of the input that forms. */
  #tail = '';
  #forming = 0;

  /** @param terminal where what is still forming is shown and taken away again; undefined: nowhere */
  constructor(output: Output, columns: () => number, terminal?: NodeJS.WritableStream) {
    this.#output = output;
    this.#columns = columns;
    this.#live = new LiveRows(terminal);
  }

  get look(): Look {
    return { colours: this.#output.colours, columns: this.#columns() };
  }

  show(event: SessionEvent): void {
    switch (event.kind) {
      case 'text':
        this.#live.clear();
        this.#streamed += event.text;
        this.#write(event.text);
        break;
      case 'tool_input':
        this.#showForming(event);
        break;
      case 'tool_output':
        this.#showTail(event.text);
        break;
      case 'prompt':
        this.#usage = NO_USAGE;
        this.#requests = 0;
        this.#started = performance.now();
        break;
      case 'request':
        this.#requests += 1;
        this.#streamed = '';
        break;
      case 'response':
        this.#endResponse(event.response);
        break;
      case 'context':
        this.#context = event.context;
        break;
      case 'retry':
        this.#streamed = '';
        this.lines(eventLines(event, this.look));
        break;
      case 'turn_ended':
        this.#endTurn(event.end);
        break;
      case 'turn_failed':
        this.#problem(`${event.code}: ${event.message} ${event.hint}`);
        break;
      default:
        this.lines(eventLines(event, this.look));
        break;
    }
  }

  /** Whole lines, below a text that has not ended its line. */
  lines(lines: readonly string[]): void {
    this.#live.clear();
    this.#tail = '';
    this.#forming = 0;
    if (this.#midLine) this.#output.result('');
    this.#midLine = false;
    for (const line of lines) this.#output.result(line);
  }

  /** Takes away what is still forming: somebody else is going to write. */
  clear(): void {
    this.#live.clear();
  }

  #write(text: string): void {
    this.#output.modelText(text);
    if (text !== '') this.#midLine = !text.endsWith('\n');
  }

  /** Streamed text is never told twice: who came later gets it here. */
  #endResponse({ content, usage }: ModelResponse): void {
    this.#usage = addUsage(this.#usage, usage);
    const whole = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (this.#streamed.length < whole.length) {
      this.lines([]);
      this.#write(whole);
    }
    this.#streamed = '';
    this.lines([]);
  }

  #endTurn({ reason, detail }: TurnEnd): void {
    if (reason === 'interrupted') this.#problem(reason);
    else if (reason !== 'completed') this.#problem(detail ?? reason);
    const line = usageLine({
      usage: this.#usage,
      requests: this.#requests,
      context: this.#context,
      durationMs: performance.now() - this.#started,
    });
    this.lines(line === undefined ? [] : [this.#output.colours.dim(line)]);
  }

  #problem(text: string): void {
    this.lines(rowsOf(`[${printable(text)}]`, this.look).map(this.#output.colours.red));
  }

  #showForming({ name, json }: Extract<SessionEvent, { kind: 'tool_input' }>): void {
    this.#forming += json.length;
    if (this.#midLine) this.lines([]);
    this.#dim([`  … ${oneLine(name, 40)}: ${this.#forming} characters`]);
  }

  #showTail(text: string): void {
    this.#tail = (this.#tail + text).slice(-TAIL_CHARACTERS);
    if (this.#midLine) this.lines([]);
    const lines = this.#tail
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .slice(-TAIL_LINES);
    this.#dim(lines.map((line) => `    ${printable(lastOfProgress(line)).replaceAll('\t', '    ')}`));
  }

  #dim(rows: readonly string[]): void {
    const { colours, columns } = this.look;
    this.#live.show(rows.map((row) => colours.dim(shortened(row, columns - 1))));
  }
}

/** Programs paint progress over the same line. */
function lastOfProgress(line: string): string {
  return (
    line
      .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
      .replace(/\r+$/, '')
      .split('\r')
      .at(-1) ?? ''
  );
}
