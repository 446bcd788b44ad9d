/** Makes hooks and runs of them, and runs the small misbehaving programs of the fixtures. */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CommandHost, type CommandOptions, runCommandHook } from '../../src/hooks/command.ts';
import type { HookEvent } from '../../src/hooks/events.ts';
import type { Handler, Hook, HookRun } from '../../src/hooks/hook.ts';
import { childEnvironment } from '../../src/lib/child-env.ts';

export const FIXTURES = resolve(import.meta.dirname, '../fixtures/hooks');

/** `${NAME}`, as it is written in settings. */
export function braces(name: string, rest = ''): string {
  return `$\{${name}}${rest}`;
}

export function commandHook(command: string, changes: Partial<Hook> & { args?: string[] } = {}): Hook {
  const { args, ...rest } = changes;
  const handler: Handler = {
    type: 'command',
    command,
    shell: 'bash',
    ...(args === undefined ? {} : { args }),
  };
  return hook(handler, rest);
}

export function hook(handler: Handler, changes: Partial<Hook> = {}): Hook {
  return {
    event: 'PreToolUse',
    matcher: undefined,
    handler,
    timeoutMs: undefined,
    condition: undefined,
    isAsync: false,
    onFailure: undefined,
    statusMessage: undefined,
    source: { file: '/home/u/.hookd/settings.json', line: 3, column: 7, scope: 'user', dialect: 'hookd' },
    ...changes,
  };
}

/** A run that ended like this, without anything having run. */
export function ran(
  event: HookEvent,
  { hook: of, exit, ...rest }: Partial<HookRun> & { exit?: number } = {},
): HookRun {
  return {
    hook: of ?? commandHook('guard.sh', { event }),
    end: { kind: 'exited', code: exit ?? 0 },
    stdout: '',
    stderr: '',
    truncated: false,
    durationMs: 1,
    survivors: 0,
    ...rest,
  };
}

export function hostIn(
  project: string,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): CommandHost {
  return {
    sessionId: 'session-1',
    sessionDir: join(tmpdir(), 'session-dir'),
    workplace: { project, cwd: project, home: '/home/u', hookdHome: '/home/u/.hookd', directories: [] },
    environmentOf: () => childEnvironment(variables, { projectDir: project }),
  };
}

interface Changes extends Partial<Hook>, CommandOptions {
  readonly args?: string[];
  readonly payload?: string;
  readonly host?: CommandHost;
  readonly signal?: AbortSignal;
}

/** Runs a command as a PreToolUse hook, by default in the directory of the fixtures. */
export function runHook(command: string, changes: Changes = {}): Promise<HookRun> {
  const { payload, host, signal, envFile, onStarted, ...rest } = changes;
  return runCommandHook(
    commandHook(command, rest),
    payload ?? '{"tool_name":"Bash"}\n',
    host ?? hostIn(FIXTURES),
    signal ?? new AbortController().signal,
    { ...(envFile === undefined ? {} : { envFile }), ...(onStarted === undefined ? {} : { onStarted }) },
  );
}
