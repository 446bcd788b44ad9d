/**
 * Notices changed settings files between calls, so that people are told at once. No decision depends on it: the store looks
 * at its files before every call by itself.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

export interface WatchOptions {
  /** Absolute paths; they need not exist. */
  readonly files: readonly string[];
  /** Called when the files have been quiet; says after how many ms to look again although nothing stirs. */
  readonly look: () => Promise<number | undefined>;
}

export interface SettingsWatch {
  readonly close: () => Promise<void>;
}

/** Chokidar tells of a change at once, but of no other within 50 ms: only quiet for longer than that is an end. */
const QUIET_MS = 100;
/** Files that are never quiet are looked at nevertheless. */
const LONGEST_WAIT_MS = 1000;

/** Resolves when everything is watched. Does not keep the process alive. */
export async function watchSettings({ files, look }: WatchOptions): Promise<SettingsWatch> {
  const { watch } = await import('chokidar');
  const roots = new Set(files.map(rootOf));
  const wanted = new Set([...files, ...files.map((file) => dirname(file)), ...roots]);
  const watcher = watch([...roots], {
    depth: 1,
    ignored: (path) => !wanted.has(path),
    ignoreInitial: true,
    persistent: false,
  });
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  let isClosed = false;
  const lookIn = (ms: number): void => {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      since = undefined;
      void look().then((again) => {
        if (again !== undefined && since === undefined) lookIn(again);
      });
    }, ms);
    timer.unref();
  };
  watcher.on('all', () => {
    since ??= performance.now();
    lookIn(Math.max(0, Math.min(QUIET_MS, since + LONGEST_WAIT_MS - performance.now())));
  });
  // What cannot be watched (too many watches, say) is looked at before the next call all the same.
  watcher.on('error', () => undefined);
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  // What was saved before everything was watched.
  lookIn(0);
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** A file that is replaced is another file: its directory is watched; the one above, where that is yet to come. */
function rootOf(file: string): string {
  const directory = dirname(file);
  return existsSync(directory) ? directory : dirname(directory);
}
