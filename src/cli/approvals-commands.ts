/** The table of `hookd approvals …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import type { AnswerOptions } from './approvals-answer.ts';
import { JSON_FLAG } from './json-flag.ts';
import type { Output } from './output.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function approvalsCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
    .command(
      'list',
      'Show the questions that wait for a person, over all sessions of the daemon.',
      (c) => c.option('json', JSON_FLAG),
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
          .option('json', JSON_FLAG),
      (argv) =>
        becomes(
          import('./approvals-rules.ts').then(({ approvalsRulesCommand }) =>
            approvalsRulesCommand({ directory: argv.dir, remove: argv.remove, json: argv.json, env }, output),
          ),
        ),
    )
    .command(
      'allow <id>',
      'Allow what a question asks about, once; show what that is.',
      (c) =>
        withId(c).option('always', {
          type: 'boolean',
          default: false,
          describe: 'also write the rule that the question offers',
        }),
      (argv) => becomes(answer({ ...argv, answer: 'allow', reason: undefined, env }, output)),
    )
    .command(
      'deny <id>',
      'Refuse what a question asks about.',
      (c) => withId(c).option('reason', { type: 'string', nargs: 1, describe: 'told to the model' }),
      (argv) => becomes(answer({ ...argv, answer: 'deny', always: false, env }, output)),
    )
    .command(
      'watch',
      'Show questions as they come up, and who answers them.',
      (c) => c.option('json', JSON_FLAG),
      (argv) =>
        becomes(
          import('./approvals-watch.ts').then(({ watchCommand }) =>
            watchCommand({ json: argv.json, env }, output),
          ),
        ),
    )
    .demandCommand(1, 'Say which: hookd approvals --help lists them.');
}

function withId(y: Argv) {
  return y
    .positional('id', {
      type: 'string',
      demandOption: true,
      describe: 'of the question; its beginning is enough',
    })
    .option('json', JSON_FLAG);
}

async function answer(options: AnswerOptions, output: Output): Promise<number> {
  const { answerCommand } = await import('./approvals-answer.ts');
  return answerCommand(options, output);
}
