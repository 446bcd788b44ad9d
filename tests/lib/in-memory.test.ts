import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isSafePlace, madeForAMoment } from '../../src/lib/in-memory.ts';

test('what cannot be made in memory is made where temporary files are; only what fails there too is told', async () => {
  const tried: string[] = [];
  const made = await madeForAMoment((directory) => {
    tried.push(directory);
    if (directory !== tmpdir()) throw new Error('full');
    return 'made';
  });
  expect(made).toBe('made');
  expect(tried.at(-1)).toBe(tmpdir());
  const nowhere = madeForAMoment((directory) => {
    throw new Error(`full: ${directory}`);
  });
  await expect(nowhere).rejects.toThrow(`full: ${tmpdir()}`);
});

test.each([
  [0o700, true],
  [0o755, true],
  [0o1777, true],
  [0o777, false],
  [0o770, false],
])(
  'a directory of mode %o is a place for them where nobody can put another file there: %s',
  (mode, isSafe) => {
    const directory = mkdtempSync(join(tmpdir(), 'hookd-place-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    chmodSync(directory, mode);
    expect(isSafePlace(directory)).toBe(isSafe);
  },
);

test('a directory that is not there is no place for them', () => {
  expect(isSafePlace('/nowhere/at/all')).toBe(false);
});
