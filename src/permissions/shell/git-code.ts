/** What a call of git makes it run besides git itself: commands in options, in settings given by `-c`, in transports. */

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
  return [...settingValues(args), ...optionValues(args)].filter((text) => !HARMLESS_VALUES.test(text));
}

const HARMLESS_VALUES = /^(?:cat|less(?: -\w+)*|more|true|false|vi|vim|nano|ssh|\d*)$/;

/** `git -c alias.x='!cmd'`, `-c core.sshCommand=cmd`. */
function settingValues(args: readonly string[]): readonly string[] {
  const given = args.flatMap((arg, index) => {
    if (/^(?:-c|--config|--config-env)$/.test(args[index - 1] ?? '')) return [arg];
    return /^--config(?:-env)?=(.+)$/s.exec(arg)?.[1] ?? [];
  });
  return given.map((setting) => {
    const value = setting.slice(setting.indexOf('=') + 1);
    // An alias without a mark is a sub-command of git.
    const isAlias = /^alias\./i.test(setting) && !/^\s*!/.test(value);
    return isAlias ? `git ${value}` : value.replace(/^\s*!/, '');
  });
}

const RUN_OPTION =
  /^(?:-x|--exec|--extcmd|--tree-filter|--index-filter|--msg-filter|--env-filter|--parent-filter|--commit-filter|--tag-name-filter|--upload-pack|--receive-pack|-u|--sendmail-cmd|--to-cmd|--cc-cmd|--open-files-in-pager)$/;

/** `git rebase -x cmd`, `git submodule foreach cmd`, `git bisect run cmd`, `git clone 'ext::cmd'`. */
function optionValues(args: readonly string[]): readonly string[] {
  const runs = args.findIndex(
    (arg, index) => /^(?:foreach|run)$/.test(arg) && /^(?:submodule|bisect)$/.test(args[index - 1] ?? ''),
  );
  const values = args.flatMap((arg, index) => {
    if (RUN_OPTION.test(arg)) return [args[index + 1] ?? ''];
    const [, option = '', value] = /^(--[a-z-]+)=(.+)$/s.exec(arg) ?? [];
    if (value !== undefined && RUN_OPTION.test(option)) return [value];
    // `-xcmd` of rebase and difftool, `-Ocmd` of grep.
    const glued = /^-[xO](.+)$/s.exec(arg)?.[1];
    return glued ?? /^(?:\w+\s*=\s*)?ext::(.+)$/s.exec(arg)?.[1] ?? [];
  });
  return runs < 0 ? values : [...values, args.slice(runs + 1).join(' ')];
}

/** Why a call of git runs what cannot be looked at here. */
export function opaqueGit(args: readonly string[]): string | undefined {
  if (!args.some((arg) => arg.startsWith('-'))) return undefined;
  if (args.some((arg) => /^--exec-path=/.test(arg))) return 'git is told where its programs are';
  if (
    args.some((arg) => /^(?:-c|--config)$/.test(arg)) &&
    args.some((arg) => /^(?:include|includeif)\./i.test(arg))
  )
    return 'git is told to read other settings';
  return args.some((arg) => /^--template(?:=|$)/.test(arg))
    ? 'git is told which hooks to install'
    : undefined;
}
