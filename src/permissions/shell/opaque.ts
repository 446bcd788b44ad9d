/** What cannot be looked into: launchers, interpreters that are handed code, variables that name a program. */
import { basename } from 'node:path';

/** Programs that run others in ways that are not looked through. */
const LAUNCHERS = new Set(
  [
    'parallel busybox toybox systemd-run runuser su faketime proxychains proxychains4 at batch crontab ssh pkexec run0',
    'tmux screen expect entr alias start-stop-daemon',
  ]
    .join(' ')
    .split(' '),
);

interface Interpreter {
  readonly name: RegExp;
  /** The arguments that hand it code. */
  readonly code: RegExp;
  /** Without a script it runs what comes on stdin. */
  readonly runsStdin: boolean;
}

const INTERPRETERS: readonly Interpreter[] = [
  { name: /^(?:python|pypy)[\d.]*$/, code: /^-[A-Za-z]*c/, runsStdin: true },
  { name: /^(?:perl[\d.]*|ruby[\d.]*|lua[\d.]*|luajit)$/, code: /^-[A-Za-z]*[eE]/, runsStdin: true },
  { name: /^(?:node|nodejs|deno|bun)$/, code: /^(?:-[a-z]*[ep][a-z]*|--eval|--print|eval)/, runsStdin: true },
  { name: /^php[\d.]*$/, code: /^-[rBRE]/, runsStdin: true },
  { name: /^(?:osascript|Rscript|guile|sqlite3|psql|mysql)$/, code: /^-e|^-c|^\./, runsStdin: true },
  { name: /^(?:mapfile|readarray|compgen|complete)$/, code: /^-[A-Za-z]*C/, runsStdin: false },
  { name: /^(?:g|m|n)?awk$/, code: /system\s*\(|getline|\||print[^;}]*>/, runsStdin: false },
];

/** The `e` flag of a substitution: GNU sed runs the result. */
const SED_RUNS = /(?:^|[;{}\n\d$/,!])\s*s[^\w\s].*[^\w\s\\][gpiImM0-9]*e[gpiImM0-9]*\s*(?:$|[;}\n])/s;
/** A longer script is not searched: the search is not linear. */
const LONGEST_SED_SCRIPT = 1000;

/** Builtins that evaluate a subscript or arithmetic in a word, substitutions in it included. */
const EVALUATES = new Set(
  'let declare typeset local export readonly unset read printf test [ [[ wait'.split(' '),
);

/** Why the words of a program call cannot be looked into, if they cannot. */
export function opaqueReason(words: readonly string[]): string | undefined {
  const name = basename(words[0] ?? '');
  const args = words.slice(1);
  if (LAUNCHERS.has(name)) return `${name} runs other programs`;
  if (EVALUATES.has(name))
    return args.some((arg) => /\$\(|`/.test(arg)) ? `${name} may evaluate what is quoted` : undefined;
  if (name === 'sed') {
    const runs = args.some((arg) => arg.length > LONGEST_SED_SCRIPT || SED_RUNS.test(arg));
    return runs ? 'sed runs what it writes' : undefined;
  }
  const interpreter = INTERPRETERS.find((row) => row.name.test(name));
  return interpreter !== undefined && args.some((arg) => interpreter.code.test(arg))
    ? `${name} is given code`
    : undefined;
}

/** An interpreter without a script: it runs what comes on stdin. */
export function runsItsInput(words: readonly string[]): boolean {
  const name = basename(words[0] ?? '');
  return (
    INTERPRETERS.some((row) => row.name.test(name)) && words.slice(1).every((word) => word.startsWith('-'))
  );
}

/** Variables whose value some programs run. */
export function isCodeVariable(name: string): boolean {
  return /^(?:GIT_\w+|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|BASH_ENV|ENV|LESSOPEN|LESSCLOSE|LD_\w+|PERL5OPT|RUBYOPT|NODE_OPTIONS|PYTHONSTARTUP|PATH|IFS|PS4|HOME|CDPATH)$/.test(
    name,
  );
}
