/** The flags of a command that opens a session, and the prompt beside them. One value a flag: what follows it is a prompt. */
import type { Argv } from 'yargs';
import type { PromptFlags } from '../agent/system-prompt.ts';
import { HookdError } from '../core/errors.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { OutputFormat } from './run.ts';
import type { SessionChoice } from './session-choice.ts';

export function withSessionFlags(y: Argv) {
  return y
    .positional('prompt', { type: 'string', array: true, describe: 'what to say to the model' })
    .option('print', {
      alias: 'p',
      type: 'boolean',
      default: false,
      describe: 'print the result of one prompt and leave',
    })
    .option('output-format', {
      choices: ['text', 'json', 'stream-json'] as const,
      default: 'text' as OutputFormat,
      describe: 'what is printed of the result',
      nargs: 1,
    })
    .option('json', { type: 'boolean', default: false, describe: 'the same as --output-format json' })
    .option('settings', { ...LIST, describe: 'a settings file, or a JSON object; may be repeated' })
    .option('allowedTools', {
      ...LIST,
      describe: 'more allow rules: "Bash(git log *) Read"; may be repeated',
    })
    .option('disallowedTools', { ...LIST, describe: 'more deny rules; may be repeated' })
    .option('add-dir', { ...LIST, describe: 'one more directory of the workspace; may be repeated' })
    .option('model', { ...TEXT, describe: 'name of the model' })
    .option('system-prompt', {
      ...TEXT,
      describe: 'tell the model this instead of what it is told by default',
    })
    .option('append-system-prompt', { ...TEXT, describe: 'tell the model this, too' })
    .option('max-turns', { type: 'number', nargs: 1, describe: 'most model requests of one turn' })
    .option('permission-mode', {
      ...TEXT,
      describe: 'default, acceptEdits, plan, dontAsk or bypassPermissions',
    })
    .option('dangerously-skip-permissions', {
      type: 'boolean',
      default: false,
      describe: 'the same as --permission-mode bypassPermissions',
    })
    .option('claude-settings', { type: 'boolean', describe: "read Claude Code's settings files too" })
    .option('trust-project', {
      type: 'boolean',
      default: false,
      describe: 'let the settings of the project loosen and run hooks, this time',
    })
    .option('setting-sources', { ...TEXT, describe: 'read only these of user,project,local' })
    .option('include-hook-events', {
      type: 'boolean',
      default: false,
      describe: 'stream-json: tell of every hook',
    })
    .option('fail-on-denial', { type: 'boolean', default: false, describe: 'exit 3 when a call was denied' })
    .option('daemon', {
      type: 'boolean',
      describe:
        'in the daemon, started where none runs (as by default for a conversation); --no-daemon: in this process',
    })
    .option('wait-for-approval', {
      type: 'boolean',
      default: false,
      describe: 'without a terminal: let questions wait in the daemon for an answer from elsewhere',
    })
    .option('resume', {
      ...TEXT,
      alias: 'r',
      describe: 'go on with this session; the beginning of its id is enough',
    })
    .option('continue', {
      alias: 'c',
      type: 'boolean',
      default: false,
      describe: 'go on with the last session of this directory',
    })
    .option('fork-session', {
      type: 'boolean',
      default: false,
      describe: 'with --resume or --continue: in a new session, from a copy',
    })
    .option('model-script', { ...TEXT, describe: 'play a JSON file of turns instead of a model' })
    .option('verbose', { type: 'boolean', hidden: true });
}

const TEXT = { type: 'string', nargs: 1 } as const;
const LIST = { type: 'string', array: true, nargs: 1 } as const;

export type SessionArguments = Awaited<ReturnType<ReturnType<typeof withSessionFlags>['parseAsync']>>;

export function flagsOf(argv: SessionArguments, env: NodeJS.ProcessEnv): CommandLine {
  return {
    settings: argv.settings,
    allowedTools: argv.allowedTools,
    disallowedTools: argv.disallowedTools,
    addDirs: argv.addDir,
    model: argv.model,
    maxTurns: argv.maxTurns,
    permissionMode: argv.dangerouslySkipPermissions ? 'bypassPermissions' : argv.permissionMode,
    claudeSettings: argv.claudeSettings ?? env['HOOKD_CLAUDE_SETTINGS'] === '1',
    trustProject: argv.trustProject,
    settingSources: argv.settingSources,
  };
}

export function choiceOf(argv: SessionArguments): SessionChoice {
  return { resume: argv.resume, continues: argv.continue, fork: argv.forkSession };
}

export function promptFlagsOf({ systemPrompt, appendSystemPrompt }: SessionArguments): PromptFlags {
  return { replacement: systemPrompt, addition: appendSystemPrompt };
}

/** Throws USAGE where a word is left over: other programs take several values after one flag. */
export function promptOf(argv: SessionArguments): string | undefined {
  const prompt = [...(argv.prompt ?? []), ...afterDashes(argv['--'])];
  const [first, second] = prompt;
  if (second !== undefined) {
    throw new HookdError(
      'USAGE',
      `There are ${prompt.length} prompts, ${prompt.map((word) => JSON.stringify(word)).join(' and ')}. Put a prompt in quotes. ${ONE_VALUE}`,
    );
  }
  if (first !== undefined && (argv.allowedTools ?? argv.disallowedTools) !== undefined && isRule(first)) {
    throw new HookdError(
      'USAGE',
      `The prompt would be ${JSON.stringify(first)}, which is a permission rule. ${ONE_VALUE}`,
    );
  }
  return first;
}

const ONE_VALUE =
  'A flag takes one value; repeat it for more: --allowedTools "Bash(ls)" --allowedTools Read.';

/** `-- "--help"`: a prompt that looks like a flag. */
function afterDashes(words: unknown): readonly string[] {
  return Array.isArray(words) ? words.map(String) : [];
}

function isRule(text: string): boolean {
  return /^(Bash|Read|Write|Edit|Glob)(\(.*\))?$/s.test(text.trim());
}
