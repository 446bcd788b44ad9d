import { expect, test } from 'vitest';
import { variablesFor } from '../../src/settings/environment.ts';
import { save, testSession, warningsOf } from './session.ts';

test('values become text', () => {
  const session = testSession();
  save(session.userFile, { env: { A: 'x', B: 1, C: 0.5, D: true, E: false, F: '' } });
  expect(session.start().current().env).toEqual([
    { scope: 'user', values: { A: 'x', B: '1', C: '0.5', D: 'true', E: 'false', F: '' } },
  ]);
});

test('of a variable that several files set, the highest precedence counts, for those whom it reaches', () => {
  const session = testSession();
  const flags = { trustProject: true, claudeSettings: true };
  save(session.userFile, { env: { V: 'user', U: 'user' } });
  save(session.claude.user, { env: { V: 'claude', U: 'claude', C: 'claude' } });
  save(session.projectFile, { env: { V: 'project', P: 'project' } });
  save(session.localFile, { env: { V: 'local', L: 'local' } });
  const settings = ['{"env": {"V": "flag", "F": "flag"}}'];
  const ofUser = { U: 'user', C: 'claude' };

  const { env } = session.start(flags).current();
  expect(variablesFor('tools', env)).toEqual({ ...ofUser, V: 'local', P: 'project', L: 'local' });
  expect(variablesFor('project', env)).toEqual({ ...ofUser, V: 'local', P: 'project', L: 'local' });
  expect(variablesFor('local', env)).toEqual({ ...ofUser, V: 'local', L: 'local' });
  expect(variablesFor('user', env)).toEqual({ ...ofUser, V: 'user' });
  expect(variablesFor('command-line', env)).toEqual({});
  expect(variablesFor('managed', env)).toEqual({});

  const withFlag = session.start({ ...flags, settings }).current().env;
  expect(variablesFor('user', withFlag)).toEqual({ ...ofUser, V: 'flag', F: 'flag' });
  expect(variablesFor('command-line', withFlag)).toEqual({ V: 'flag', F: 'flag' });
});

test.each([
  ...['PATH', 'HOME', 'Path', 'SHELL', 'IFS', 'ENV', 'BASH_ENV', 'BASH_FUNC_ls%%', 'SHELLOPTS', 'PS4'],
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'PYTHONPATH', 'PERL5OPT'],
  ...[
    'GIT_EXTERNAL_DIFF',
    'GIT_SSH_COMMAND',
    'PAGER',
    'ANTHROPIC_BASE_URL',
    'HOOKD_HOME',
    'CLAUDE_PROJECT_DIR',
  ],
])('a trusted project cannot set %s; the user can', (name) => {
  const session = testSession();
  const content = { env: { [name]: '/evil', FINE: 'yes' } };
  save(session.projectFile, content);
  const snapshot = session.start({ trustProject: true }).current();
  expect(snapshot.env).toEqual([{ scope: 'project', values: { FINE: 'yes' } }]);
  expect(warningsOf(snapshot, session.projectFile)).toEqual([
    `3:5: env.${name}: a project cannot set this variable, ignored: it may change what a command runs, what code is loaded or where a secret is sent.`,
  ]);
  save(session.projectFile, '{}');
  save(session.userFile, content);
  expect(session.start().current().env).toEqual([
    { scope: 'user', values: { [name]: '/evil', FINE: 'yes' } },
  ]);
});
