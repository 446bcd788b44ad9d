/**
 * What bash itself makes of command texts. Each runs in a directory of its own, where nothing real can be started
 * (`stage.sh`), with limits on time, processes and files, and not as root.
 */
import { spawn } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Observed {
  readonly text: string;
  readonly cwd: string;
  readonly home: string;
  /** Every command that was to be started, and the wrappers that were called. */
  readonly executed: readonly (readonly string[])[];
  /** Files that are new or were emptied, absolute. */
  readonly written: readonly string[];
}

const STAGE = readFileSync(join(import.meta.dirname, 'stage.sh'));
const DRIVER = `
ulimit -t 2 -f 256 -u 400 -c 0
for dir; do
  cd "$dir/a/b" || exit 1
  IFS= read -r -d '' text < "$dir/text"
  OLDPWD=$dir/a FUZZ_LOG=$dir/log HOME=$dir/home BASH_ENV=$STAGE /bin/bash -c "$text" </dev/null >/dev/null 2>&1
  : > "$dir/done"
done`;
/** A case that waits for something would hold up its batch: the rest of the batch is run again without it. */
const LONGEST_WAIT_MS = 20_000;
/** Nobody: no process of ours may be reached, and no file outside the directory. */
const UNPRIVILEGED = 64_123;

const GIVEN = ['a', 'a/b', 'a/b/d1', 'a/b/d2', 'home'] as const;
const FILES = ['a/b/k1', 'a/b/k2', 'a/b/d1/k3'] as const;

/** The files that a case finds, absolute. */
export function filesBefore(cwd: string): readonly string[] {
  return [...FILES.map((name) => join(cwd, '../..', name)), join(cwd, 'd2/none')];
}

/** Runs the texts, in order, and tells of each what bash did; undefined for one that did not end. */
export async function runInBash(texts: readonly string[]): Promise<readonly (Observed | undefined)[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-fuzz-')));
  const isRoot = process.getuid?.() === 0;
  const own = (path: string): void => {
    if (isRoot) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  };
  try {
    own(root);
    const dirs = texts.map((text, index) => {
      const dir = join(root, String(index));
      for (const path of [dir, ...GIVEN.map((name) => join(dir, name))]) {
        mkdirSync(path);
        own(path);
      }
      for (const name of FILES) {
        writeFileSync(join(dir, name), '#');
        own(join(dir, name));
      }
      writeFileSync(join(dir, 'text'), text);
      return dir;
    });
    // Where the other user can read it: this checkout may lie in a directory of our own.
    writeFileSync(join(root, 'stage.sh'), STAGE);
    await runAll(dirs, isRoot);
    return dirs.map((dir, index) => (isDone(dir) ? observedIn(dir, texts[index] ?? '') : undefined));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runAll(dirs: readonly string[], isRoot: boolean): Promise<void> {
  let left = dirs;
  while (left.length > 0) {
    await runBatch(left, isRoot);
    const firstOpen = left.findIndex((dir) => !isDone(dir));
    left = firstOpen < 0 ? [] : left.slice(firstOpen + 1);
  }
}

function runBatch(dirs: readonly string[], isRoot: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['--norc', '-c', DRIVER, 'driver', ...dirs], {
      env: { PATH: '/nonexistent', STAGE: join(dirs[0] ?? '', '../stage.sh'), SHLVL: '1', LC_ALL: 'C.UTF-8' },
      // The last one is held by whatever a case left running: it closes when all of them have ended.
      stdio: [
        'ignore',
        'ignore',
        'ignore',
        'ignore',
        'ignore',
        'ignore',
        'ignore',
        'ignore',
        'ignore',
        'pipe',
      ],
      detached: true,
      ...(isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, LONGEST_WAIT_MS);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function isDone(dir: string): boolean {
  return statSync(join(dir, 'done'), { throwIfNoEntry: false }) !== undefined;
}

function observedIn(dir: string, text: string): Observed {
  const known = new Set<string>([...GIVEN, 'text', 'log', 'done']);
  const written = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (known.has(name)) return false;
    return (FILES as readonly string[]).includes(name) ? statSync(join(dir, name)).size !== 1 : true;
  });
  return {
    text,
    cwd: join(dir, 'a/b'),
    home: join(dir, 'home'),
    executed: executedIn(join(dir, 'log')),
    written: written.map((name) => join(dir, name)),
  };
}

/** The log is the number of words and the words, each ended by NUL; a new line in a word is written as \x01. */
function executedIn(log: string): readonly (readonly string[])[] {
  if (statSync(log, { throwIfNoEntry: false }) === undefined) return [];
  const fields = readFileSync(log, 'utf8').replaceAll('\x01', '\n').split('\0');
  const executed: string[][] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const count = Number(fields[at]);
    executed.push(fields.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return executed;
}
