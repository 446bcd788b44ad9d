/** Builds dist/ before the tests when it is missing or stale, unless they are to drive another build. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

export function setup(): void {
  if (process.env['HOOKD_BIN'] !== undefined) return;
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../../scripts/setup.cjs')], {
    stdio: 'inherit',
  });
}
