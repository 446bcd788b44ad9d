/** `hookd approvals list` where no daemon runs. */
import { expect, test } from 'vitest';
import { approvalsListCommand } from '../../src/cli/approvals-list.ts';
import type { PendingApproval } from '../../src/core/protocol.ts';
import type { SessionId } from '../../src/core/vocabulary.ts';
import { type StoredSession, writeApprovals, writeStored } from '../../src/daemon/session-files.ts';
import { makeWorkspace } from '../support/hookd.ts';

function stored(id: string, changes: Partial<StoredSession> = {}): StoredSession {
  const time = '2026-01-01T00:00:00.000Z';
  return {
    ...{
      v: 1,
      id: id as SessionId,
      cwd: '/w',
      project: '/w',
      model: 'm',
      permissionMode: 'default',
      tools: [],
    },
    ...{
      startedAt: time,
      lastActiveAt: time,
      turns: 1,
      tokens: 0,
      lastEventId: 1,
      auditFile: '/a',
      holder: null,
    },
    ...changes,
  };
}

function question(session: string): PendingApproval {
  return {
    id: `q-${session}`,
    session: session as SessionId,
    subject: 'Bash',
    input: { command: 'touch made' },
    decision: { behavior: 'ask', reason: 'no rule', cause: { kind: 'mode', mode: 'default' } },
    inputDigest: '0'.repeat(64),
    requestedAt: '2026-01-01T00:00:00.000Z',
  };
}

test('a question outlives the process of its session: it is still shown; that of an ended session is not', async () => {
  const { home, env } = makeWorkspace();
  for (const session of [stored('left'), stored('over', { ended: 'done' })]) {
    writeStored(home, session);
    writeApprovals(home, session.id, [question(session.id)]);
  }
  const list = async (json: boolean) => {
    const said = { lines: [] as string[], notes: [] as string[] };
    const output = {
      result: (line: string) => said.lines.push(line),
      note: (line: string) => said.notes.push(line),
    };
    expect(await approvalsListCommand({ env, json }, output)).toBe(0);
    expect(said.notes).toEqual(['hookd: no daemon runs: these are of sessions that were left.']);
    return said.lines;
  };
  const [first] = JSON.parse((await list(true)).join('')) as PendingApproval[];
  expect(first).toEqual({ ...question('left'), needsResume: true });
  expect(await list(false)).toContain('  cannot be answered yet; it asks again after: hookd --resume left');
});
