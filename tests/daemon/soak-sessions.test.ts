/** Five busy sessions in one daemon, then kill -9; the long run is scripts/soak-sessions.ts. */
import { expect, it } from 'vitest';
import { soakSessions } from '../../scripts/soak-sessions.ts';

it('no session is lost or mixed up, and after kill -9 all are there, go on, and the audit verifies', async () => {
  const soak = await soakSessions(5, 1, 50);
  expect(soak.faults).toEqual([]);
  expect(soak.records).toBeGreaterThan(100);
  expect(soak.samples.at(-1)?.calls.every((count) => count > 0)).toBe(true);
}, 180_000);
