import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/lib/child-env.ts';

const ADDED = { SHLVL: '1', CLAUDE_PROJECT_DIR: '/project', HOOKD_PROJECT_DIR: '/project', CLAUDECODE: '1' };
const environment = (base: Record<string, string | undefined>) =>
  childEnvironment(base, { projectDir: '/project' });

test('credentials, loaders and what changes a shell are taken out; all else stays', () => {
  const stays = {
    PATH: '/bin',
    HOME: '/home/me',
    ENVIRONMENT: 'x',
    MY_ENV: 'x',
    OLD_LD_PATH: 'x',
    BUILD_KEY: 'x',
    ANTHROPIC_BASE_URL: 'https://models.example',
    ANTHROPIC_MODEL: 'm',
    EMPTY: '',
  };
  const goes = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_AUTH_TOKEN: 't',
    ANTHROPIC_FOUNDRY_API_KEY: 'k',
    ANTHROPIC_BEARER_TOKEN_X: 't',
    BASH_ENV: '/f',
    ENV: '/f',
    'BASH_FUNC_ls%%': '() { :; }',
    LD_PRELOAD: '/x.so',
    LD_LIBRARY_PATH: '/x',
    DYLD_INSERT_LIBRARIES: '/x',
    NODE_OPTIONS: '--require /x',
    SHELLOPTS: 'noexec',
    BASHOPTS: 'extglob',
    UNSET: undefined,
  };
  expect(environment({ ...goes, ...stays })).toEqual({ ...stays, ...ADDED });
});

test('what the host adds is not taken from outside', () => {
  const outside = { CLAUDE_PROJECT_DIR: '/other', HOOKD_PROJECT_DIR: '/other', CLAUDECODE: '0' };
  expect(environment(outside)).toEqual(ADDED);
});

test.each([
  [undefined, '1'],
  ['0', '1'],
  ['-5', '1'],
  ['x', '1'],
  ['3', '3'],
])('SHLVL %s becomes %s', (inherited, level) => {
  expect(environment({ SHLVL: inherited })['SHLVL']).toBe(level);
});
