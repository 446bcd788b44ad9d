/** The flags of commands that look at the settings of a session without opening one. */
import type { Argv } from 'yargs';
import type { CommandLine } from '../settings/command-line.ts';
import { JSON_FLAG } from './json-flag.ts';

export function withSettingsFlags(y: Argv) {
  return y
    .option('settings', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'a settings file, or a JSON object; may be repeated',
    })
    .option('claude-settings', { type: 'boolean', describe: "read Claude Code's settings files too" })
    .option('trust-project', {
      type: 'boolean',
      default: false,
      describe: 'let the settings of the project loosen and its hooks count, this time',
    })
    .option('setting-sources', {
      type: 'string',
      nargs: 1,
      describe: 'read only these of user,project,local',
    })
    .option('json', JSON_FLAG);
}

export type SettingsArguments = Awaited<ReturnType<ReturnType<typeof withSettingsFlags>['parseAsync']>>;

export function settingsFlags(argv: SettingsArguments, env: NodeJS.ProcessEnv): CommandLine {
  return {
    settings: argv.settings,
    claudeSettings: argv.claudeSettings ?? env['HOOKD_CLAUDE_SETTINGS'] === '1',
    trustProject: argv.trustProject,
    settingSources: argv.settingSources,
  };
}
