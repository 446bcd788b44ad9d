import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test.each([
  ...['BASH', 'BASH_ARGV0', 'BASH_COMPAT', 'BASH_ENV', 'BASH_LOADABLES_PATH', 'BASH_XTRACEFD', 'BASHOPTS'],
  ...[
    'BASH_FUNC_ls%%',
    'BASH_FUNC_ls()',
    'SHELLOPTS',
    'ENV',
    'POSIXLY_CORRECT',
    'CDPATH',
    'PWD',
    'OLDPWD',
    'DIRSTACK',
  ],
  ...['EXECIGNORE', 'GLOBIGNORE', 'GLOBSORT', 'FIGNORE', 'FUNCNEST', 'IFS', 'OPTARG', 'OPTERR', 'OPTIND'],
  ...['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS3', 'PS4', 'TIMEFORMAT', 'TMOUT', 'INPUTRC', 'FCEDIT'],
  ...['HISTCONTROL', 'HISTFILE', 'HISTFILESIZE', 'HISTIGNORE', 'HISTSIZE', 'HISTTIMEFORMAT', 'histchars'],
  ...['auto_resume', 'EUID', 'UID', 'PPID', 'GROUPS'],
])('the shell variable %s is taken out', (name) => {
  expect(environment({ [name]: '1' })).toEqual(ADDED);
});

test.each([
  'CDPATHS',
  'MY_IFS',
  'PS10',
  'HISTORY',
  'OPTIONS',
  'BASHFUL',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'SHELL',
])('%s is no such variable and stays', (name) => {
  expect(environment({ [name]: '1' })).toEqual({ ...ADDED, [name]: '1' });
});

/** Each prints "changed" in a bash that has the variable. */
test.each([
  ['CDPATH', '/usr', 'cd bin && echo changed'],
  ['OLDPWD', '/usr', 'cd - && echo changed'],
  ['POSIXLY_CORRECT', '1', '[[ -o posix ]] && echo changed'],
  ['BASH_COMPAT', '31', '[[ abc =~ "a.c" ]] && echo changed'],
  ['BASH_ARGV0', 'changed', 'echo "$0"'],
  ['FUNCNEST', '1', 'g() { :; }; f() { g; }; (f 2>/dev/null) || echo changed'],
  ['TIMEFORMAT', 'changed', 'time true'],
  ['TMOUT', '1', '[ -n "$TMOUT" ] && echo changed'],
  ['histchars', '@^#', '[ -n "$histchars" ] && echo changed'],
  ['UID', '12345', '[ "$UID" = 12345 ] && echo changed'],
  ['HOME', '.', '[ ~ = . ] && echo changed'],
])('%s does not change what a command means', (name, value, command) => {
  const cwd = mkdtempSync(join(tmpdir(), 'hookd-env-'));
  const outside = { PATH: process.env['PATH'] ?? '', [name]: value };
  const words = name === 'TIMEFORMAT' ? `{ ${command}; } 2>&1` : command;
  const shown = (env: Record<string, string>) =>
    execFileSync('bash', ['-c', `${words}; true`], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  expect(shown(outside)).toContain('changed');
  expect(shown(environment(outside))).not.toContain('changed');
});

test.each([undefined, '', '.', 'home', '~'])('HOME %j is none', (home) => {
  expect(environment({ HOME: home })).toEqual(ADDED);
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
