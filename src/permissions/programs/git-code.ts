/** What a call of git makes it run besides git itself: commands in options, in settings given by `-c`, in transports. */
import { gitOptions } from './git-options.ts';
import { fromSubcommand } from './global-options.ts';
import type { InnerCall } from './inside-call.ts';
import { type OptionValue, possibleValues } from './options.ts';
import { possibleCalls } from './wrappers.ts';

/** Settings whose value git runs, or takes for where its programs and hooks are. */
const RUN_SETTINGS = new RegExp(
  `^(?:${[
    'alias\\..*|core\\.(?:hookspath|pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand|worktree)|pager\\..*',
    'sequence\\.editor|diff\\.external|diff\\..*\\.(?:command|textconv)|merge\\..*\\.driver|filter\\..*|(?:credential\\.)?(?:.*\\.)?helper',
    'gpg\\.(?:.*\\.)?(?:program|defaultkeycommand)|include(?:if)?\\..*|remote\\..*\\.(?:uploadpack|receivepack|proxy|vcs)|url\\..*',
    'submodule\\..*\\.update|init\\.templatedir|sendemail\\..*cmd|uploadpack\\.packobjectshook|interactive\\.difffilter',
    '(?:man|browser|difftool|mergetool|guitool)\\..*\\.(?:cmd|path)|trailer\\..*\\.(?:command|cmd)|protocol\\..*allow|ssh\\.variant',
    'web\\.browser|instaweb\\..*|tar\\..*\\.command|hook\\..*|receive\\.procreceiverefs',
  ].join('|')})$`,
  'i',
);

/** What names a setting, without its value. */
export const isRunSetting = (key: string): boolean => RUN_SETTINGS.test(key);

/** Without one of these nothing is run: most calls. */
const MAY_RUN = /^-|ext::|^(?:foreach|run)$/;

/** Texts that git runs as shell code. Values that are no code are programs that do not exist: nothing is lost. */
export function gitCode(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => MAY_RUN.test(arg))) return [];
  const called = fromSubcommand('git', args);
  const settings = settingsOf(args, called).flatMap((setting) => codeOfSetting(setting, called));
  return [...settings, ...anywhere(args), ...givenToSubcommand(called), ...transports(args)].filter(isCode);
}

/**
 * The call is handed something to run for certain: a rule for git, or for the sub-command, says nothing about that. With
 * `unknown` some of its words are known only when it runs, and what is empty may be anything.
 */
export function isGivenProgram(args: readonly string[], unknown = false): boolean {
  if (!args.some((arg) => MAY_RUN.test(arg))) return false;
  const called = fromSubcommand('git', args);
  return (
    settingsOf(args, called).some((setting) => isProgram(setting, unknown)) ||
    givenToSubcommand(called).some((text) => isCode(text) || (unknown && text === '')) ||
    transports(args).length > 0
  );
}

const HARMLESS_VALUES = /^(?:cat|less(?: -\w+)*|more|true|false|vi|vim|nano|ssh|\d*)$/;
/** Of a setting that runs nothing with them. */
const HARMLESS_SETTINGS = /^(?:\/dev\/null|always|never|user)$/;

const isCode = (text: string): boolean => !HARMLESS_VALUES.test(text);

function isProgram(setting: string, unknown: boolean): boolean {
  const [key, value] = keyAndValue(setting);
  // Another address is no program, but for a transport's that is one.
  if (/^url\./i.test(key) && !key.includes('::')) return false;
  if (unknown && value === '') return isRunSetting(key);
  return isRunSetting(key) && isCode(value) && !HARMLESS_SETTINGS.test(value);
}

function keyAndValue(setting: string): [string, string] {
  const equals = setting.indexOf('=');
  return equals < 0 ? [setting, ''] : [setting.slice(0, equals), setting.slice(equals + 1)];
}

/** `-c key=value` before the sub-command, and those of `clone`; what else follows a `-c` may be none. */
function settingsOf(args: readonly string[], called: readonly string[]): readonly string[] {
  const found = args.flatMap((arg, index) => {
    if (/^(?:-c|--config)$/.test(args[index - 1] ?? '')) return [arg];
    return /^--config=(.+)$/s.exec(arg)?.[1] ?? [];
  });
  if (called[0] !== 'clone') return found;
  const cloned = possibleValues(called.slice(1), gitOptions('clone')).filter(
    ({ name }) => name === 'c' || (name.length > 1 && 'config'.startsWith(name)),
  );
  return [...found, ...cloned.map(({ value }) => value)];
}

/** `git -c alias.x='!cmd'`, `-c core.sshCommand=cmd`. */
function codeOfSetting(setting: string, called: readonly string[]): readonly string[] {
  const value = setting.slice(setting.indexOf('=') + 1);
  if (!/^alias\./i.test(setting)) return [value.replace(/^\s*!/, '')];
  // An alias without a mark is a sub-command of git. What follows the alias is handed on.
  const code = /^\s*!/.test(value) ? value.replace(/^\s*!/, '') : `git ${value}`;
  return called.length < 2 ? [code] : [code, [code, ...called.slice(1).map(inQuotes)].join(' ')];
}

const inQuotes = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const RUN_OPTION =
  /^(?:-x|--exec|--extcmd|--tree-filter|--index-filter|--msg-filter|--env-filter|--parent-filter|--commit-filter|--tag-name-filter|--upload-pack|--receive-pack|-u|--sendmail-cmd|--to-cmd|--cc-cmd|--open-files-in-pager)$/;

/** Options that run something with one sub-command or another. */
function anywhere(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    if (RUN_OPTION.test(arg)) return [args[index + 1] ?? ''];
    const [, option = '', value] = /^(--[a-z-]+)=(.+)$/s.exec(arg) ?? [];
    if (value !== undefined && RUN_OPTION.test(option)) return [value];
    return /^-[xO](.+)$/s.exec(arg)?.[1] ?? [];
  });
}

/** `git rebase -x cmd`, `git submodule foreach cmd`, `git bisect run cmd`. */
function givenToSubcommand([command = '', ...rest]: readonly string[]): readonly string[] {
  if (command === 'submodule' || command === 'bisect') {
    const at = rest.indexOf(command === 'bisect' ? 'run' : 'foreach');
    const run = at < 0 ? [] : rest.slice(at + 1);
    const first = run.findIndex((arg) => !/^--?[a-z-]+$/.test(arg));
    const call = first < 0 ? [] : run.slice(first);
    // A single word is code; more are the words of a call.
    return call.length > 1 ? [call.join(' '), call.map(quote).join(' ')] : call;
  }
  const options = gitOptions(command);
  if (options === undefined) return [];
  // Perl's options are long with one dash, too.
  const args = command === 'send-email' ? rest.map((arg) => arg.replace(/^-(?=[a-z]{2})/, '--')) : rest;
  return possibleValues(args, options)
    .filter(isRun)
    .map(({ value }) => value);
}

/** What mail is sent with is a program only as a path. */
const isRun = ({ name, role, value }: OptionValue): boolean =>
  role === 'run' && !('smtp-server'.startsWith(name) && !/^[/~.]/.test(value));

/** `git clone 'ext::cmd'`, `-c remote.x.url=ext::cmd`, `-c url.ext::cmd.insteadOf=x`; a blank of a word is written `% `. */
function transports(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => {
    if (!arg.includes('ext::')) return [];
    const code =
      /^(?:[\w.-]+\s*=\s*)?ext::(.+)$/s.exec(arg)?.[1] ??
      /^url\.ext::(.+?)\.(?:push)?insteadof(?:=|$)/is.exec(arg)?.[1];
    return code?.replace(/%([ %])/g, (_, char: string) => (char === ' ' ? '\\ ' : char)) ?? [];
  });
}

/** `git for-each-repo --config=x push` is a push. */
export function calledByGit(words: readonly string[]): readonly InnerCall[] {
  if (!words.includes('for-each-repo')) return [];
  const [command, ...rest] = fromSubcommand('git', words.slice(1));
  if (command !== 'for-each-repo') return [];
  return possibleCalls(rest, 0).map((call) => ({
    words: ['git', ...call.words],
    openEnded: false,
    before: words.length - call.words.length - 1,
  }));
}

const quote = (word: string): string =>
  /^[\w./=@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Why a call of git runs what cannot be looked at here. */
export function opaqueGit(args: readonly string[]): string | undefined {
  if (!args.some((arg) => arg.startsWith('-'))) return undefined;
  if (args.some((arg) => /^--exec-path=/.test(arg))) return 'git is told where its programs are';
  const [command = '', ...rest] = fromSubcommand('git', args);
  const isNew = /^(?:clone|init|init-db)$/.test(command);
  if (args.some((arg) => /^--template(?:=|$)/.test(arg)) || (isNew && rest.some(isTemplate)))
    return 'git is told which hooks to install';
  return args.some((arg) => /^(?:-c|--config)/.test(arg)) || command === 'clone'
    ? opaqueSetting(args, [command, ...rest])
    : undefined;
}

/** Also the beginnings of its name. */
const isTemplate = (arg: string): boolean =>
  /^--t/.test(arg) && '--template'.startsWith(arg.split('=', 1)[0] ?? '');

function opaqueSetting(args: readonly string[], called: readonly string[]): string | undefined {
  const variable = args
    .map((arg, index) => (args[index - 1] === '--config-env' ? arg : /^--config-env=(.+)$/s.exec(arg)?.[1]))
    .map((setting) => setting?.split('=', 1)[0] ?? '');
  const keys = settingsOf(args, called).map(keyAndValue);
  if (variable.some((key) => isRunSetting(key) || UNSEEN_SETTING.test(key)))
    return 'git is told to run what a variable holds';
  if (keys.some(([key]) => /^include(?:if)?\./i.test(key))) return 'git is told to read other settings';
  if (
    keys.some(([key, value]) => UNSEEN_SETTING.test(key) && !/^(?:0|never|false|no|off|show)$/i.test(value))
  )
    return 'git is told to run what it takes for a command';
  return undefined;
}

/** A sub-command that is only nearly written so is run; an address is a command. */
const UNSEEN_SETTING = /^(?:help\.autocorrect|protocol\.(?:ext\.)?allow)$/i;
