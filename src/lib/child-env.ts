/** The environment that children get: what could hand them our credentials, or run code in them unasked, is taken out. */

/** The model's credentials are the daemon's own. */
const CREDENTIALS = /^ANTHROPIC_.*(KEY|TOKEN)/i;
/**
 * Makes a shell run a file, defines a function over a command, loads a library, or changes the grammar a shell reads:
 * what was judged would not be what runs.
 */
const LOADERS = /^(BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|LD_.*|DYLD_.*|NODE_OPTIONS)$/;

export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extra: { readonly projectDir: string },
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || CREDENTIALS.test(name) || LOADERS.test(name)) continue;
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

/** At least 1: on the first level bash takes a socket on stdin, or an SSH session, for a remote login and reads ~/.bashrc. */
function shellLevel(inherited: string | undefined): string {
  const level = Number(inherited);
  return Number.isInteger(level) && level >= 1 && level < 1000 ? String(level) : '1';
}
