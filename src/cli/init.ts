/** `hookd init`: a first settings file, a hook to begin with, and a test of the policy. Never over what is there. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, HookdError, messageOf, systemCode } from '../core/errors.ts';
import { homeOf, hookdHomeOf } from '../daemon/hookd-home.ts';
import { startingPoint } from '../hooks/starting-point.ts';
import { decide } from '../permissions/decide.ts';
import { realFiles } from '../permissions/files-view.ts';
import { BEGINNING, type CarriedOver, carriedOver } from '../settings/first-settings.ts';
import { CLAUDE_FOLDER, PROJECT_FOLDER } from '../settings/project.ts';
import { realPath } from '../settings/scopes.ts';
import { counted, wrapped } from './columns.ts';
import { shellWord } from './hooks-new.ts';
import { placeOfFile, settingsInReach, shortPath } from './hooks-settings.ts';
import { type Output, oneLine, printable } from './output.ts';
import { openPolicy, readCall } from './policy-question.ts';

export interface InitOptions {
  /** Neither: the user's file, unless there is one; then the project's. */
  readonly user: boolean;
  readonly project: boolean;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

interface Target {
  readonly scope: 'user' | 'project';
  /** Where everything goes. */
  readonly folder: string;
  /** As a shell writes it, in the settings. */
  readonly hookCommand: string;
  readonly claudeFile: string;
}

export function initCommand(options: InitOptions, output: Output): number {
  const { json, env } = options;
  const target = targetOf(options);
  const { folder, scope, claudeFile } = target;
  const file = join(folder, 'settings.json');
  const hook = join(folder, 'hooks', HOOK);
  const tests = join(folder, 'policy.test.jsonl');
  const origin = placeOfFile(file, hookdHomeOf(env), dirname(folder)).origin;
  const carried = existsSync(claudeFile) ? carriedOver(textOf(claudeFile), origin) : undefined;
  const begun = typeof carried === 'object' ? carried : undefined;
  const sample = startingPoint('PreToolUse', 'node', target.hookCommand);
  write(file, `${JSON.stringify(settingsWith(begun, scope, sample.settings), null, 2)}\n`);
  const written = [file];
  if (writeUnlessThere(hook, sample.text, 0o755)) written.push(hook);
  if (writeUnlessThere(tests, `${policyRows(env).join('\n')}\n`)) written.push(tests);

  const from = begun === undefined ? null : claudeFile;
  const notRead = typeof carried === 'string' ? `${claudeFile}: ${carried}` : null;
  const left = begun?.left ?? [];
  const { program } = settingsInReach({}, env);
  const next = nextSteps(scope, shortPath(tests, program));
  if (json) {
    output.result(JSON.stringify({ scope, written, from, notCarriedOver: left, notRead, next }));
    return EXIT.done;
  }
  const say = (text: string) => output.result(printable(text));
  for (const path of written) say(`Wrote ${shortPath(path, program)}`);
  if (from !== null) say(`The settings are those of ${shortPath(from, program)}.`);
  if (left.length > 0) {
    say(`Not carried over (${counted(left.length, 'entry').replace('entrys', 'entries')}):`);
    for (const one of left) for (const line of wrapped(oneLine(one, 500), '    ', '  ')) say(line);
  }
  if (notRead !== null) for (const line of wrapped(`Not read: ${oneLine(notRead, 500)}`, '  ', '')) say(line);
  say('');
  say('Try next:');
  for (const { command, does } of next) say(`  ${command.padEnd(COMMAND_WIDTH)} ${does}`);
  return EXIT.done;
}

const HOOK = 'pre-tool-use.mjs';
const COMMAND_WIDTH = 44;

/** Throws USAGE where there is nothing to begin. */
function targetOf({ user, project, env }: InitOptions): Target {
  if (user && project) throw new HookdError('USAGE', 'Give --user or --project, not both.');
  const home = homeOf(env);
  const hookdHome = hookdHomeOf(env);
  const root = settingsInReach({}, env).program.project;
  const isDefaultHome = realPath(hookdHome) === realPath(join(home, PROJECT_FOLDER));
  const ofUser: Target = {
    scope: 'user',
    folder: hookdHome,
    hookCommand: isDefaultHome ? `~/.hookd/hooks/${HOOK}` : shellWord(join(hookdHome, 'hooks', HOOK)),
    claudeFile: join(env['CLAUDE_CONFIG_DIR'] || join(home, CLAUDE_FOLDER), 'settings.json'),
  };
  const ofProject: Target = {
    scope: 'project',
    folder: join(root, PROJECT_FOLDER),
    hookCommand: `"$CLAUDE_PROJECT_DIR"/.hookd/hooks/${HOOK}`,
    claudeFile: join(root, CLAUDE_FOLDER, 'settings.json'),
  };
  const isFree = ({ folder }: Target) => !existsSync(join(folder, 'settings.json'));
  const choice = user ? [ofUser] : project ? [ofProject] : [ofUser, ofProject];
  const mayBeProject =
    realPath(ofProject.folder) !== realPath(hookdHome) && realPath(root) !== realPath(home);
  const usable = choice.filter(({ scope }) => scope === 'user' || mayBeProject);
  const found = usable.find(isFree);
  if (found !== undefined) return found;
  const there = usable.map(({ folder }) => join(folder, 'settings.json')).join(' and ');
  throw new HookdError(
    'USAGE',
    there === ''
      ? `${root} is your home directory, which is no project.`
      : `There is something already: ${there}. It was left as it is; "hookd settings check" looks at it.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return `unreadable: ${messageOf(error)}`;
  }
}

/** The sample hook has no opinion: it may stand beside whatever is there. */
function settingsWith(begun: CarriedOver | undefined, scope: Target['scope'], sample: string): object {
  const { hooks } = JSON.parse(sample) as { readonly hooks: Readonly<Record<string, readonly unknown[]>> };
  const { maxTurns, ...ofProject } = BEGINNING;
  // No project has a say in limits.
  const settings = begun?.settings ?? (scope === 'user' ? { ...ofProject, maxTurns } : ofProject);
  const old = ('hooks' in settings ? settings.hooks : {}) as typeof hooks;
  const joined = Object.entries(hooks).map(([event, groups]) => [event, [...(old[event] ?? []), ...groups]]);
  return { ...settings, hooks: { ...old, ...Object.fromEntries(joined) } };
}

/** Calls that tell policies apart, each with what is decided about it now: a change that alters one shows. */
const CALLS = [
  { name: 'secrets stay unread', tool: 'Read', input: { file_path: '.env' } },
  { name: 'secrets stay unread in commands, too', tool: 'Bash', input: { command: 'cat .env' } },
  { name: 'what leaves the machine', tool: 'Bash', input: { command: 'git push origin main' } },
  { name: 'what is hard to take back', tool: 'Bash', input: { command: 'rm -r build' } },
  { name: 'the root of everything', tool: 'Bash', input: { command: 'rm -rf /' } },
  { name: 'tests', tool: 'Bash', input: { command: 'npm test' } },
  { name: 'reading the project', tool: 'Read', input: { file_path: 'README.md' } },
  { name: 'writing in the project', tool: 'Write', input: { file_path: 'notes.txt', content: 'x' } },
];

function policyRows(env: NodeJS.ProcessEnv): readonly string[] {
  const { permissions } = openPolicy({}, env);
  return CALLS.flatMap(({ name, tool, input }) => {
    const read = readCall({ tool, input }, permissions.workplace);
    if (!read.ok) return [];
    const { behavior } = decide({ permissions, call: read.call, files: realFiles });
    return [JSON.stringify({ tool, input, mode: permissions.mode, expect: behavior, name })];
  });
}

function nextSteps(scope: Target['scope'], tests: string) {
  const test = {
    command: `hookd policy test ${tests.startsWith('~/') ? tests : shellWord(tests)}`,
    does: 'does the policy still say so?',
  };
  return [
    { command: 'hookd settings show', does: 'what is in force, and from where' },
    ...(scope === 'project' ? [{ command: 'hookd trust', does: 'until then it only tightens' }] : []),
    { command: 'hookd hooks list', does: 'the hooks, and whether they can run' },
    test,
    { command: 'hookd audit tail -f', does: 'see each rule and hook at work' },
  ];
}

function write(file: string, text: string, mode = 0o644): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { flag: 'wx', mode });
    chmodSync(file, mode);
  } catch (error) {
    const why = systemCode(error) === 'EEXIST' ? 'there is something already' : messageOf(error);
    throw new HookdError('USAGE', `${file} was not written: ${why}.`);
  }
}

function writeUnlessThere(file: string, text: string, mode?: number): boolean {
  if (existsSync(file)) return false;
  write(file, text, mode);
  return true;
}
