import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isSafePlace, madeForAMoment, OURS, removeLeft } from '../../src/lib/in-memory.ts';

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

test('what a killed process has left is removed, and nothing else', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hookd-place-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'kept'), '');
  mkdirSync(join(directory, 'elsewhere'));
  writeFileSync(join(directory, 'elsewhere', 'file'), '');
  mkdirSync(join(directory, `${OURS}fifo-x`));
  writeFileSync(join(directory, `${OURS}fifo-x`, '0'), '');
  writeFileSync(join(directory, `${OURS}stdin-x`), 'payload');
  symlinkSync(join(directory, 'elsewhere'), join(directory, `${OURS}link`));
  removeLeft(directory, Date.now());
  expect(readdirSync(directory)).toHaveLength(5);
  removeLeft(directory, Date.now() + 3_600_000);
  expect(readdirSync(directory)).toEqual(['elsewhere', 'kept']);
  expect(readdirSync(join(directory, 'elsewhere'))).toEqual(['file']);
  removeLeft('/nowhere/at/all', Date.now());
});
