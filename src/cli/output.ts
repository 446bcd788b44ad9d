/** Where a command's words go: results to stdout, everything else to stderr; colours only on a terminal that wants them. */
import picocolors from 'picocolors';
import { EXIT, systemCode } from '../core/errors.ts';
import { COLUMNS } from './columns.ts';

export type Colours = ReturnType<typeof picocolors.createColors>;

export interface Output {
  /** What the command was asked for; one line, to stdout. */
  readonly result: (line: string) => void;
  /** The model's words, to stdout, without a newline; made safe where stdout is a terminal. */
  readonly modelText: (text: string) => void;
  /** Warnings and errors, to stderr. */
  readonly note: (line: string) => void;
  /** What is going on: to stderr, and only when that is a terminal; else the lines are not asked for. */
  readonly progress: (lines: () => readonly string[]) => void;
  readonly colours: Colours;
  /** Columns of the terminal on stdout, 80 for one that is narrower; undefined where there is none. */
  readonly columns?: number | undefined;
  /** True once stdout takes no more. */
  readonly isClosed: () => boolean;
}

export function processOutput(env: NodeJS.ProcessEnv): Output {
  let closed = false;
  const { stdout, stderr } = process;
  const note = (line: string) => void stderr.write(`${stderr.isTTY === true ? printable(line) : line}\n`);
  stderr.on('error', () => undefined);
  stdout.on('error', (error) => {
    // Ends the output, never the work: that has its own record. A reader that leaves (`| head`) is no failure.
    if (closed || systemCode(error) === 'EPIPE') {
      closed = true;
      return;
    }
    closed = true;
    note(`hookd: the output could not be written: ${error.message}`);
    process.once('exit', () => {
      process.exitCode ||= EXIT.failed;
    });
  });
  const coloured = stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
  const write = (text: string) => {
    if (!closed) stdout.write(text);
  };
  return {
    result: (line) => write(`${stdout.isTTY === true ? printableButColours(line) : line}\n`),
    modelText: (text) => write(stdout.isTTY === true ? printable(text) : text),
    note,
    progress: (lines) => {
      if (stderr.isTTY !== true) return;
      for (const line of lines()) stderr.write(`${printableButColours(line)}\n`);
    },
    colours: picocolors.createColors(coloured),
    columns: stdout.isTTY === true ? Math.max(stdout.columns || COLUMNS, COLUMNS) : undefined,
    isClosed: () => closed,
  };
}

/** Makes text safe for a terminal: control characters, which could move the cursor or hide text, are shown as escapes. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu,
    escaped,
  );
}

/** For lines with colours of our own; whatever others put into them is made printable where it is put in. */
export function printableButColours(line: string): string {
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('');
}

/** The form that JSON has for a character, so that a line of JSON stays one. */
export function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** One line of at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = printable(text.replace(/\s*\n\s*/g, ' ⏎ '));
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
