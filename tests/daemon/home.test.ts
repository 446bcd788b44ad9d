/** Where the user's own settings come from: a place that a project can choose would give it the user's authority. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookdHomeOf } from '../../src/daemon/hookd-home.ts';

const systemHome = userInfo().homedir;

test.each([
  [{ HOME: '/home/me' }, '/home/me/.hookd'],
  [{ HOME: '/home/me/../you' }, '/home/you/.hookd'],
  [{ HOOKD_HOME: '/x/', HOME: '/home/me' }, '/x'],
  [{}, join(systemHome, '.hookd')],
  [{ HOME: '' }, join(systemHome, '.hookd')],
  [{ HOME: '.' }, join(systemHome, '.hookd')],
  [{ HOME: 'sub/dir' }, join(systemHome, '.hookd')],
  [{ HOME: '~' }, join(systemHome, '.hookd')],
])('with %j it is %s', (env, home) => {
  expect(hookdHomeOf(env)).toBe(home);
});

test.each(['', ' ', '.', '.hookd', 'a/b', '~/.hookd'])('HOOKD_HOME=%j is refused', (value) => {
  expect(() => hookdHomeOf({ HOME: '/home/me', HOOKD_HOME: value })).toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('absolute path') }),
  );
});
