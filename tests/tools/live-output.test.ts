import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveOutput } from '../../src/tools/live-output.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const shown: string[] = [];
  return { shown, live: new LiveOutput((text) => void shown.push(text)) };
}

test('what comes within a tenth of a second is shown in one piece, the rest at the end', () => {
  const { shown, live } = watched();
  live.add(Buffer.from('one '));
  live.add(Buffer.from('two\n'));
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(shown).toEqual(['one two\n']);
  vi.advanceTimersByTime(10_000);
  live.add(Buffer.from('three'));
  live.finish();
  expect(shown).toEqual(['one two\n', 'three']);
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing is shown of nothing', () => {
  const { shown, live } = watched();
  live.finish();
  live.add(Buffer.of());
  live.finish();
  expect(shown).toEqual([]);
});

test('of a flood the end is shown, and the rest is counted', () => {
  const { shown, live } = watched();
  for (let n = 0; n < 1000; n++) live.add(Buffer.from('x'.repeat(1000)));
  live.add(Buffer.from('end'));
  vi.advanceTimersByTime(100);
  const head = '\n... (991811 characters not shown) ...\n';
  expect(shown).toEqual([`${head}${'x'.repeat(8 * 1024 - 3)}end`]);
});

test('no character is halved, neither between chunks nor at the cut', () => {
  const { shown, live } = watched();
  const [first, ...rest] = Buffer.from('€');
  live.add(Buffer.of(first ?? 0));
  vi.advanceTimersByTime(100);
  live.add(Buffer.from(rest));
  live.finish();
  expect(shown).toEqual(['€']);
  const other = watched();
  other.live.add(Buffer.from(`a${'😀'.repeat(8 * 1024)}b`));
  other.live.finish();
  expect(other.shown[0]).toBe(`\n... (8195 characters not shown) ...\n${'😀'.repeat(4 * 1024 - 1)}b`);
});
