/** The table of `hookd approvals …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import type { Output } from './output.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function approvalsCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
    .command(
      'list',
      'Show the questions that wait for a person, over all sessions of the daemon.',
      (c) => c.option('json', { type: 'boolean', default: false }),
      (argv) =>
        becomes(
          import('./approvals-list.ts').then(({ approvalsListCommand }) =>
            approvalsListCommand({ env, json: argv.json }, output),
          ),
        ),
    )
    .command(
      'rules [dir]',
      'Show the allow rules that the answer "always" has written, or take one back.',
      (c) =>
        c
          .positional('dir', { type: 'string', describe: 'of sessions that start there; default: all' })
          .option('remove', { type: 'string', nargs: 1, describe: 'the rule to take back, here or in dir' })
          .option('json', { type: 'boolean', default: false }),
      (argv) =>
        becomes(
          import('./approvals-rules.ts').then(({ approvalsRulesCommand }) =>
            approvalsRulesCommand({ directory: argv.dir, remove: argv.remove, json: argv.json, env }, output),
          ),
        ),
    )
    .demandCommand(1, 'Say which: hookd approvals --help lists them.');
}
