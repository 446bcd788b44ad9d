import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../src/lib/compile-at-once.ts');

/** What a process says that asks for it, and then calls a function for the first time. */
function said(version: string) {
  const code = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, v8: '${version}' } });
    const { compileAtOnce } = await import(${JSON.stringify(MODULE)});
    compileAtOnce();
    compileAtOnce();
    const isMachineCode = new Function('called', 'called(); return %ActiveTierIsSparkplug(called);');
    console.log(isMachineCode(function called() { return 1; }));`;
  const args = ['--import', 'tsx', '--allow-natives-syntax', '--input-type=module', '-e', code];
  return promisify(execFile)(process.execPath, args);
}

it('what is called for the first time runs as machine code, and nobody is told', async () => {
  expect(await said(process.versions.v8)).toEqual({ stdout: 'true\n', stderr: '' });
});

it('a V8 that may not know the flag is left as it is', async () => {
  expect(await said('99.0')).toEqual({ stdout: 'false\n', stderr: '' });
});
