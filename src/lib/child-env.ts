/** The environment that children get: what could hand them our credentials, or run code in them unasked, is taken out. */
import { isAbsolute } from 'node:path';

/** The model's credentials are the daemon's own. */
const CREDENTIALS = /^ANTHROPIC_.*(KEY|TOKEN)/i;
/** Makes the dynamic linker or Node load code. */
const LOADERS = /^(LD_.*|DYLD_.*|NODE_OPTIONS)$/;
/**
 * Of the variables in bash's manual those that make a shell run a file or a command, define a function over a command,
 * or change what a command means: where `cd` leads, what is found, split, expanded or read, which options are set.
 * What was judged would not be what runs. (Prompts expand command substitutions, PS4 without a terminal too.)
 */
const SHELL_VARIABLES =
  /^(BASH|BASH_.*|BASHOPTS|SHELLOPTS|ENV|POSIXLY_CORRECT|CDPATH|PWD|OLDPWD|DIRSTACK|EXECIGNORE|GLOBIGNORE|GLOBSORT|FIGNORE|FUNCNEST|IFS|OPTARG|OPTERR|OPTIND|PROMPT_COMMAND|PS[0-4]|TIMEFORMAT|TMOUT|INPUTRC|FCEDIT|HIST(CONTROL|FILE|FILESIZE|IGNORE|SIZE|TIMEFORMAT)|histchars|auto_resume|EUID|UID|PPID|GROUPS)$/;

export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extra: { readonly projectDir: string },
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || isTakenOut(name, value)) continue;
    env[name] = value;
  }
  return {
    ...env,
    SHLVL: shellLevel(base['SHLVL']),
    CLAUDE_PROJECT_DIR: extra.projectDir,
    HOOKD_PROJECT_DIR: extra.projectDir,
    CLAUDECODE: '1',
  };
}

function isTakenOut(name: string, value: string): boolean {
  // Without it a shell's `~` is the home of the system's entry, which is then ours too.
  if (name === 'HOME') return !isAbsolute(value);
  return isWithheld(name);
}

/** No child gets it, whatever its value is. */
export function isWithheld(name: string): boolean {
  return CREDENTIALS.test(name) || LOADERS.test(name) || SHELL_VARIABLES.test(name);
}

/** At least 1: on the first level bash takes a socket on stdin, or an SSH session, for a remote login and reads ~/.bashrc. */
function shellLevel(inherited: string | undefined): string {
  const level = Number(inherited);
  return Number.isInteger(level) && level >= 1 && level < 1000 ? String(level) : '1';
}
