/**
 * What a person types: prompts of one or several lines, answers to questions. What comes up meanwhile goes above what
 * they have typed; what they type while nobody asks is not echoed into the output, and is the next prompt.
 */
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface, type Interface } from 'node:readline/promises';
import { GatedOutput, type TerminalOutput } from './gated-output.ts';
import { HISTORY_LINES, shownInHistory, takenFromHistory } from './history.ts';

export interface LineInputOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: TerminalOutput;
  /** Newest first. */
  readonly history?: readonly string[];
}

const PROMPT = '> ';
/** In front of the further lines of a prompt. */
const FURTHER = '… ';
const PASTES = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

/** Somebody waits for a line: a question goes before a prompt. */
interface Waiting {
  readonly query: string;
  readonly take: (line: string | undefined) => void;
}

export class LineInput {
  readonly #options: LineInputOptions;
  readonly #gate: GatedOutput;
  readonly #history: string[];
  /** For other questions, before the conversation begins. */
  readonly readline: Interface;
  /** Whole prompts that nobody has asked for yet. */
  readonly #ahead: string[] = [];
  /** The lines before the one that is being typed. */
  #lines: string[] = [];
  #isPasting = false;
  #prompt: Waiting | undefined;
  #question: Waiting | undefined;
  /** What was typed when a question came: no answer to it. */
  #setAside = '';
  #isHidden = false;
  readonly #closing = new AbortController();
  /** Nothing is typed any more. */
  readonly closed = this.#closing.signal;
  /** Ctrl-C where no prompt is being typed. */
  onInterrupt: () => void = () => undefined;

  constructor(options: LineInputOptions) {
    this.#options = options;
    this.#gate = new GatedOutput(options.output);
    this.#history = [...(options.history ?? [])];
    this.readline = createInterface({
      input: options.input,
      output: this.#gate,
      terminal: true,
      history: this.#history,
      historySize: HISTORY_LINES,
    });
    this.readline
      // What belongs there is known only when all lines of a prompt are there.
      .on('history', (lines: string[]) => void lines.shift())
      .on('line', (line) => this.#takeLine(line))
      .on('SIGINT', () => this.#interrupt())
      .on('close', () => this.#close());
    options.input.on('keypress', (_text: unknown, key: { readonly name?: string } | undefined) => {
      if (key?.name === 'paste-start') this.#isPasting = true;
      if (key?.name === 'paste-end') this.#isPasting = false;
    });
    options.output.write(PASTES.on);
  }

  /** A whole prompt; undefined when the person leaves (Ctrl-C on an empty line, end of input) or `signal` ends it. */
  prompt(signal: AbortSignal): Promise<string | undefined> {
    const ahead = this.#ahead.shift();
    if (ahead !== undefined) return Promise.resolve(ahead);
    return this.#wait(PROMPT, signal, (waiting) => {
      this.#prompt = waiting;
    });
  }

  /** True where `prompt` has something to give at once. */
  get hasPromptAhead(): boolean {
    return this.#ahead.length > 0;
  }

  /** One line, which stays out of the history; undefined when `signal` ends the question, or the input has ended. */
  async answer(query: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#question === undefined) this.#setTypedAside();
    return this.#wait(query, signal, (waiting) => {
      this.#question = waiting;
    });
  }

  /** No prompt is shown until `reveal`; what is typed then is kept. */
  hide(): void {
    if (this.#shown !== undefined) this.#erase();
    this.#isHidden = true;
    this.#gate.isOpen = false;
  }

  reveal(): void {
    this.#isHidden = false;
    this.#show();
  }

  /** Lets `write` write above what is being typed. */
  above(write: () => void): void {
    if (this.#shown !== undefined) this.#erase();
    write();
    this.#show();
  }

  forgetAhead(): void {
    this.#ahead.length = 0;
  }

  close(): void {
    this.#options.output.write(PASTES.off);
    this.readline.close();
  }

  get #shown(): Waiting | undefined {
    return this.#question ?? (this.#isHidden ? undefined : this.#prompt);
  }

  #wait(
    query: string,
    signal: AbortSignal,
    keep: (waiting: Waiting | undefined) => void,
  ): Promise<string | undefined> {
    if (this.closed.aborted || signal.aborted) return Promise.resolve(undefined);
    return new Promise((done) => {
      const take = (line: string | undefined) => {
        signal.removeEventListener('abort', withdraw);
        const isQuestion = this.#question?.take === take;
        keep(undefined);
        if (isQuestion) this.#giveBack();
        this.#show();
        done(line);
      };
      const withdraw = () => {
        if (this.#shown?.take === take) {
          this.#endLine();
          // Half an answer is no beginning of a prompt; half a prompt stays one.
          if (this.#question?.take === take) this.#empty();
        }
        take(undefined);
      };
      signal.addEventListener('abort', withdraw);
      keep({ query, take });
      this.#show();
    });
  }

  #takeLine(line: string): void {
    const question = this.#question;
    if (question !== undefined) {
      // Lines of a paste were not typed as an answer.
      if (this.#isPasting) this.#show();
      else question.take(line);
      return;
    }
    const goesOn = !this.#isPasting && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    if (this.#isPasting || goesOn) {
      this.#lines.push(goesOn ? line.slice(0, -1) : line);
      this.#show();
      return;
    }
    const text = [...this.#lines, takenFromHistory(line)].join('\n');
    this.#lines = [];
    this.#remember(text);
    if (this.#prompt !== undefined) this.#prompt.take(text);
    else if (text.trim() !== '') this.#ahead.push(text);
  }

  #remember(text: string): void {
    const entry = shownInHistory(text);
    if (entry.trim() === '') return;
    const at = this.#history.indexOf(entry);
    if (at >= 0) this.#history.splice(at, 1);
    this.#history.unshift(entry);
    if (this.#history.length > HISTORY_LINES) this.#history.pop();
  }

  #interrupt(): void {
    if (this.#question !== undefined || this.#prompt === undefined || this.#isHidden) this.onInterrupt();
    else if (this.readline.line === '' && this.#lines.length === 0) {
      this.#endLine();
      this.#prompt.take(undefined);
    } else {
      this.#lines = [];
      this.above(() => this.#empty());
    }
  }

  #close(): void {
    this.#closing.abort();
    this.#question?.take(undefined);
    this.#prompt?.take(undefined);
  }

  #setTypedAside(): void {
    this.#setAside = this.readline.line;
    this.#empty();
  }

  #giveBack(): void {
    const typed = this.#setAside;
    this.#setAside = '';
    if (typed === '' || this.closed.aborted) return;
    this.#gate.isOpen = false;
    this.readline.write(typed);
  }

  /** On both sides of the cursor, and without drawing it. */
  #empty(): void {
    this.#gate.isOpen = false;
    this.readline.write(null, { ctrl: true, name: 'e' });
    this.readline.write(null, { ctrl: true, name: 'u' });
  }

  #show(): void {
    const shown = this.#shown;
    this.#gate.isOpen = shown !== undefined && !this.closed.aborted;
    if (!this.#gate.isOpen || shown === undefined) return;
    const isPrompt = shown === this.#prompt;
    this.readline.setPrompt(isPrompt && this.#lines.length > 0 ? FURTHER : shown.query);
    // It would go up by the rows that it has drawn last, which are not there any more.
    Object.assign(this.readline, { prevRows: 0 });
    this.readline.prompt(true);
  }

  /** Takes the prompt and what was typed off the screen, not out of the line. */
  #erase(): void {
    const { output } = this.#options;
    const { rows } = this.readline.getCursorPos();
    if (rows > 0) moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  }

  #endLine(): void {
    if (this.#gate.isOpen) this.#options.output.write('\n');
  }
}
