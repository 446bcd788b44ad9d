/** One run of a command hook: how it is started, what it is given, how it may end. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hookTimeoutMs } from '../../src/hooks/command.ts';
import { braces, commandHook, hostIn, runHook } from './hooks.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hookd hook '));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const ended = async (command: string, changes = {}) => {
  const { end, stdout, stderr } = await runHook(command, { host: hostIn(directory), ...changes });
  return { end, stdout, stderr };
};

describe('how a hook is started', () => {
  test('a command goes to bash', async () => {
    expect(
      await ended('[[ abc =~ b.$ ]] && echo "$BASH_VERSION" | cut -c1 && set -o | grep -c posix'),
    ).toEqual({
      end: { kind: 'exited', code: 0 },
      stdout: expect.stringMatching(/^\d\n1\n$/),
      stderr: '',
    });
  });

  test('where there is no bash it goes to sh', async () => {
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    symlinkSync('/bin/sh', join(bin, 'sh'));
    const host = hostIn(directory, { PATH: bin });
    expect((await ended('echo "from $0"', { host })).stdout).toBe('from sh\n');
  });

  test('a command of several lines, with comments and pipes, is one script', async () => {
    expect((await ended('# comment\necho a |\n  tr a b\necho c')).stdout).toBe('b\nc\n');
  });

  test('with args there is no shell, and only the braces of the project are filled in', async () => {
    const run = await ended('printf', {
      args: [
        '<%s>',
        'a b',
        '$HOME',
        '`id`',
        '~',
        '$CLAUDE_PROJECT_DIR',
        braces('CLAUDE_PROJECT_DIR', '/x'),
        braces('HOOKD_PROJECT_DIR'),
        braces('HOME'),
      ],
    });
    expect(run.stdout).toBe(
      `<a b><$HOME><\`id\`><~><$CLAUDE_PROJECT_DIR><${directory}/x><${directory}><\${HOME}>`,
    );
  });

  test('an executable in the project is found through the braces, blanks in the path and all', async () => {
    const script = join(directory, 'h.sh');
    writeFileSync(script, '#!/bin/sh\nprintf "<%s>" "$@" >&2; exit 2\n');
    chmodSync(script, 0o755);
    expect(await ended(braces('CLAUDE_PROJECT_DIR', '/h.sh'), { args: ['a b'] })).toEqual({
      end: { kind: 'exited', code: 2 },
      stdout: '',
      stderr: '<a b>',
    });
  });

  test('args that are empty are args: a shell string is then no program', async () => {
    const { end } = await ended('echo hi; exit 0', { args: [] });
    expect(end).toEqual({ kind: 'notStarted', message: expect.stringContaining('was not found') });
  });

  test('PowerShell is not supported, which is said', async () => {
    const powershell = { type: 'command', command: 'echo hi', shell: 'powershell' } as const;
    const { end } = await ended('', { handler: powershell });
    expect(end).toEqual({ kind: 'notStarted', message: 'PowerShell is not supported' });
  });

  test('it runs in the project, in a session of its own, without a terminal', async () => {
    const { stdout } = await ended(
      'pwd; ps -o sid= -p $$ | tr -d " "; echo $$; [ -t 0 ] || (: < /dev/tty) 2>&1 | grep -c /dev/tty',
    );
    const [cwd, session, pid, noTerminal] = stdout.split('\n');
    expect({ cwd, isLeader: session === pid, noTerminal }).toEqual({
      cwd: directory,
      isLeader: true,
      noTerminal: '1',
    });
  });
});

describe('what a hook is given', () => {
  test('the payload and then the end of file', async () => {
    const payload = '{"a":"é\\n"}\n';
    expect((await ended('cat; echo end', { payload })).stdout).toBe(`${payload}end\n`);
  });

  test('two readers of one hook do not share what is left: each opens it from the start', async () => {
    expect(
      (await ended('head -c 3 < /dev/stdin; echo; head -c 5 /dev/stdin', { payload: '0123456789' })).stdout,
    ).toBe('012\n01234');
  });

  test('the project, the session and its directory, and nothing that could run code unasked', async () => {
    const host = hostIn(directory, {
      PATH: process.env['PATH'],
      HOME: '/home/u',
      ANTHROPIC_API_KEY: 'secret',
      ANTHROPIC_AUTH_TOKEN: 'secret',
      BASH_ENV: '/tmp/x',
      'BASH_FUNC_ls%%': '() { echo no; }',
      LD_PRELOAD: '/tmp/x.so',
      NODE_OPTIONS: '--require /tmp/x.js',
      MINE: 'kept',
    });
    const { stdout } = await ended('env | sort', { host, envFile: '/tmp/env-file' });
    const names = stdout
      .split('\n')
      .filter((line) => line !== '' && !/^(PATH|_|PWD|OLDPWD|SHLVL)=/.test(line));
    expect(names).toEqual([
      'CLAUDECODE=1',
      'CLAUDE_CODE_SESSION_ID=session-1',
      'CLAUDE_ENV_FILE=/tmp/env-file',
      `CLAUDE_PROJECT_DIR=${directory}`,
      'HOME=/home/u',
      `HOOKD_PROJECT_DIR=${directory}`,
      `HOOKD_SESSION_DIR=${host.sessionDir}`,
      'MINE=kept',
    ]);
  });

  test('the environment of its own scope', async () => {
    const host = {
      ...hostIn(directory),
      environmentOf: (scope: string) => ({ PATH: process.env['PATH'] ?? '', SCOPE: scope }),
    };
    expect((await ended('echo $SCOPE', { host })).stdout).toBe('user\n');
  });
});

describe('the time a hook has', () => {
  test.each([
    ['PreToolUse', undefined, 600_000],
    ['UserPromptSubmit', undefined, 30_000],
    ['SessionEnd', undefined, 1_500],
    ['SessionEnd', 5_000, 5_000],
    ['Stop', 1e12, 1e12],
  ] as const)('%s with %s has %i ms', (event, timeoutMs, expected) => {
    expect(hookTimeoutMs(commandHook('true', { event, timeoutMs }))).toBe(expected);
  });
});

test('what is told of a started process can end the run', async () => {
  const onStarted = () => {
    throw new Error('cannot be recorded');
  };
  await expect(ended('sleep 60', { onStarted })).rejects.toThrow('cannot be recorded');
});
