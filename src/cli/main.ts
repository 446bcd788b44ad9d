/** The command table: what a person types → one module each, loaded when it is asked for. Exit codes: docs/cli.md. */
import { homedir } from 'node:os';
import yargs, { type Argv } from 'yargs';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { VERSION } from '../daemon/version.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { type Output, processOutput } from './output.ts';
import type { OutputFormat } from './run.ts';

/** Plays one command line; ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const { env } = process;
  const output = processOutput(env);
  try {
    const exitCode = await dispatch(args, env, output);
    process.exitCode = exitCode;
  } catch (error) {
    process.exitCode = report(error, output);
  }
}

function report(error: unknown, output: Output): number {
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
  await yargs([...args])
    .scriptName('hookd')
    .version(VERSION)
    .usage('hookd: an agent daemon whose policy belongs to its user.')
    .command(
      '$0 [prompt]',
      'Converse on this terminal; with -p: one prompt, then its result.',
      (y) => withSessionFlags(y.positional('prompt', { type: 'string' })),
      (argv) => becomes(argv.print ? runPrompt(argv, env, output) : converse(argv, env, output)),
    )
    .command(
      'run [prompt]',
      'Play one prompt and print its result (the prompt may come on stdin).',
      (y) => withSessionFlags(y.positional('prompt', { type: 'string' })),
      (argv) => becomes(runPrompt(argv, env, output)),
    )
    .command(
      'demo [lesson]',
      'See the loop, the tools and the gates at work in a temporary directory; no key needed.',
      (y) =>
        y
          .positional('lesson', { choices: ['s01', 's02', 's03'] as const })
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
    .command('audit', 'Look at the audit log.', (y) => auditCommands(y, env, output, becomes))
    .strict()
    .recommendCommands()
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new HookdError('USAGE', message);
    })
    .parseAsync();
  return exitCode;
}

function withSessionFlags<T>(y: Argv<T>) {
  return y
    .option('print', {
      alias: 'p',
      type: 'boolean',
      default: false,
      describe: 'print the result of one prompt and leave',
    })
    .option('output-format', {
      choices: ['text', 'json', 'stream-json'] as const,
      default: 'text' as OutputFormat,
    })
    .option('json', { type: 'boolean', default: false, describe: 'same as --output-format json' })
    .option('settings', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'a settings file, or a JSON object',
    })
    .option('allowedTools', {
      type: 'string',
      array: true,
      describe: 'more allow rules: "Bash(git log *) Read"',
    })
    .option('disallowedTools', { type: 'string', array: true, describe: 'more deny rules' })
    .option('add-dir', { type: 'string', array: true, describe: 'more directories of the workspace' })
    .option('model', { type: 'string', describe: 'name of the model' })
    .option('max-turns', { type: 'number', describe: 'most model requests of one turn' })
    .option('permission-mode', { type: 'string', describe: 'only "default" is supported so far' })
    .option('fail-on-denial', { type: 'boolean', default: false, describe: 'exit 3 when a call was denied' })
    .option('daemon', {
      type: 'boolean',
      default: false,
      describe: 'not supported yet: every run is in the foreground, as with --no-daemon',
    })
    .option('model-script', { type: 'string', describe: 'play a JSON file of turns instead of a model' })
    .option('verbose', { type: 'boolean', hidden: true });
}

type SessionArguments = Awaited<
  ReturnType<ReturnType<typeof withSessionFlags<{ prompt: string | undefined }>>['parseAsync']>
>;

function flagsOf(argv: SessionArguments): CommandLine {
  if (argv.daemon)
    throw new HookdError('USAGE', '--daemon is not supported yet: every run is in the foreground.');
  return {
    settings: argv.settings,
    allowedTools: argv.allowedTools,
    disallowedTools: argv.disallowedTools,
    addDirs: argv.addDir,
    model: argv.model,
    maxTurns: argv.maxTurns,
    permissionMode: argv.permissionMode,
  };
}

async function runPrompt(argv: SessionArguments, env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const prompt = argv.prompt ?? (await promptFromStdin());
  if (prompt.trim() === '')
    throw new HookdError('USAGE', 'There is no prompt: give it as an argument or on stdin.');
  const { runCommand } = await import('./run.ts');
  return runCommand(
    {
      prompt,
      format: argv.json ? 'json' : argv.outputFormat,
      flags: flagsOf(argv),
      failOnDenial: argv.failOnDenial,
      modelScript: argv.modelScript,
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
  const { chatCommand } = await import('./chat.ts');
  return chatCommand(
    { firstPrompt: argv.prompt, flags: flagsOf(argv), modelScript: argv.modelScript, env },
    output,
  );
}

function auditCommands(
  y: Argv,
  env: NodeJS.ProcessEnv,
  output: Output,
  becomes: (work: Promise<number>) => Promise<void>,
): Argv {
  const ownAudit = async (): Promise<string> => {
    const { auditDirectoryOf, hookdHomeOf } = await import('../daemon/daemon.ts');
    return auditDirectoryOf(hookdHomeOf({ HOME: homedir(), ...env }));
  };
  return y
    .command(
      'verify [path]',
      'Check that every record is there, unchanged and in its place.',
      (v) =>
        v
          .positional('path', {
            type: 'string',
            describe: 'a file or directory; default: all of $HOOKD_HOME/audit',
          })
          .option('head', { type: 'string', describe: 'a hash kept elsewhere that must be there' })
          .option('json', { type: 'boolean', default: false }),
      (argv) =>
        becomes(
          Promise.all([import('./audit-verify.ts'), ownAudit()]).then(([{ verifyCommand }, audit]) =>
            verifyCommand({ path: argv.path ?? audit, head: argv.head, json: argv.json }, output),
          ),
        ),
    )
    .command(
      'tail',
      'Show the newest records of all chains.',
      (t) =>
        t
          .option('follow', {
            alias: 'f',
            type: 'boolean',
            default: false,
            describe: 'go on with new records',
          })
          .option('lines', { alias: 'n', type: 'number', default: 20, describe: 'how many to begin with' })
          .option('json', { type: 'boolean', default: false, describe: 'the records as they are stored' }),
      (argv) =>
        becomes(
          Promise.all([import('./audit-tail.ts'), import('./signals.ts'), ownAudit()]).then(
            ([{ tailCommand }, { interruptSignal }, auditDirectory]) =>
              tailCommand(
                {
                  auditDirectory,
                  count: argv.lines,
                  follow: argv.follow,
                  json: argv.json,
                  signal: interruptSignal(),
                },
                output,
              ),
          ),
        ),
    )
    .demandCommand(1, 'Say what to look at: verify or tail.');
}
