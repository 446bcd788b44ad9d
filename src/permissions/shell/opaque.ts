/** What cannot be looked into: launchers, interpreters that are handed code, variables that name a program. */
import { basename } from 'node:path';
import { OPTION_TABLES } from './option-table.ts';
import { possibleValues } from './options.ts';
import { readSedScript } from './sed-script.ts';
import { readSed } from './sed-use.ts';

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
  { name: /^(?:g?make)$/, code: /^--eval|^SHELL=/, runsStdin: false },
  { name: /^(?:g?vim?|nvim|ex|view|less|more)$/, code: /^-\w*c|^\+|^--cmd/, runsStdin: false },
  { name: /^(?:gdb|lldb)$/, code: /^-{1,2}(?:ex|eval|o)/, runsStdin: false },
  {
    name: /^(?:emacs|julia|elixir|R|ghc|swift|octave|groovy|scala|gnuplot|tsx|ts-node|i?python\w*|micropython)$/,
    code: /^-\w*[ce]|^--eval/,
    runsStdin: false,
  },
  { name: /^(?:mapfile|readarray|compgen|complete)$/, code: /^-[A-Za-z]*C/, runsStdin: false },
];

/** Builtins that evaluate a subscript or arithmetic in a word, substitutions in it included. */
const EVALUATES = new Set(
  'let declare typeset local export readonly unset read printf test [ [[ wait compgen complete getopts mapfile readarray'.split(
    ' ',
  ),
);

/** Why the words of a program call cannot be looked into, if they cannot. */
export function opaqueReason(words: readonly string[]): string | undefined {
  const name = basename(words[0] ?? '');
  const args = words.slice(1);
  if (LAUNCHERS.has(name)) return `${name} runs other programs`;
  if (EVALUATES.has(name) && args.some((arg) => /\$\(|`/.test(arg)))
    return `${name} may evaluate what is quoted`;
  if (name === 'hash' && args.some((arg) => /^-\w*p/.test(arg))) return 'hash gives a program another name';
  const table = OPTION_TABLES.get(name);
  if (table !== undefined && possibleValues(args, table).some(({ role }) => role === 'run'))
    return `${name} is given a program to run`;
  if (name === 'sed') {
    const { scripts, scriptFiles, unsure } = readSed(args);
    const script = readSedScript(scripts);
    const isPlain = !unsure && scriptFiles.length === 0 && script.sure && !script.runs;
    return isPlain ? undefined : 'sed may run what it edits';
  }
  if (/^(?:\w+-)?[gmn]?awk$/.test(name))
    return args.some(isCodeOfAwk) ? `${name} may run programs or write files` : undefined;
  const interpreter = INTERPRETERS.find((row) => row.name.test(name));
  return interpreter !== undefined && args.some((arg) => interpreter.code.test(arg))
    ? `${name} is given code`
    : undefined;
}

/** `system(…)`, a pipe, an indirect call, an extension, or `print … > file`. */
function isCodeOfAwk(program: string): boolean {
  if (/system|getline|\||@|^-\w*[filE]|^--(?:file|incl|load|exec)/.test(program)) return true;
  return program.split(/[;}\n]/).some((part) => {
    const print = part.indexOf('print');
    return print >= 0 && part.includes('>', print);
  });
}

/** What it reads is a program, or may hold commands. */
const READS_CODE = new Set('ed ex dc bc sqlite3 tclsh gdb at batch crontab make'.split(' '));

const isStdin = (word: string): boolean => /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0)$/.test(word);

/** An interpreter without a script: it runs what comes on stdin. */
export function runsItsInput(words: readonly string[]): boolean {
  const name = basename(words[0] ?? '');
  return (
    (INTERPRETERS.some((row) => row.name.test(name)) &&
      words.slice(1).every((word) => word.startsWith('-'))) ||
    (INTERPRETERS.some((row) => row.name.test(name)) && words.slice(1).some(isStdin)) ||
    READS_CODE.has(name)
  );
}
