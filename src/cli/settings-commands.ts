/** The table of `hookd settings …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import { EXIT } from '../core/errors.ts';
import type { Output } from './output.ts';
import { settingsFlags, withSettingsFlags } from './settings-flags.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function settingsCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
    .command(
      'check [files..]',
      'Say everything that is wrong in settings files; nothing is put in force.',
      (c) =>
        withSettingsFlags(c).positional('files', {
          type: 'string',
          array: true,
          describe: 'settings files; default: all files of a session here',
        }),
      (argv) =>
        becomes(
          import('./settings-check.ts').then(({ checkCommand }) =>
            checkCommand(
              { files: argv.files ?? [], flags: settingsFlags(argv, env), json: argv.json, env },
              output,
            ),
          ),
        ),
    )
    .command(
      'show [key]',
      'Show what is in force here, and where each value comes from.',
      (c) =>
        withSettingsFlags(c)
          .positional('key', { type: 'string', describe: 'permissions.deny, hooks.Stop, env.NAME, model …' })
          .option('cwd', { type: 'string', nargs: 1, describe: 'a session that would start there' }),
      (argv) =>
        becomes(
          import('./settings-show.ts').then(({ showCommand }) =>
            showCommand(
              { key: argv.key, cwd: argv.cwd, flags: settingsFlags(argv, env), json: argv.json, env },
              output,
            ),
          ),
        ),
    )
    .command(
      'schema',
      'Print the JSON Schema of settings.json, for editors.',
      (s) => s.option('json', { type: 'boolean', default: false, describe: 'the same: it is JSON already' }),
      () =>
        becomes(
          import('../settings/schema.ts').then(({ publishedSchema }) => {
            output.result(JSON.stringify(publishedSchema(), null, 2));
            return EXIT.done;
          }),
        ),
    )
    .command(
      'accept [dir]',
      "Take over what the project's settings loosened while a tool call ran.",
      (a) =>
        withSettingsFlags(a).positional('dir', {
          type: 'string',
          describe: 'the project, or a directory in it; default: here',
        }),
      (argv) =>
        becomes(
          import('./settings-accept.ts').then(({ acceptCommand }) =>
            acceptCommand(
              { directory: argv.dir, flags: settingsFlags(argv, env), json: argv.json, env },
              output,
            ),
          ),
        ),
    )
    .demandCommand(1, 'Say what to do with settings: check, show, schema or accept.');
}
