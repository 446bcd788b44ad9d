/**
 * The operational log: faults inside hookd, for those who mend it. It is never the audit: nothing depends on it, and
 * what cannot be logged is not worth a failure.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Logger {
  /** Resolves when the entry is written, or cannot be. */
  readonly error: (what: string, error: unknown) => Promise<void>;
}

/** JSON Lines at `path` (0600); file and logger come into being with the first entry. */
export function fileLogger(path: string): Logger {
  return {
    async error(what, error) {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // A named pipe would hold us until somebody reads it.
        if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return;
        const { destination, pino } = await import('pino');
        pino({}, destination({ dest: path, sync: true, mode: 0o600 })).error({ err: error }, what);
      } catch {
        // A full disk must not turn a logged fault into a second one.
      }
    },
  };
}
