/**
 * The commands that ask the daemon or the audit log one thing: they are played before the command line's parser, and
 * all that it brings, is loaded. Whatever is not plainly one of them is left to `main`.
 */
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { plainTailFlags } from './audit-tail-flags.ts';
import { type Output, processOutput } from './output.ts';
import { leaveMissingDirectory } from './start-directory.ts';

interface Question {
  readonly env: NodeJS.ProcessEnv;
  readonly json: boolean;
}

type Play = (env: NodeJS.ProcessEnv, output: Output) => Promise<number>;

/** Each gives undefined where its flags are for the parser. */
const PLAYS: Readonly<Record<string, (flags: readonly string[]) => Play | undefined>> = {
  'approvals list': asked(async () => (await import('./approvals-list.ts')).approvalsListCommand),
  'sessions list': asked(async () => (await import('./sessions-list.ts')).sessionsListCommand),
  'daemon status': asked(async () => (await import('./daemon-status.ts')).statusCommand),
  'audit tail': tail,
};

/** A question with no flag but `--json`. */
function asked(load: () => Promise<(question: Question, output: Output) => Promise<number>>) {
  return (flags: readonly string[]): Play | undefined => {
    if (flags.length > 1 || flags.some((flag) => flag !== '--json')) return undefined;
    return async (env, output) => (await load())({ env, json: flags.length > 0 }, output);
  };
}

function tail(flags: readonly string[]): Play | undefined {
  const asked = plainTailFlags(flags);
  if (asked === undefined) return undefined;
  return async (env, output) => {
    const [{ tailCommand }, { auditDirectoryOf, hookdHomeOf }] = await Promise.all([
      import('./audit-tail.ts'),
      import('../daemon/hookd-home.ts'),
    ]);
    const auditDirectory = auditDirectoryOf(hookdHomeOf(env));
    const { signal } = new AbortController();
    return tailCommand({ ...asked, auditDirectory, follow: false, signal }, output);
  };
}

/** False: the command line is for `main`. */
export async function playThin(args: readonly string[]): Promise<boolean> {
  const [first, second, ...flags] = args;
  const name = `${first} ${second}`;
  const play = Object.hasOwn(PLAYS, name) ? PLAYS[name]?.(flags) : undefined;
  if (play === undefined) return false;
  const { env } = process;
  const output = processOutput(env);
  leaveMissingDirectory();
  try {
    process.exitCode = await play(env, output);
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
