/** What `hookd doctor` looks at outside of hookd: Node, the shell, the home directory, the key. */
import { statSync } from 'node:fs';
import { HookdError, systemCode } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { describeModel } from '../daemon/model-access.ts';
import { VERSION } from '../daemon/version.ts';
import { isOnPath } from '../hooks/program.ts';
import { childEnvironment } from '../lib/child-env.ts';
import { runProcess } from '../lib/subprocess.ts';
import { connectAnyVersion } from './connection.ts';
import type { Check, DoctorOptions, Found } from './doctor.ts';

/** The grammar that commands are judged by. */
const OLDEST_BASH = 4;
const SHELL_MS = 5000;

export const machineChecks: readonly Check[] = [
  { name: 'node', look: () => [node()] },
  { name: 'shell', look: shell },
  { name: 'home', look: ({ env }) => home(hookdHomeOf(env)) },
  { name: 'daemon', look: daemon },
  { name: 'model', look: ({ env }) => [model(env)] },
];

function node(): Found {
  const { version, platform } = process;
  if (platform !== 'linux')
    return {
      state: 'warns',
      what: `Node ${version} on ${platform}`,
      advice: 'hookd is made for Linux: what needs /proc (processes after a crash, survivors) is not there.',
    };
  return { state: 'ok', what: `Node ${version} on ${platform} ${process.arch}` };
}

async function shell({ env }: DoctorOptions): Promise<readonly Found[]> {
  const given = childEnvironment(env, { projectDir: '/' });
  const { PATH = '' } = given;
  if (!isOnPath('bash', PATH))
    return [
      {
        state: 'fails',
        what: `There is no bash on PATH (${PATH || 'empty'}).`,
        advice: 'Install bash: the Bash tool and hooks run with it, and commands are judged by its grammar.',
      },
    ];
  const { end, stdout } = await runProcess({
    ...{ file: 'bash', args: ['-c', 'printf %s "$BASH_VERSION"'], cwd: '/', env: given },
    ...{ streams: 'separate', keepCharacters: 200, timeoutMs: SHELL_MS },
    signal: new AbortController().signal,
  });
  const version = stdout.first + stdout.last;
  if (end.kind !== 'exited' || end.code !== 0)
    return [
      {
        state: 'fails',
        what: `bash does not start (${end.kind}).`,
        advice: 'Run "bash -c true" and see why.',
      },
    ];
  if (Number.parseInt(version, 10) < OLDEST_BASH)
    return [
      {
        state: 'warns',
        what: `bash ${version}`,
        advice: `Commands are judged as bash ${OLDEST_BASH} or newer reads them: install one.`,
      },
    ];
  return [{ state: 'ok', what: `bash ${version}` }];
}

/** Others who could write there would have the user's authority. */
function home(path: string): readonly Found[] {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory())
      return [
        { state: 'fails', what: `${path} is not a directory.`, advice: 'Move it away, or set HOOKD_HOME.' },
      ];
    const user = process.getuid?.();
    if (user !== undefined && stats.uid !== user)
      return [
        {
          state: 'fails',
          what: `${path} belongs to user ${stats.uid}.`,
          advice: `chown it to user ${user}, or set HOOKD_HOME.`,
        },
      ];
    if ((stats.mode & 0o022) !== 0)
      return [
        {
          state: 'fails',
          what: `Others may write in ${path}: they have your authority.`,
          advice: `chmod 700 ${path}`,
        },
      ];
    if ((stats.mode & 0o077) !== 0)
      return [{ state: 'warns', what: `Others may look into ${path}.`, advice: `chmod 700 ${path}` }];
    return [{ state: 'ok', what: path }];
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return [{ state: 'ok', what: `${path} (comes into being with the first session)` }];
  }
}

function model(env: NodeJS.ProcessEnv): Found {
  try {
    return { state: 'ok', what: `${describeModel(env, hookdHomeOf(env))}; a key is there` };
  } catch (error) {
    if (!(error instanceof HookdError)) throw error;
    return {
      state: error.code === 'MODEL_NOT_CONFIGURED' ? 'warns' : 'fails',
      what: error.message,
      advice: error.hint,
    };
  }
}

async function daemon({ env }: DoctorOptions): Promise<readonly Found[]> {
  try {
    const { health, socketPath } = await connectAnyVersion(env, 'hookd doctor');
    const what = `hookd ${health.version} runs (pid ${health.pid}) at ${socketPath}`;
    if (health.version === VERSION) return [{ state: 'ok', what }];
    return [
      {
        state: 'warns',
        what,
        advice: `This is hookd ${VERSION}: "hookd daemon restart" runs it as this version.`,
      },
    ];
  } catch (error) {
    if (!(error instanceof HookdError)) throw error;
    if (error.code === 'DAEMON_UNREACHABLE')
      return [{ state: 'ok', what: 'none runs; a conversation starts it' }];
    return [{ state: 'fails', what: error.message, advice: error.hint }];
  }
}
