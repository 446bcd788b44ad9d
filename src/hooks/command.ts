/** One run of a command hook: the payload on stdin, no terminal, a process group of its own, the time bounded. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { KeptOutput } from '../lib/kept-output.ts';
import { runProcess, type StartedChild } from '../lib/subprocess.ts';
import { eventRow } from './events.ts';
import type { Handler, Hook, HookRun } from './hook.ts';
import type { HookHost } from './host.ts';

export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

export type CommandHost = Pick<HookHost, 'sessionId' | 'sessionDir' | 'workplace' | 'environmentOf'>;

export interface CommandOptions {
  /** SessionStart: where the hook may leave `export NAME=VALUE` lines for Bash. */
  readonly envFile?: string;
  /** Called as soon as the process exists. When it throws, the group is killed and `runCommandHook` throws the same. */
  readonly onStarted?: (child: StartedChild) => void;
}

/** Throws only what `onStarted` throws. */
export async function runCommandHook(
  hook: Hook,
  payload: string,
  host: CommandHost,
  signal: AbortSignal,
  options: CommandOptions = {},
): Promise<HookRun> {
  if (hook.handler.type !== 'command') return notStarted(hook, 'it is not a command');
  if (hook.handler.shell === 'powershell' && hook.handler.args === undefined)
    return notStarted(hook, 'PowerShell is not supported');
  const env = environment(host, hook, options.envFile);
  const { end, stdout, stderr, truncated, durationMs, survivors } = await runProcess({
    ...programOf(hook.handler, host.workplace.project, env['PATH']),
    cwd: host.workplace.project,
    env: { ...env, PWD: host.workplace.project },
    stdin: payload,
    streams: 'separate',
    // A character is never longer than its bytes: what stays under the limit is kept whole.
    keepCharacters: MAX_OUTPUT_BYTES,
    limitBytes: MAX_OUTPUT_BYTES,
    timeoutMs: hookTimeoutMs(hook),
    signal,
    ...(options.onStarted === undefined ? {} : { onStarted: options.onStarted }),
  });
  return { hook, end, stdout: textOf(stdout), stderr: textOf(stderr), truncated, durationMs, survivors };
}

export function hookTimeoutMs({ event, timeoutMs }: Hook): number {
  return timeoutMs ?? eventRow(event).timeoutMs;
}

/** A hook that was not started, as a run. */
export function notStarted(hook: Hook, message: string): HookRun {
  const end = { kind: 'notStarted', message } as const;
  return { hook, end, stdout: '', stderr: '', truncated: false, durationMs: 0, survivors: 0 };
}

function environment(host: CommandHost, hook: Hook, envFile: string | undefined): Record<string, string> {
  return {
    ...host.environmentOf(hook.source.scope),
    CLAUDE_CODE_SESSION_ID: host.sessionId,
    HOOKD_SESSION_DIR: host.sessionDir,
    ...(envFile === undefined ? {} : { CLAUDE_ENV_FILE: envFile }),
  };
}

/** With `args` there is no shell: of all that a shell would replace only the project's directory is. */
function programOf(
  { command, args }: Extract<Handler, { type: 'command' }>,
  project: string,
  path: string | undefined,
): { readonly file: string; readonly args: readonly string[] } {
  if (args === undefined) return { file: shellOn(path ?? ''), args: ['-c', command] };
  const fill = (text: string) => text.replace(/\$\{(?:CLAUDE|HOOKD)_PROJECT_DIR\}/g, () => project);
  return { file: fill(command), args: args.map(fill) };
}

const shells = new Map<string, 'bash' | 'sh'>();

/** Hooks are written for bash; where there is none, most of them still are for sh. */
function shellOn(path: string): 'bash' | 'sh' {
  const known = shells.get(path);
  if (known !== undefined) return known;
  const shell = path.split(':').some((directory) => isExecutable(join(directory, 'bash'))) ? 'bash' : 'sh';
  shells.set(path, shell);
  return shell;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function textOf({ first, last }: KeptOutput): string {
  return first + last;
}
