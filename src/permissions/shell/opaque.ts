/** What cannot be looked into: launchers, interpreters that are handed code, variables that name a program. */
import { basename } from 'node:path';

/** Programs that run others in ways that are not looked through. */
const LAUNCHERS = new Set([
  ...[
    'parallel',
    'busybox',
    'toybox',
    'systemd-run',
    'runuser',
    'su',
    'faketime',
    'proxychains',
    'proxychains4',
    'at',
    'batch',
  ],
  ...[
    'crontab',
    'ssh',
    'pkexec',
    'run0',
    'tmux',
    'screen',
    'expect',
    'entr',
    'alias',
    'docker',
    'podman',
    'start-stop-daemon',
  ],
]);

/** Interpreters → the options that hand them code. */
const INTERPRETERS: readonly { readonly name: RegExp; readonly code: RegExp }[] = [
  { name: /^(?:python|pypy)[\d.]*$/, code: /^-[A-Za-z]*c/ },
  { name: /^(?:perl[\d.]*|ruby[\d.]*|lua[\d.]*|luajit)$/, code: /^-[A-Za-z]*[eE]/ },
  { name: /^(?:node|nodejs|deno|bun)$/, code: /^(?:-[a-z]*[ep][a-z]*|--eval|--print|eval)/ },
  { name: /^php[\d.]*$/, code: /^-[rBRE]/ },
  { name: /^(?:osascript|Rscript|guile|sqlite3|psql|mysql)$/, code: /^-e|^-c|^\./ },
  { name: /^(?:mapfile|readarray|compgen|complete)$/, code: /^-[A-Za-z]*C/ },
  { name: /^(?:g|m|n)?awk$/, code: /system\s*\(|getline|\||print[^;}]*>/ },
];

/** Builtins that evaluate a subscript or arithmetic in a word, substitutions in it included. */
const EVALUATES = new Set(
  'let declare typeset local export readonly unset read printf test [ [[ wait mapfile readarray'.split(' '),
);

/** Why the words of a program call cannot be looked into, if they cannot. */
export function opaqueReason(words: readonly string[]): string | undefined {
  const name = basename(words[0] ?? '');
  if (EVALUATES.has(name) && words.slice(1).some((word) => /\$\(|`/.test(word)))
    return `${name} may evaluate what is quoted`;
  if (LAUNCHERS.has(name)) return `${name} runs other programs`;
  const interpreter = INTERPRETERS.find((row) => row.name.test(name));
  return interpreter !== undefined && words.slice(1).some((word) => interpreter.code.test(word))
    ? `${name} is given code`
    : undefined;
}

/** Variables whose value some programs run. */
export function isCodeVariable(name: string): boolean {
  return /^(?:GIT_\w+|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|BASH_ENV|ENV|LESSOPEN|LESSCLOSE|LD_\w+|PERL5OPT|RUBYOPT|NODE_OPTIONS|PYTHONSTARTUP|PATH|IFS|PS4)$/.test(
    name,
  );
}
