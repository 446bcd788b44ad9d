import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTimer } from '../../src/lib/timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DAY_MS = 24 * 60 * 60_000;

test.each([
  ['a tenth of a second', 100],
  ['the longest that a timer of Node takes', 2 ** 31 - 1],
  ['one millisecond more', 2 ** 31],
  ['thirty days', 30 * DAY_MS],
  ['twice the longest', 2 * (2 ** 31 - 1)],
  ['a year', 365 * DAY_MS],
])('%s passes before it goes off, once', (_name, ms) => {
  const run = vi.fn();
  startTimer(ms, run);
  vi.advanceTimersByTime(ms - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a time without end does not come', () => {
  const run = vi.fn();
  const stop = startTimer(Number.POSITIVE_INFINITY, run);
  vi.advanceTimersByTime(1000 * DAY_MS);
  expect(run).not.toHaveBeenCalled();
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('called off in a later step it never goes off', () => {
  const run = vi.fn();
  const stop = startTimer(60 * DAY_MS, run);
  vi.advanceTimersByTime(50 * DAY_MS);
  stop();
  vi.advanceTimersByTime(50 * DAY_MS);
  expect(run).not.toHaveBeenCalled();
});
