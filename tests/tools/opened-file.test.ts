import { appendFileSync, constants, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOnDisk, OpenedFile } from '../../src/tools/opened-file.ts';
import { read } from '../../src/tools/read.ts';
import { selectLines } from '../../src/tools/select-lines.ts';
import { makeWorkbench, runPermitted, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

test.each([
  ['a partition', 0x801, true],
  ['a large major number', 0xffff_f000_0000_0000n, true],
  ['a large minor number alone', 0x0000_0fff_fff0_00ffn, false],
  ['no device', 0x2d, false],
])('what has a block device is on a disk: %s', (_name, device, isThere) => {
  expect(isOnDisk(device)).toBe(isThere && process.platform === 'linux');
});

test.runIf(process.platform === 'linux')('what the kernel makes up is on no disk, and is read', async () => {
  const path = '/proc/version';
  expect(isOnDisk(statSync(path).dev)).toBe(false);
  const { ok, text } = await runPermitted(read, { file_path: path }, bench.context);
  expect({ ok, text }).toEqual({ ok: true, text: expect.stringContaining('Linux version') });
});

const ALL = { offset: 1, limit: undefined, maxBytes: 1024 * 1024 };

test.each([true, false])(
  'all of a file that grows while it is read (opened by a thread: %s)',
  async (waits) => {
    const path = join(bench.cwd, 'log');
    writeFileSync(path, 'first\n');
    const file = await OpenedFile.open(path, constants.O_RDONLY, waits);
    const more = 'and one more line\n'.repeat(20_000);
    appendFileSync(path, more);
    expect(await selectLines(file, ALL, new AbortController().signal)).toEqual({
      kind: 'text',
      text: `first\n${more}`,
      more: 0,
      newlines: 20_001,
    });
    await file.close();
  },
);

test('a file is closed once: its number may mean another file by then', async () => {
  const path = join(bench.cwd, 'f');
  writeFileSync(path, 'x');
  const file = await OpenedFile.open(path, constants.O_RDONLY, false);
  await file.close();
  await expect(file.close()).resolves.toBeUndefined();
});
