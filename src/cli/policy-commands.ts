/** The table of `hookd policy …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import type { CommandLine } from '../settings/command-line.ts';
import { JSON_FLAG } from './json-flag.ts';
import type { Output } from './output.ts';
import { settingsFlags, withSettingsFlags } from './settings-flags.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function policyCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  return y
    .command(
      'explain [call]',
      'Say what becomes of a call, why, and what would have to change.',
      (e) =>
        withPolicyFlags(e)
          .positional('call', { type: 'string', describe: "as a rule is written: 'Bash(git push)'" })
          .option('tool', { type: 'string', nargs: 1, describe: 'instead: the tool that is called' })
          .option('input', { type: 'string', nargs: 1, describe: 'with --tool: its input, as JSON' }),
      (argv) =>
        becomes(
          import('./policy-explain.ts').then(({ explainCommand }) =>
            explainCommand(
              {
                ...{ call: argv.call, tool: argv.tool, input: argv.input },
                ...{ flags: policyFlags(argv, env), json: argv.json, env },
              },
              output,
            ),
          ),
        ),
    )
    .command(
      'test <files..>',
      'Judge the rows of test files, and name the rules that no row matches.',
      (t) =>
        withPolicyFlags(t).positional('files', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'JSON Lines of {tool, input, expect, mode?, name?}',
        }),
      (argv) =>
        becomes(
          import('./policy-test.ts').then(({ testCommand }) =>
            testCommand({ files: argv.files, flags: policyFlags(argv, env), json: argv.json, env }, output),
          ),
        ),
    )
    .command(
      'replay',
      'Judge recorded calls again: which answers would change under other settings.',
      (r) =>
        r
          .option('against', {
            type: 'string',
            nargs: 1,
            describe: "settings in place of the user's own; default: the settings of today",
          })
          .option('since', { type: 'string', nargs: 1, describe: 'from when on: 7d, 12h, 2026-11-30' })
          .option('json', JSON_FLAG),
      ({ against, since, json }) =>
        becomes(
          import('./policy-replay.ts').then(({ replayCommand }) =>
            replayCommand({ against, since, json, env }, output),
          ),
        ),
    )
    .demandCommand(1, 'Say what to do with the policy: explain, test or replay.');
}

/** What of a session's flags has a say in decisions. */
function withPolicyFlags(y: Argv) {
  return withSettingsFlags(y)
    .option('permission-mode', {
      type: 'string',
      nargs: 1,
      describe: 'default, acceptEdits, plan, dontAsk or bypassPermissions',
    })
    .option('allowedTools', { ...LIST, describe: 'more allow rules; may be repeated' })
    .option('disallowedTools', { ...LIST, describe: 'more deny rules; may be repeated' })
    .option('add-dir', { ...LIST, describe: 'one more directory of the workspace; may be repeated' });
}

const LIST = { type: 'string', array: true, nargs: 1 } as const;

type PolicyArguments = Awaited<ReturnType<ReturnType<typeof withPolicyFlags>['parseAsync']>>;

function policyFlags(argv: PolicyArguments, env: NodeJS.ProcessEnv): CommandLine {
  return {
    ...settingsFlags(argv, env),
    permissionMode: argv.permissionMode,
    allowedTools: argv.allowedTools,
    disallowedTools: argv.disallowedTools,
    addDirs: argv.addDir,
  };
}
