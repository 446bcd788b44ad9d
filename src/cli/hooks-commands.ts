/** The table of `hookd hooks …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import { JSON_FLAG } from './json-flag.ts';
import type { Output } from './output.ts';
import { settingsFlags, withSettingsFlags } from './settings-flags.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function hooksCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
    .command('list', 'Show every hook in force, and what keeps it from working.', withSettingsFlags, (argv) =>
      becomes(
        import('./hooks-list.ts').then(({ listCommand }) =>
          listCommand({ flags: settingsFlags(argv, env), json: argv.json, env }, output),
        ),
      ),
    )
    .command(
      'run <event>',
      'Run the hooks of one occasion, for real, and show what they say; no tool is run.',
      (r) =>
        withSettingsFlags(r)
          .positional('event', { type: 'string', demandOption: true, describe: 'PreToolUse, Stop …' })
          .option('tool', { type: 'string', nargs: 1, describe: 'the tool that is called' })
          .option('input', {
            type: 'string',
            nargs: 1,
            describe: 'JSON: its input; on events without a tool, fields of the payload',
          })
          .option('payload', { type: 'string', nargs: 1, describe: 'a file with a whole payload' }),
      (argv) =>
        becomes(
          import('./hooks-run.ts').then(({ runHooksCommand }) =>
            runHooksCommand(
              {
                ...{ event: argv.event, tool: argv.tool, input: argv.input, payload: argv.payload },
                ...{ flags: settingsFlags(argv, env), json: argv.json, env },
              },
              output,
            ),
          ),
        ),
    )
    .command(
      'lint [files..]',
      'Look for mistakes in hooks and their programs; nothing is run.',
      (l) =>
        withSettingsFlags(l).positional('files', {
          type: 'string',
          array: true,
          describe: 'settings files (.json) or programs; default: all settings files of a session here',
        }),
      (argv) =>
        becomes(
          import('./hooks-lint.ts').then(({ lintCommand }) =>
            lintCommand(
              { files: argv.files ?? [], flags: settingsFlags(argv, env), json: argv.json, env },
              output,
            ),
          ),
        ),
    )
    .command(
      'new <event>',
      'Print or write a hook to begin with.',
      (n) =>
        n
          .positional('event', { type: 'string', demandOption: true, describe: 'PreToolUse, Stop …' })
          .option('lang', {
            choices: ['sh', 'python', 'node', 'perl'] as const,
            nargs: 1,
            describe: 'its language',
          })
          .option('out', { type: 'string', nargs: 1, describe: 'write it there, unless there is something' })
          .option('json', JSON_FLAG),
      (argv) =>
        becomes(
          import('./hooks-new.ts').then(({ newCommand }) =>
            newCommand({ event: argv.event, lang: argv.lang, out: argv.out, json: argv.json, env }, output),
          ),
        ),
    )
    .demandCommand(1, 'Say what to do with hooks: list, run, lint or new.');
}
