/** What becomes of a session whose terminal goes. */
import { describe, expect, test } from 'vitest';
import { letGo } from '../../src/cli/let-go.ts';
import type { SessionInfo } from '../../src/core/protocol.ts';
import { FakeSession } from '../support/fake-session.ts';

async function leave(info: Partial<SessionInfo>, { isDaemon = true, isJoined = false } = {}) {
  const client = new FakeSession(info);
  const lines = await letGo({ client, after: 0, isJoined }, { isDaemon });
  return { ends: client.ends, said: lines.join('\n'), id: client.info.id };
}

describe('in the daemon', () => {
  test('an idle session is ended, and can be come back to', async () => {
    const { ends, said, id } = await leave({ turns: 2 });
    expect(ends).toEqual(['left']);
    expect(said).toBe(`Come back with: hookd --resume ${id}`);
  });

  test('one whose turn runs or waits goes on, and that is said', async () => {
    for (const state of ['running', 'waiting'] as const) {
      const { ends, said, id } = await leave({ turns: 1, state });
      expect(ends).toEqual([]);
      expect(said).toContain('The turn goes on in the daemon');
      expect(said).toContain(`hookd --resume ${id}`);
    }
  });

  test('one that was there before is left as it is', async () => {
    expect((await leave({ turns: 2 }, { isJoined: true })).ends).toEqual([]);
  });

  test('one in which nothing was said is ended without a word', async () => {
    expect(await leave({})).toMatchObject({ ends: ['left'], said: '' });
  });
});

test('in this process the session ends with the process', async () => {
  const { ends, said } = await leave({ turns: 1, state: 'running' }, { isDaemon: false });
  expect(ends).toEqual([]);
  expect(said).toMatch(/^Come back with/);
});
