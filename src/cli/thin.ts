/**
 * The commands that ask the daemon one thing: they are played before the command line's parser, and all that it
 * brings, is loaded. Whatever is not plainly one of them is left to `main`.
 */
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { type Output, processOutput } from './output.ts';
import { leaveMissingDirectory } from './start-directory.ts';

interface Question {
  readonly env: NodeJS.ProcessEnv;
  readonly json: boolean;
}

type Play = (question: Question, output: Output) => Promise<number>;

const PLAYS: Readonly<Record<string, () => Promise<Play>>> = {
  'approvals list': async () => (await import('./approvals-list.ts')).approvalsListCommand,
  'sessions list': async () => (await import('./sessions-list.ts')).sessionsListCommand,
  'daemon status': async () => (await import('./daemon-status.ts')).statusCommand,
};

/** False: the command line is for `main`. */
export async function playThin(args: readonly string[]): Promise<boolean> {
  const [first, second, ...flags] = args;
  const name = `${first} ${second}`;
  if (!Object.hasOwn(PLAYS, name) || flags.length > 1 || flags.some((flag) => flag !== '--json'))
    return false;
  const { env } = process;
  const output = processOutput(env);
  leaveMissingDirectory();
  try {
    const play = await PLAYS[name]?.();
    process.exitCode = await play?.({ env, json: flags.length > 0 }, output);
  } catch (error) {
    process.exitCode = report(error, output);
  }
  return true;
}

function report(error: unknown, output: Output): number {
  if (error instanceof HookdError) {
    output.note(`hookd: ${error.code}: ${error.message}\n${error.hint}`);
    return error.exitCode;
  }
  output.note(`hookd: ${error instanceof Error ? error.stack : messageOf(error)}`);
  return EXIT.failed;
}
