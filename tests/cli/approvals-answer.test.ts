/** An answer from a command counts for what the command has shown, and for nothing else. */
import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { type AnswerOptions, answerWaiting } from '../../src/cli/approvals-answer.ts';
import { noticeLines } from '../../src/cli/approvals-watch.ts';
import { byPrefix } from '../../src/cli/by-prefix.ts';
import type { Output } from '../../src/cli/output.ts';
import type { ApprovalReply, PendingApproval } from '../../src/core/protocol.ts';
import type { Decision } from '../../src/core/vocabulary.ts';
import { pending } from '../support/fake-session.ts';

const colours = picocolors.createColors(false);

async function answer(
  waiting: readonly PendingApproval[],
  options: Partial<AnswerOptions>,
  refusal?: Decision,
) {
  const said: string[] = [];
  const replies: [string, ApprovalReply][] = [];
  const output = { result: (line: string) => void said.push(line), colours } as unknown as Output;
  const code = await answerWaiting(
    {
      approvals: async () => waiting,
      answer: async (id, reply) => {
        replies.push([id, reply]);
        return refusal;
      },
    },
    { answer: 'allow', id: 'a1', reason: undefined, always: false, json: false, env: {}, ...options },
    output,
  );
  return { code, said: said.join('\n'), replies };
}

const alwaysRule = 'Bash(git push origin main)';

test('it shows what is allowed, and sends the digest of that', async () => {
  const { code, said, replies } = await answer([pending({ id: 'a1b2' }), pending({ id: 'c3' })], {});
  expect(code).toBe(0);
  expect(said).toContain('question a1b2');
  expect(said).toContain('  command: git push');
  expect(replies).toEqual([['a1b2', { answer: 'allow', inputDigest: 'd1' }]]);
});

test('an allowed call that a rule refuses by now is told as refused, with exit code 3', async () => {
  const cause = { kind: 'builtin', name: 'x' } as const;
  const refusal: Decision = { behavior: 'deny', reason: 'Denied by rule Bash(git *).', cause };
  const { code, said } = await answer([pending({ alwaysRule })], { always: true }, refusal);
  expect(code).toBe(3);
  expect(said).toContain('Allowed, but it does not run: Denied by rule Bash(git *).');
  const { said: json } = await answer([pending({ alwaysRule })], { always: true, json: true }, refusal);
  expect(JSON.parse(json)).toMatchObject({ answer: 'allow', refusal });
  expect(json).not.toContain('remembered');
});

test('a denial takes its reason along', async () => {
  const { said, replies } = await answer([pending()], { answer: 'deny', reason: 'not on Fridays' });
  expect(replies).toEqual([['a1', { answer: 'deny', inputDigest: 'd1', reason: 'not on Fridays' }]]);
  expect(said).toContain('Denied: not on Fridays');
});

test('--always sends the rule that was offered, and none of its own', async () => {
  const { replies, said } = await answer([pending({ alwaysRule })], { always: true });
  expect(replies[0]?.[1]).toEqual({ answer: 'allow', inputDigest: 'd1', alwaysRule });
  expect(said).toContain(alwaysRule);
  await expect(answer([pending()], { always: true })).rejects.toMatchObject({ code: 'USAGE' });
});

test('an id that is not there, or not the only one that begins so, answers nothing', async () => {
  await expect(answer([], {})).rejects.toMatchObject({ code: 'APPROVAL_GONE' });
  await expect(answer([pending({ id: 'a1x' }), pending({ id: 'a1y' })], {})).rejects.toMatchObject({
    code: 'USAGE',
  });
  await expect(answer([pending()], { id: '' })).rejects.toMatchObject({ code: 'APPROVAL_GONE' });
  expect(byPrefix('ab', [{ id: 'ab' }, { id: 'abc' }], 'session', 'SESSION_UNKNOWN')).toEqual({ id: 'ab' });
});

test('watching shows the question as a terminal would, and who answered', () => {
  const look = { colours, columns: 80 };
  const asked = noticeLines({ kind: 'approval_requested', approval: pending({ id: 'a1b2c3d4e5' }) }, look);
  expect(asked).toContain('  command: git push');
  expect(asked.at(-1)).toContain('hookd approvals allow a1b2c3d4');
  const { session } = pending();
  const resolved = { kind: 'approval_resolved', id: 'a1b2c3d4e5', session } as const;
  const lines = noticeLines({ ...resolved, answer: { answer: 'allow', client: 'phone' } }, look);
  expect(lines).toEqual(['a1b2c3d4 answered by phone: allowed']);
});
