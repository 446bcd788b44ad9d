/** Builds dist/ before the tests when it is missing or stale. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

export function setup(): void {
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../../scripts/setup.cjs')], {
    stdio: 'inherit',
  });
}
