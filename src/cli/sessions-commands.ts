/** The table of `hookd sessions …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import { JSON_FLAG } from './json-flag.ts';
import type { Output } from './output.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function sessionsCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
    .command(
      'list',
      'List the sessions of the daemon and those that are kept, the last active first.',
      withJson,
      (argv) =>
        becomes(
          import('./sessions-list.ts').then(({ sessionsListCommand }) =>
            sessionsListCommand({ env, json: argv.json }, output),
          ),
        ),
    )
    .command('show <id>', 'Show one session: where, model, mode, tokens, what waits.', withId, (argv) =>
      becomes(
        import('./sessions-show.ts').then(({ showSessionCommand }) =>
          showSessionCommand({ ...argv, env }, output),
        ),
      ),
    )
    .command('attach <id>', 'Look on at a session, and join in on a terminal.', withId, (argv) =>
      becomes(
        import('./sessions-attach.ts').then(({ attachCommand }) => attachCommand({ ...argv, env }, output)),
      ),
    )
    .command('interrupt <id>', 'End the turn of a session, and drop the prompts that wait.', withId, (argv) =>
      becomes(
        import('./sessions-show.ts').then(({ interruptSessionCommand }) =>
          interruptSessionCommand({ ...argv, env }, output),
        ),
      ),
    )
    .command(
      'end <id>',
      'End a session; its conversation is kept, and can be gone on with.',
      withId,
      (argv) =>
        becomes(
          import('./sessions-show.ts').then(({ endSessionCommand }) =>
            endSessionCommand({ ...argv, env }, output),
          ),
        ),
    )
    .demandCommand(1, 'Say which: hookd sessions --help lists them.');
}

function withJson(y: Argv) {
  return y.option('json', JSON_FLAG);
}

function withId(y: Argv) {
  return withJson(y).positional('id', {
    type: 'string',
    demandOption: true,
    describe: 'of the session; its beginning is enough',
  });
}
