/** Variables that change what other words mean, and the builtins that set one without an assignment before a command. */

/** Variables whose value some program or bash itself runs, or where programs are looked for. */
export function isCodeVariable(name: string): boolean {
  return CODE_VARIABLES.test(name);
}

const CODE_VARIABLES = new RegExp(
  `^(?:${[
    'GIT_\\w+|\\w*PAGER|\\w*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|MANOPT|LESS',
    'BASH_ENV|BASHOPTS|SHELLOPTS|BASH_FUNC_.*|ENV|PATH|IFS|PS[0-4]|PROMPT_COMMAND|HOME|CDPATH|OLDPWD|PWD|SHELL|EXECIGNORE|GLOBIGNORE',
    'LD_\\w+|DYLD_\\w+|PERL5OPT|PERL5LIB|PERL5DB|PERLLIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PYTHONINSPECT',
    'MAKEFLAGS|MAKEFILES|GOFLAGS|CC|CXX|RUSTC\\w*|CARGO_BUILD_RUSTC\\w*|(?:NPM|npm)_(?:CONFIG|config)_\\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS',
    'TAR_OPTIONS|RSYNC_RSH|RIPGREP_CONFIG_PATH|GREP_OPTIONS|\\w*_ASKPASS|SSH_\\w*COMMAND|HOOKD_\\w+|DOCKER_HOST|KUBECONFIG',
  ].join('|')})$`,
);

/** A name that no program gives a meaning to: what is set is for the command itself. */
export const isPlainVariable = (name: string): boolean => /^[a-z_][a-z0-9_]*$/.test(name);

/** The variables that a builtin sets, as far as its words say so. */
export function variablesSet(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !/^(?:command|builtin|-p|--)$/.test(word));
  const name = words[at] ?? '';
  const args = words.slice(at + 1);
  const plain = args.filter((arg) => !/^[-+]./.test(arg)).map((arg) => /^(\w+)/.exec(arg)?.[1] ?? arg);
  switch (name) {
    case 'read':
      return plain.length > 0 ? plain : ['REPLY'];
    case 'mapfile':
    case 'readarray':
      return plain.length > 0 ? plain : ['MAPFILE'];
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
    case 'unset':
    case 'let':
      return plain;
    case 'getopts':
      return plain.slice(1);
    case 'printf':
      return args.flatMap((arg, index) =>
        arg === '-v' ? [args[index + 1] ?? ''] : /^-v./.test(arg) ? [arg.slice(2)] : [],
      );
    default:
      return [];
  }
}
