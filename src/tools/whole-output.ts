/**
 * The whole output of commands, where it is longer than what the model is shown: files of the session, which Read pages
 * through. They hold text that Read can show: what is no UTF-8, and NUL characters, are replaced.
 */
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, lstatSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { messageOf, systemCode } from '../core/errors.ts';
import { namesIn } from '../lib/names-in.ts';
import { OUTPUT_NAME } from '../permissions/kept-output.ts';

export interface OutputLimits {
  /** Of one output; what comes after is not kept. */
  readonly fileBytes: number;
  /** Of a session, and of all: the oldest go first. */
  readonly sessionBytes: number;
  readonly allBytes: number;
  /** Outputs that are older are removed when a session keeps its first. */
  readonly keptMs: number;
}

export const OUTPUT_LIMITS: OutputLimits = {
  fileBytes: 64 * 2 ** 20,
  sessionBytes: 512 * 2 ** 20,
  allBytes: 2 * 2 ** 30,
  keptMs: 7 * 24 * 60 * 60 * 1000,
};

/** `problem`: why not all of it is there. */
export type Kept =
  | {
      readonly path: string;
      readonly bytes: number;
      readonly lines: number;
      readonly problem: string | undefined;
    }
  | { readonly problem: string };

/** The outputs of one session, in `sessions/ID/outputs`. The directory is made with the first. */
export class SessionOutputs {
  readonly directory: string;
  readonly #limits: OutputLimits;
  readonly #files = new Map<string, string>();
  #hasSwept = false;

  constructor(directory: string, limits = OUTPUT_LIMITS) {
    this.directory = directory;
    this.#limits = limits;
  }

  /** Keeps the output of one call, once it is longer than `shownCharacters`. */
  start(id: string, shownCharacters: number): WholeOutput {
    return new WholeOutput(shownCharacters, this.#limits.fileBytes, () => this.#create(id));
  }

  /** For an output that a hook has replaced: who does that means to hide it. */
  remove(id: string): void {
    const path = this.#files.get(id);
    if (path !== undefined) rmSync(path, { force: true });
    this.#files.delete(id);
  }

  #create(id: string): { readonly path: string; readonly descriptor: number } {
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    if (!lstatSync(this.directory).isDirectory()) throw new Error(`${this.directory} is no directory`);
    this.#makeRoom();
    const name = nameFor(id);
    for (let count = 1; ; count += 1) {
      const path = join(this.directory, count === 1 ? `${name}.txt` : `${name}-${count}.txt`);
      try {
        const descriptor = openSync(path, 'wx', 0o600);
        this.#files.set(id, path);
        return { path, descriptor };
      } catch (error) {
        if (systemCode(error) !== 'EEXIST' || count === 1000) throw error;
      }
    }
  }

  #makeRoom(): void {
    const { fileBytes, sessionBytes, allBytes, keptMs } = this.#limits;
    if (!this.#hasSwept) {
      this.#hasSwept = true;
      const sessions = dirname(dirname(this.directory));
      const all = namesIn(sessions).flatMap((id) => outputsIn(join(sessions, id, basename(this.directory))));
      removeOldest(all, allBytes, Date.now() - keptMs);
    }
    removeOldest(outputsIn(this.directory), sessionBytes - fileBytes, 0);
  }
}

/** One output as it comes. What fails here costs the file, never the command. */
export class WholeOutput {
  readonly #decoder = new StringDecoder('utf8');
  readonly #shownCharacters: number;
  readonly #fileBytes: number;
  readonly #create: () => { readonly path: string; readonly descriptor: number };
  #waiting = '';
  #file: { readonly path: string; readonly descriptor: number } | undefined;
  #bytes = 0;
  #newlines = 0;
  #endsLine = true;
  #problem: string | undefined;

  constructor(
    shownCharacters: number,
    fileBytes: number,
    create: () => { readonly path: string; readonly descriptor: number },
  ) {
    this.#shownCharacters = shownCharacters;
    this.#fileBytes = fileBytes;
    this.#create = create;
  }

  add(chunk: Uint8Array): void {
    if (this.#problem === undefined) this.#addText(this.#decoder.write(chunk));
  }

  /** The file; undefined when all of the output is shown, or nothing could be kept. Nothing may be added afterwards. */
  finish(): Kept | undefined {
    if (this.#problem === undefined) this.#addText(this.#decoder.end());
    const problem = this.#problem;
    if (this.#file === undefined) return problem === undefined ? undefined : { problem };
    closeSync(this.#file.descriptor);
    const lines = this.#newlines + (this.#endsLine ? 0 : 1);
    return { path: this.#file.path, bytes: this.#bytes, lines, problem };
  }

  #addText(text: string): void {
    try {
      this.#waiting += text;
      if (this.#file === undefined && this.#waiting.length <= this.#shownCharacters) return;
      this.#file ??= this.#create();
      const waiting = this.#waiting;
      this.#waiting = '';
      this.#write(this.#file.descriptor, waiting);
    } catch (error) {
      this.#problem = messageOf(error);
      this.#dropHalf();
    }
  }

  /** What a full disk took of a piece may end in the middle of a character. */
  #dropHalf(): void {
    try {
      if (this.#file !== undefined) ftruncateSync(this.#file.descriptor, this.#bytes);
    } catch {
      // it stays as it is: Read says so
    }
  }

  #write(descriptor: number, text: string): void {
    const bytes = Buffer.from(text.replaceAll('\0', '\ufffd'), 'utf8');
    const room = this.#fileBytes - this.#bytes;
    const part = bytes.length <= room ? bytes : bytes.subarray(0, wholeCharacters(bytes, room));
    for (let written = 0; written < part.length; ) {
      written += writeSync(descriptor, part, written);
    }
    this.#bytes += part.length;
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) this.#newlines += 1;
    if (part.length > 0) this.#endsLine = part.at(-1) === 10;
    if (part.length < bytes.length) this.#problem = `only the first ${this.#bytes} bytes are kept`;
  }
}

/** At most `most` bytes, with no character cut in two. */
function wholeCharacters(bytes: Buffer, most: number): number {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** An id is the endpoint's word: it must not lead anywhere. */
function nameFor(id: string): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

interface Output {
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

function outputsIn(directory: string): readonly Output[] {
  return namesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && OUTPUT_NAME.test(name)
      ? [{ path, bytes: stats.size, changedMs: stats.mtimeMs }]
      : [];
  });
}

/** All that were last written before `sinceMs`, then the oldest until the rest fits. */
function removeOldest(outputs: readonly Output[], mostBytes: number, sinceMs: number): void {
  let bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  for (const output of outputs.toSorted((a, b) => a.changedMs - b.changedMs)) {
    if (bytes <= mostBytes && output.changedMs >= sinceMs) return;
    rmSync(output.path, { force: true });
    bytes -= output.bytes;
  }
}
