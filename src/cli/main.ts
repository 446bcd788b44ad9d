/** The command table: what a person types → one module each, loaded when it is asked for. Exit codes: docs/cli.md. */
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { VERSION } from '../daemon/version.ts';
import { approvalsCommands } from './approvals-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { COMPLETE, completionScript, SHELLS } from './completion.ts';
import { daemonCommands } from './daemon-commands.ts';
import { checkFlags, type DeclaredOptions } from './given-once.ts';
import { hooksCommands } from './hooks-commands.ts';
import { JSON_FLAG } from './json-flag.ts';
import { refuseMistyped } from './mistyped.ts';
import { type Output, processOutput } from './output.ts';
import { policyCommands } from './policy-commands.ts';
import {
  choiceOf,
  flagsOf,
  promptFlagsOf,
  promptOf,
  type SessionArguments,
  withSessionFlags,
} from './session-flags.ts';
import { sessionsCommands } from './sessions-commands.ts';
import { settingsCommands } from './settings-commands.ts';
import { settingsFlags, withSettingsFlags } from './settings-flags.ts';
import { closeUnaskedDebugger } from './signals.ts';
import { leaveMissingDirectory } from './start-directory.ts';

/** Columns of the help; a terminal may say 0, and a pipe says nothing. */
const WIDEST = 100;
const NARROWEST = 40;
const UNKNOWN = 80;

/** Plays one command line; ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const { env } = process;
  closeUnaskedDebugger(env);
  const output = processOutput(env);
  leaveMissingDirectory();
  try {
    const exitCode = await dispatch(args, env, output);
    process.exitCode = exitCode;
  } catch (error) {
    process.exitCode = report(error, output);
  }
}

function report(thrown: unknown, output: Output): number {
  // What is wrong with a flag's value is thrown by yargs itself, past `fail`.
  const isUsage = thrown instanceof Error && thrown.name === 'YError';
  const error = isUsage ? new HookdError('USAGE', `${thrown.message}.`) : thrown;
  if (error instanceof HookdError) {
    output.note(`hookd: ${error.code}: ${error.message}\n${error.hint}`);
    return error.exitCode;
  }
  output.note(`hookd: ${error instanceof Error ? error.stack : messageOf(error)}`);
  return EXIT.failed;
}

async function dispatch(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  let exitCode: number = EXIT.done;
  const becomes = (work: Promise<number>): Promise<void> =>
    work.then((code) => {
      exitCode = code;
    });
  // Loaded here: it needs a working directory.
  const { default: yargs } = await import('yargs');
  await yargs([...args])
    .parserConfiguration({ 'dot-notation': false, 'populate--': true })
    .scriptName('hookd')
    .version(VERSION)
    .usage('hookd: an agent daemon whose policy belongs to its user.')
    .command(
      '$0 [prompt..]',
      'Converse on this terminal; with -p: one prompt, then its result.',
      withSessionFlags,
      (argv) => becomes(argv.print ? runPrompt(argv, env, output) : converse(argv, env, output)),
    )
    .command(
      'run [prompt..]',
      'Play one prompt and print its result (the prompt may come on stdin).',
      withSessionFlags,
      (argv) => becomes(runPrompt(argv, env, output)),
    )
    .command(
      'demo [lesson]',
      'See the loop, the tools and the gates at work in a temporary directory; no key needed.',
      (y) =>
        y
          .positional('lesson', { choices: ['s01', 's02', 's03', 's04'] as const })
          .option('ask', {
            type: 'boolean',
            default: false,
            describe: 'put the real question; otherwise the answer is "no"',
          })
          .option('real', {
            type: 'boolean',
            default: false,
            describe: 'play the prompts against the configured model',
          })
          .option('keep', { type: 'boolean', default: false, describe: 'leave the temporary directory' })
          .option('json', { type: 'boolean', default: false, describe: 'print one JSON object at the end' }),
      (argv) => becomes(import('./demo.ts').then(({ demoCommand }) => demoCommand({ ...argv, env }, output))),
    )
    .command(
      'approvals',
      'Look at questions that wait for a person, answer them; see what was approved for good.',
      (y) => approvalsCommands(y, env, output, becomes),
    )
    .command('sessions', 'Look at sessions of the daemon, join in, end them.', (y) =>
      sessionsCommands(y, env, output, becomes),
    )
    .command('daemon', 'Start and stop the process that hosts sessions; look at it.', (y) =>
      daemonCommands(y, env, output, becomes),
    )
    .command('audit', 'Look at the audit log.', (y) => auditCommands(y, env, output, becomes))
    .command(
      'trust [dir]',
      'Let the settings of a project loosen and run hooks, from now on.',
      (y) =>
        y
          .positional('dir', { type: 'string', describe: 'the project, or a directory in it; default: here' })
          .option('revoke', { type: 'boolean', default: false, describe: 'take it back' })
          .option('list', { type: 'boolean', default: false, describe: 'show the projects that are trusted' })
          .option('claude-settings', { type: 'boolean', describe: "show what Claude Code's files hold, too" })
          .option('json', JSON_FLAG),
      (argv) =>
        becomes(
          import('./trust.ts').then(({ trustCommand }) =>
            trustCommand(
              {
                ...{ directory: argv.dir, revoke: argv.revoke, list: argv.list, json: argv.json, env },
                flags: { claudeSettings: argv.claudeSettings ?? env['HOOKD_CLAUDE_SETTINGS'] === '1' },
              },
              output,
            ),
          ),
        ),
    )
    .command(
      'doctor',
      'Look at all that hookd needs, and say what is wrong and what to do.',
      (y) => withSettingsFlags(y),
      (argv) =>
        becomes(
          import('./doctor.ts').then(({ doctorCommand }) =>
            doctorCommand({ flags: settingsFlags(argv, env), json: argv.json, env }, output),
          ),
        ),
    )
    .command('hooks', 'Look at hooks, try them, write them.', (y) => hooksCommands(y, env, output, becomes))
    .command('policy', 'Ask what the rules say of a call, and test them.', (y) =>
      policyCommands(y, env, output, becomes),
    )
    .command(
      'init',
      'Write first settings, a hook to begin with and a test of the policy; never over what is there.',
      (y) =>
        y
          .option('user', { type: 'boolean', default: false, describe: 'for you: in $HOOKD_HOME' })
          .option('project', { type: 'boolean', default: false, describe: 'for this project: in .hookd/' })
          .option('json', JSON_FLAG),
      (argv) => becomes(import('./init.ts').then(({ initCommand }) => initCommand({ ...argv, env }, output))),
    )
    .command('settings', 'Look at settings: what is wrong, what is in force.', (y) =>
      settingsCommands(y, env, output, becomes),
    )
    .command(
      'completion [shell]',
      'Print what makes a shell complete hookd: eval "$(hookd completion bash)"',
      (y) =>
        y
          .positional('shell', { choices: SHELLS, describe: 'default: the one that $SHELL names' })
          .option('json', JSON_FLAG),
      (argv) => {
        const script = completionScript(argv.shell, env);
        output.result(argv.json ? JSON.stringify({ script }) : script);
      },
    )
    .strict()
    .recommendCommands()
    .wrap(Math.min(WIDEST, Math.max(NARROWEST, process.stdout.columns || UNKNOWN)))
    .check((argv, declared) => {
      checkFlags(argv, declared as unknown as DeclaredOptions);
      return true;
    }, true)
    // Who asks for completions must get nothing else: no command runs.
    .exitProcess(args[0] === COMPLETE)
    .fail((message, error) => {
      throw error ?? new HookdError('USAGE', message);
    })
    .parseAsync();
  return exitCode;
}

async function runPrompt(argv: SessionArguments, env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const prompt = promptOf(argv) ?? (await promptFromStdin());
  if (prompt.trim() === '')
    throw new HookdError('USAGE', 'There is no prompt: give it as an argument or on stdin.');
  const { runCommand } = await import('./run.ts');
  return runCommand(
    {
      prompt,
      format: argv.json ? 'json' : argv.outputFormat,
      choice: choiceOf(argv),
      daemon: argv.daemon,
      flags: flagsOf(argv, env),
      failOnDenial: argv.failOnDenial,
      waitsForApproval: argv.waitForApproval,
      includeHookEvents: argv.includeHookEvents,
      modelScript: argv.modelScript,
      promptFlags: promptFlagsOf(argv),
      env,
    },
    output,
  );
}

async function promptFromStdin(): Promise<string> {
  if (process.stdin.isTTY === true) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function converse(argv: SessionArguments, env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  refuseMistyped(argv.prompt ?? []);
  const { chatCommand } = await import('./chat.ts');
  return chatCommand(
    {
      firstPrompt: promptOf(argv),
      choice: choiceOf(argv),
      daemon: argv.daemon,
      flags: flagsOf(argv, env),
      modelScript: argv.modelScript,
      promptFlags: promptFlagsOf(argv),
      env,
    },
    output,
  );
}
