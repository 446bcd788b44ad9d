/** Many calls in one session; the long run, with times and memory, is scripts/soak-calls.ts. */
import { expect, it } from 'vitest';
import { soakCalls } from '../../scripts/soak-calls.ts';

it('the hundredth call writes and tells as much as the tenth', async () => {
  const { records, written, told } = await soakCalls(120, 'mixed');
  expect(records).toBeGreaterThan(8 * 120);
  expect(written).toHaveLength(120);
  const round = (values: readonly number[], from: number) => values.slice(from, from + 6);
  // The same calls, in the same order: only ids with more digits are longer.
  for (const [index, bytes] of round(written, 102).entries())
    expect(bytes - (round(written, 12)[index] ?? 0)).toBeLessThan(20);
  expect(round(told, 102)).toEqual(round(told, 12));
}, 60_000);
