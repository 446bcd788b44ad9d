/** The table of `hookd settings …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import { EXIT } from '../core/errors.ts';
import type { Output } from './output.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function settingsCommands(y: Argv, _env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
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
    .demandCommand(1, 'Say what to do with settings: schema.');
}
