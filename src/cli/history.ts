/** The prompts of earlier conversations, for the arrow keys. A convenience: what cannot be kept is not worth a failure. */
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const HISTORY_LINES = 500;

/** Stands for a line end, in the file and on the one line where a person gets a prompt back. */
const LINE_END = '⏎';

export function shownInHistory(prompt: string): string {
  return prompt.replaceAll('\n', LINE_END);
}

export function takenFromHistory(line: string): string {
  return line.replaceAll(LINE_END, '\n');
}

export class PromptHistory {
  readonly #path: string;

  constructor(hookdHome: string) {
    this.#path = join(hookdHome, 'chat-history');
  }

  /** Newest first, as readline keeps it. */
  read(): string[] {
    try {
      if (!this.#isFile()) return [];
      const lines = readFileSync(this.#path, 'utf8').split('\n').filter(Boolean);
      return lines.slice(-HISTORY_LINES).toReversed();
    } catch {
      return [];
    }
  }

  add(prompt: string): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      if (!this.#isFile()) return;
      appendFileSync(this.#path, `${shownInHistory(prompt)}\n`, { mode: 0o600 });
    } catch {
      // The audit holds every prompt anyway.
    }
  }

  /** Not a named pipe, which would hold us; a file that is not there yet will be one. */
  #isFile(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.isFile() !== false;
  }
}
