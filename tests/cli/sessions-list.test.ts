/** How `hookd sessions list` shows a session. */
import { describe, expect, test } from 'vitest';
import { sessionLines } from '../../src/cli/sessions-list.ts';
import { columnsOf } from '../../src/cli/width.ts';
import type { SessionInfo } from '../../src/core/protocol.ts';

const ID = '5f1b2c3d-0000-4000-8000-00000000000a';

const session = (changes: Partial<SessionInfo> = {}): SessionInfo =>
  ({
    ...{ id: ID, state: 'idle', cwd: '/home/me/app', lastActiveAt: '2026-11-30T12:34:56.000Z', approvals: 0 },
    ...changes,
  }) as SessionInfo;

const LONG = {
  cwd: `/home/me/${'deep/'.repeat(30)}end`,
  title: 'words '.repeat(20),
  state: 'resumable',
} as const;

test('where nobody sees it on a terminal it is one line, whole, with the id first', () => {
  expect(sessionLines(session({ ...LONG, approvals: 12 }), undefined)).toEqual([
    `${ID}  resumable  2026-11-30T12:34Z  ${LONG.cwd}  12 waiting  ${'words '.repeat(20).slice(0, 59)}…`,
  ]);
  expect(sessionLines(session(), undefined)).toEqual([`${ID}  idle       2026-11-30T12:34Z  /home/me/app`]);
});

describe('on a terminal', () => {
  test.each([80, 100, 200])('of %i columns no line is longer', (columns) => {
    for (const changes of [{}, LONG, { ...LONG, title: '漢字'.repeat(40), approvals: 999 }]) {
      const lines = sessionLines(session(changes), columns);
      expect(lines[0]).toMatch(new RegExp(`^${ID}  `));
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  test('the beginning of a long directory goes before its end, and leaves room for the title', () => {
    expect(sessionLines(session({ ...LONG, approvals: 1 }), 80)).toEqual([
      `${ID}  resumable  2026-11-30T12:34Z  1 waiting`,
      expect.stringMatching(/^ {2}…\S{36}end {2}words words .*…$/),
    ]);
  });

  test('a title breaks no line and moves no cursor', () => {
    const lines = sessionLines(session({ title: 'a\nb\u001b[2J' }), 80);
    expect(lines).toEqual([`${ID}  idle       2026-11-30T12:34Z`, '  /home/me/app  a ⏎ b\\u001b[2J']);
  });
});
