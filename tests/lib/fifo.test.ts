import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Fifo, FifoPool } from '../../src/lib/fifo.ts';
import { runScript } from './children.ts';

let taken: Fifo[];
let batches: (readonly string[])[];
let pool: FifoPool;
beforeEach(() => {
  taken = [];
  batches = [];
  pool = new FifoPool(async (paths) => {
    batches.push(paths);
    await runScript(`mkfifo -m 600 ${paths.join(' ')}`);
  });
});
afterEach(() => {
  for (const fifo of taken) fifo.close();
});
async function take(): Promise<Fifo> {
  const fifo = await pool.take();
  taken.push(fifo);
  return fifo;
}

test('what is written arrives, and what is still in the pipe is drained', async () => {
  const fifo = await take();
  let text = '';
  fifo.read((chunk) => {
    text += Buffer.from(chunk).toString();
  });
  writeSync(fifo.writer, 'one ');
  await vi.waitFor(() => expect(text).toBe('one '));
  writeSync(fifo.writer, 'two');
  fifo.drain();
  expect(text).toBe('one two');
  fifo.drain();
  expect(text).toBe('one two');
});

test('they are made in batches, in a private directory, and leave nothing there', async () => {
  const fifo = await take();
  await Promise.all([take(), take(), take()]);
  expect(batches).toHaveLength(1);
  expect(statSync(`/proc/self/fd/${fifo.writer}`).isFIFO()).toBe(true);
  expect(readlinkSync(`/proc/self/fd/${fifo.writer}`)).toMatch(/ \(deleted\)$/);
  expect(existsSync(dirname(batches[0]?.[0] ?? ''))).toBe(false);
});

test('they are made in memory where there is a place for it', async () => {
  const fifo = await take();
  const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  expect(dirname(dirname(batches[0]?.[0] ?? ''))).toBe(place);
  expect(readlinkSync(`/proc/self/fd/${fifo.writer}`)).toMatch(new RegExp(`^${place}/`));
});

test('they are made where temporary files are when the memory is full', async () => {
  const crowded = new FifoPool(async (paths) => {
    batches.push(paths);
    if (paths[0]?.startsWith('/dev/shm/')) throw new Error('No space left on device');
    await runScript(`mkfifo -m 600 ${paths.join(' ')}`);
  });
  const fifo = await crowded.take();
  taken.push(fifo);
  expect(readlinkSync(`/proc/self/fd/${fifo.writer}`)).toMatch(new RegExp(`^${tmpdir()}/`));
  for (const [path = ''] of batches) expect(existsSync(dirname(path))).toBe(false);
});

test('several that wait for an empty pool share one batch', async () => {
  await Promise.all(Array.from({ length: 65 }, take));
  expect(batches).toHaveLength(2);
  expect(new Set(taken.map((fifo) => fifo.writer)).size).toBe(65);
});

test('when none can be made, whoever waits is told, nothing is left, and the next one may succeed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hookd-fifo-test-'));
  let fails = true;
  const unlucky = new FifoPool(async (paths) => {
    if (fails) throw new Error('no FIFOs today');
    await runScript(`mkfifo -m 600 ${paths.join(' ')}`);
  });
  await expect(Promise.all([unlucky.take(), unlucky.take()])).rejects.toThrow('no FIFOs today');
  fails = false;
  taken.push(await unlucky.take());
  expect(readdirSync(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});
