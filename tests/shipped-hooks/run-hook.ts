/** Runs a shipped hook as its host would: a process of its own, a payload on stdin, an environment of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

export const HOOKS_DIR = resolve(import.meta.dirname, '../../hooks');

/** What lies beside the hooks and is none. */
const OTHERS = ['README.md', 'shell_words.py'];
export const HOOKS: readonly string[] = readdirSync(HOOKS_DIR).filter(
  (name) => !OTHERS.includes(name) && !name.startsWith('__'),
);

/** A version manager's stand-in for python takes longer to start than the hook: go to the real one. */
const pythonDirectory = answerOf('python3', ['-c', 'import sys; print(sys.executable)']);
const PATH = [
  ...(pythonDirectory === undefined ? [] : [dirname(pythonDirectory.trim())]),
  process.env['PATH'] ?? '',
].join(delimiter);

const PROBES: Readonly<Record<string, readonly string[]>> = {
  python3: ['-c', 'import json'],
  perl: ['-MJSON::PP', '-e', '1'],
  node: ['--version'],
  sh: ['-c', ':'],
};
const found = new Map(
  Object.entries(PROBES).map(([name, args]) => [name, answerOf(name, args) !== undefined]),
);

/** Why a hook cannot run here; undefined when it can. */
export function missing(hook: string): string | undefined {
  const interpreter = interpreterOf(hook);
  return found.get(interpreter) === true ? undefined : `${interpreter} (with JSON) is not installed`;
}

export function interpreterOf(hook: string): string {
  const [first = ''] = readFileSync(join(HOOKS_DIR, hook), 'utf8').split('\n', 1);
  return first.split(/[ /]/).at(-1) ?? '';
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A string goes to stdin as it is, anything else as JSON. */
export function runHook(hook: string, payload: unknown, options: RunOptions = {}): Promise<Ran> {
  return run(join(HOOKS_DIR, hook), options.args ?? [], payload, options);
}

export function run(
  file: string,
  args: readonly string[],
  payload: unknown,
  options: RunOptions = {},
): Promise<Ran> {
  const child = spawn(file, args, {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH, HOME: tmpdir(), ...options.env },
    // A session of its own, without a terminal.
    detached: true,
  });
  // A hook need not read what it is given.
  child.stdin.on('error', () => undefined);
  child.stdin.end(
    typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload),
  );
  return ended(child);
}

function ended(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

export const COMMON = {
  session_id: '6b1f6f0e-51c8-4d0e-8a51-3f2f4d1c9b7a',
  transcript_path: '/nowhere/transcript.jsonl',
  cwd: tmpdir(),
  permission_mode: 'default',
};

export const beforeTool = (tool_name: string, tool_input: object, more: object = {}) => ({
  ...COMMON,
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 'toolu_01',
  ...more,
});

export const afterTool = (
  tool_name: string,
  tool_input: object,
  tool_response: unknown,
  more: object = {},
) => ({
  ...beforeTool(tool_name, tool_input),
  hook_event_name: 'PostToolUse',
  tool_response,
  duration_ms: 12,
  ...more,
});

export const bashResponse = (stdout: string, stderr = '') => ({
  stdout,
  stderr,
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});

/** A new directory whose path holds blanks, quotes and letters beyond ASCII. */
export const oddDirectory = () => realpathSync(mkdtempSync(join(tmpdir(), "hooks it's ünï code ")));

function answerOf(file: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
