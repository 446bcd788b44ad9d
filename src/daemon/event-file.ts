/**
 * The events of one session on the disk, so that a client that comes back after a restart misses nothing, and no number
 * is given twice. Display only: a disk that fails is told once, and the session goes on.
 */
import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import { readRegular } from '../lib/read-regular.ts';
import { replaceFile } from '../lib/replace-file.ts';

/** No session gets there; beyond what a number can count, one would be given twice. */
const LAST_NUMBER = 2 ** 48;

export interface NumberedEvent {
  readonly id: number;
  readonly event: SessionEvent;
}

/** An event with what it takes on the disk. */
export interface KeptEvent extends NumberedEvent {
  readonly line: string;
}

export class EventFile {
  readonly #path: string;
  readonly #warn: (text: string) => void;
  #descriptor: number | undefined;
  #bytes = 0;
  #hasFailed = false;

  constructor(path: string, warn: (text: string) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** Begins with what is kept, in a file of its own size. */
  replace(kept: readonly KeptEvent[]): void {
    this.#attempt(() => {
      this.close();
      const text = kept.map(({ line }) => line).join('');
      replaceFile(this.#path, text);
      this.#bytes = text.length;
    });
  }

  /** When it returns, the lines survive the death of this process. */
  append(kept: readonly KeptEvent[]): void {
    this.#attempt(() => {
      this.#descriptor ??= openForAppend(this.#path);
      const text = kept.map(({ line }) => line).join('');
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written);
      this.#bytes += text.length;
    });
  }

  /** About as many bytes as the file has. */
  get size(): number {
    return this.#bytes;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#warn(
        `The events of this session cannot be kept in ${this.#path} (${messageOf(error)}): whoever comes back after a restart of hookd will not see them.`,
      );
    }
  }
}

/** The whole events of a file, the oldest first; what is torn or not ours is left out. */
export function readEvents(path: string): readonly KeptEvent[] {
  let text: string;
  try {
    text = readRegular(path);
  } catch {
    return [];
  }
  let last = 0;
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const read = eventIn(line);
      if (read === undefined || read.id <= last) return [];
      last = read.id;
      return [{ ...read, line: `${line}\n` }];
    });
}

function eventIn(line: string): NumberedEvent | undefined {
  try {
    const value = JSON.parse(line) as Partial<NumberedEvent> | null;
    if (typeof value?.event?.kind !== 'string' || !Number.isSafeInteger(value.id)) return undefined;
    const read = value as NumberedEvent;
    return read.id <= LAST_NUMBER ? read : undefined;
  } catch {
    return undefined;
  }
}

function openForAppend(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const open = () => openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    return open();
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return open();
  }
}
