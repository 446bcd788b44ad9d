/** What a session last saw of each file: a change by somebody else in between is noticed before it is overwritten. */
import type { BigIntStats } from 'node:fs';

export class SeenFiles {
  readonly #byPath = new Map<string, string>();

  /** Remembers the state of a file that the session has just read or written, by its links-resolved path. */
  remember(path: string, stats: BigIntStats): void {
    this.#byPath.set(path, identityOf(stats));
  }

  /** True when the session saw the file before and it is no longer as it was then. */
  changedSinceSeen(path: string, stats: BigIntStats | undefined): boolean {
    const seen = this.#byPath.get(path);
    return seen !== undefined && (stats === undefined || seen !== identityOf(stats));
  }

  forget(path: string): void {
    this.#byPath.delete(path);
  }
}

/** Whether a file is as it was; undefined stands for no file. */
export function sameState(before: BigIntStats | undefined, now: BigIntStats | undefined): boolean {
  return (before && identityOf(before)) === (now && identityOf(now));
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}
