/** A too old Node gets one clear line, from the set-up as from the program. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOKD } from '../support/hookd.ts';

const SETUP = resolve(import.meta.dirname, '../../scripts/setup.cjs');

/** Runs a script under a Node that says it is another version. */
function runAs(version: string, script: string, args: readonly string[] = []) {
  const fake = join(mkdtempSync(join(tmpdir(), 'hookd-node-')), 'fake.cjs');
  writeFileSync(
    fake,
    `Object.defineProperty(process, 'version', { value: 'v${version}' });
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', fake, script, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.each([
  ['the set-up', SETUP, []],
  ['hookd', HOOKD, ['--version']],
])('%s', (_, script, args) => {
  it.each(['12.22.12', '18.20.4', '20.18.3'])('refuses Node %s in one line', (version) => {
    expect(runAs(version, script, args)).toEqual({
      status: 1,
      stdout: '',
      stderr: `hookd needs Node 20.19 or newer; this is v${version}.\n`,
    });
  });

  it.each(['20.19.0', '22.0.0', '24.1.0'])('takes Node %s', (version) => {
    expect(runAs(version, script, args)).toMatchObject({ status: 0, stderr: '' });
  });
});
