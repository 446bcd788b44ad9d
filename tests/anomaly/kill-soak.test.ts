/** kill -9 under four busy sessions; the long run is scripts/kill-soak.ts. */
import { expect, it } from 'vitest';
import { killSoak } from '../../scripts/kill-soak.ts';

it('after each of ten kills all chains are sound, and no command ran without its permit on record', async () => {
  const soak = await killSoak(10, 7);
  expect(soak.kills).toBe(10);
  expect(soak.marks).toBeGreaterThan(10);
}, 120_000);
