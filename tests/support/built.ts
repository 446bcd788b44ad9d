/** Builds dist/ before the tests when it is missing or stale, unless they are to drive another build. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** All that tests leave lies in one directory, which goes with the run. Returns what removes it. */
export function setup(): () => void {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-tests-')));
  // Some tests go on as another user, as everywhere in a temporary directory.
  chmodSync(root, 0o1777);
  process.env['TMPDIR'] = root;
  build();
  return () => {
    try {
      rmSync(root, { recursive: true, force: true });
    } catch (error) {
      console.warn(`${root} could not be removed: ${String(error)}`);
    }
  };
}

function build(): void {
  if (process.env['HOOKD_BIN'] !== undefined) return;
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../../scripts/setup.cjs')], {
    stdio: 'inherit',
  });
}
