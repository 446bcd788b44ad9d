/** Where a command's words go: results to stdout, everything else to stderr; colours only on a terminal that wants them. */
import picocolors from 'picocolors';

export interface Output {
  /** What the command was asked for; one line, to stdout. */
  readonly result: (line: string) => void;
  /** The model's words, to stdout, without a newline; made safe where stdout is a terminal. */
  readonly modelText: (text: string) => void;
  /** Warnings and errors, to stderr. */
  readonly note: (line: string) => void;
  /** What is going on: to stderr, and only when that is a terminal. */
  readonly progress: (line: string) => void;
  readonly colours: ReturnType<typeof picocolors.createColors>;
  /** True once the reader of stdout has gone away. */
  readonly isClosed: () => boolean;
}

export function processOutput(env: NodeJS.ProcessEnv): Output {
  let closed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that leaves (`| head`) ends the output, never the work: that has its own record.
    if (error.code !== 'EPIPE') throw error;
    closed = true;
  });
  process.stderr.on('error', () => undefined);
  const coloured = process.stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
  const write = (text: string) => {
    if (!closed) process.stdout.write(text);
  };
  return {
    result: (line) => write(`${line}\n`),
    modelText: (text) => write(process.stdout.isTTY === true ? printable(text) : text),
    note: (line) => void process.stderr.write(`${line}\n`),
    progress: (line) => {
      if (process.stderr.isTTY === true) process.stderr.write(`${line}\n`);
    },
    colours: picocolors.createColors(coloured),
    isClosed: () => closed,
  };
}

/** Makes text safe for a terminal: control characters, which could move the cursor or hide text, are shown as escapes. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** One line of at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = printable(text.replace(/\s*\n\s*/g, ' ⏎ '));
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
