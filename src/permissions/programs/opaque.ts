/** What cannot be looked into: launchers, interpreters that are handed code, builtins that evaluate their words. */
import { readAwk } from './awk-use.ts';
import { opaqueGit } from './git-code.ts';
import { changesRoot } from './new-root.ts';
import { programOf } from './program-name.ts';
import { programsToRun } from './run-options.ts';
import { readSedScript } from './sed-script.ts';
import { readSed } from './sed-use.ts';
import { changedMeaning } from './shell-options.ts';
import { isShell } from './shells.ts';

/** Programs that run others in ways that are not looked through. */
const LAUNCHERS = new Set(
  [
    'parallel sem busybox toybox systemd-run runuser su faketime proxychains proxychains4 at batch crontab ssh autossh mosh',
    'pkexec run0 tmux screen byobu expect entr alias start-stop-daemon srun qsub dtach abduco reptyr',
  ]
    .join(' ')
    .split(' '),
);

/** Words that hand a program code: its names, without directory and version, and the arguments. */
const CODE_WORDS: readonly (readonly [string, RegExp])[] = [
  [
    'make gmake bmake remake',
    /^--ev|^\.?SHELL(?:FLAGS)?\s*[:+?!]*=|^-E|^\w+!=|\$[({](?:shell|eval|guile|file)\b/,
  ],
  [
    'vim gvim vi nvim ex view rvim vimdiff less more most',
    /^-\w*[cSs]|^\+|^--(?:cmd|remote-(?:send|expr)|server)/,
  ],
  ['ed red', /^!/],
  ['gdb lldb cgdb', /^-{1,2}(?:ex|eval|o|iex|ix|args|k|O|one-line)|^--?batch-command/],
  ['emacs emacsclient', /^-{1,2}(?:e|eval|f|funcall|execute|insert|l|load)/],
  [
    'julia elixir iex erl R ghc runghc swift octave groovy scala clojure clj bb gnuplot ipython micropython nim raku crystal',
    /^-{1,2}\w*[ceEr](?:=|$)|^--(?:eval|run|expr)/,
  ],
  [
    'kotlin racket sbcl ocaml jshell tclsh wish maxima sage gap gp matlab jrunscript jjs rhino qjs d8 gjs cjs',
    /^-{1,2}\w*[ceEfr](?:=|$)|^--(?:eval|run|expr)/,
  ],
  ['jq gojq jaq', /\b(?:import|include)\s*"/],
  ['yq', /\bload\w*\s*\(/],
  ['mapfile readarray compgen complete', /^-[A-Za-z]*C/],
  ['enable', /^-\w*[fd]/],
  // What was said before is run again, and an editor is run on it; `-l` only shows it.
  ['fc', /^(?!-\w*l)/],
  ['history', /^-\w*[sp]/],
  ['hg', /^--config(?:$|=)/],
  ['svn', /^--(?:diff3?-cmd|editor-cmd|config-(?:option|dir))/],
  ['cloc', /^--?(?:ext|vcs|config)/],
  ['dialog whiptail', /^--prg/],
  ['mail mailx Mail s-nail', /^-\w*S|^-~/],
  ['mutt neomutt', /^-\w*[eF]/],
  ['bat batcat ag ack delta', /^--?pag/],
  ['man', /^-\w*[HCX]|^--(?:ht|pa|config|gx)/],
  ['capsh', /^--?sh|^==/],
  ['fzf', /^--(?:bind|preview|with-shell|listen)/],
  ['go', /^--?(?:toolexec|exec|vettool)(?:=|$)|^--?ldflags.*extld/],
  ['zip', /TT|^--unzip-command/],
  ['dc', /^-e|^--expr|!/],
  ['m4', /esyscmd|syscmd/],
  ['openssl', /^-(?:engine|pre|post|provider|provider-path)$|^engine$/],
  ['tex latex pdftex pdflatex xetex xelatex luatex lualatex', /shell-escape|write18/],
  ['dpkg dpkg-deb', /^--(?:pre|post)-invoke|^--status-logger/],
  ['apt apt-get aptitude', /::/],
  ['cargo', /^--config/],
  ['java javac', /^-(?:agent|javaagent|XX:On)|^-J/],
  ['gcc cc g++ c++ clang clang++', /^-(?:wrapper|B|fplugin|specs)/],
  ['nc ncat netcat', /^-\w*[ec]|^--(?:sh-exec|exec|lua-exec)/],
  ['socat', /(?:exec|system|shell)\s*:/i],
  ['tcpdump tshark dumpcap', /^-\w*z/],
  ['sftp scp', /^-\w*[SD]|^-o|command|pkcs11/i],
  ['docker podman nerdctl', /^--(?:entrypoint|privileged|pid|device)|^(?:exec|run)$/],
  ['aria2c', /^--on-/],
  ['wget', /^--use-askpass|^-e|^--execute/],
  ['nmap', /^--script|^-sC/],
  ['nix-build nix-instantiate nix-env nix', /^--(?:expr|impure|builders)|^-E/],
  ['cmake', /^-E$/],
  ['bsdtar cpio star', /^--(?:to-command|use-compress-program|rsh-command)/],
  ['gpg gpg2', /^--(?:exec-path|photo-viewer|agent-program|dirmngr-program)/],
];

const BY_NAME: ReadonlyMap<string, RegExp> = new Map(
  CODE_WORDS.flatMap(([names, code]) => names.split(' ').map((name) => [name, code] as const)),
);

/** Interpreters of other languages: a script among their operands is a file, code in their words cannot be looked into. */
const INTERPRETERS: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['python pypy', /^-[A-Za-z]*c|^-[A-Za-z]*mtimeit|^timeit$/],
      ['perl', /^-[A-Za-z0-9]*[eEMmdxX]/],
      ['ruby jruby lua luajit texlua', /^-[A-Za-z]*[eE]/],
      [
        'node nodejs deno bun tsx ts-node',
        /^(?:-[a-z]*[ep][a-z]*(?:=|$)|--eval|--print|eval$|data:|--\S+=data:)/,
      ],
      ['php', /^-[rBREFd]|^--(?:run|process)|^data:/],
      [
        'osascript Rscript guile psql mysql mariadb mongosh mongo clickhouse duckdb',
        /^-\w*[ec]|^--(?:command|execute|eval)|^\.|\\!|system\s/,
      ],
      ['sqlite3 sqlite sqlcipher', /^--?(?:cmd|init)|^\s*\.|load_extension|edit\s*\(|(?:write|read)file/i],
    ] as const
  ).flatMap(([names, code]) => names.split(' ').map((name) => [name, code] as const)),
);

/** Builtins that evaluate a subscript or arithmetic in a word, substitutions in it included. */
const EVALUATES = new Set(
  'let declare typeset local export readonly unset read printf test [ [[ wait compgen complete getopts mapfile readarray'.split(
    ' ',
  ),
);

export const isInterpreter = (program: string): boolean => INTERPRETERS.has(program);

/** Some words would hand it code: of a program without directory and version. */
export const mayBeGivenCode = (program: string): boolean =>
  LAUNCHERS.has(program) ||
  EVALUATES.has(program) ||
  BY_NAME.has(program) ||
  isInterpreter(program) ||
  isShell(program) ||
  /^(?:git|sed|find|fd|fdfind|npm|pnpm|yarn|bun)$|awk$/.test(program);

/** The same by several words of a call. */
const CODE_CALLS: ReadonlyMap<string, RegExp> = new Map([
  ['gh', /(?:^| )(?:alias (?:set|import)|extension exec) /],
  ['glab', /(?:^| )alias set /],
]);

/** Why the words of a program call cannot be looked into, if they cannot. */
export function opaqueReason(words: readonly string[]): string | undefined {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  if (LAUNCHERS.has(name)) return `${name} runs other programs`;
  if (changesRoot(name, args)) return `${name} runs it where names mean other files`;
  if (EVALUATES.has(name) && args.some((arg) => /\$\(|`/.test(arg)))
    return `${name} may evaluate what is quoted`;
  if (name === 'hash' && args.some((arg) => /^-\w*p/.test(arg))) return 'hash gives a program another name';
  const changed = changedMeaning(name, args);
  if (changed !== undefined) return changed;
  if (CODE_CALLS.get(name)?.test(args.join(' ')) === true) return `${name} is given code`;
  // Without a name it takes the one that a variable holds.
  if (name === 'history' && /^-\w*[anrw]$/.test(args[args.length - 1] ?? ''))
    return 'history reads or writes a file that is not named';
  if (programsToRun(name, args).length > 0) return `${name} is given a program to run`;
  if (name === 'git') return opaqueGit(args);
  if (name === 'sed') {
    const { scripts, scriptFiles, unsure } = readSed(args);
    const script = readSedScript(scripts);
    const isPlain = !unsure && scriptFiles.length === 0 && script.sure && !script.runs;
    return isPlain ? undefined : 'sed may run what it edits';
  }
  if (/^(?:\w+-)?[gmn]?awk$/.test(name))
    return readAwk(args).isOpen ? `${name} may run programs or write files` : undefined;
  if (INTERPRETERS.has(name) && isConstant(args)) return undefined;
  const code = INTERPRETERS.get(name) ?? BY_NAME.get(name);
  if (name === 'fc' && args.length === 0) return 'fc runs what was said before';
  return code !== undefined && args.some((arg) => code.test(arg)) ? `${name} is given code` : undefined;
}

/** `-c 1`: a number is a whole program, which does nothing. */
const isConstant = ([option = '', code = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && /^-[ce]$/.test(option) && /^\d{1,9}$/.test(code);

/**
 * What a program runs of the files that are named to it: a script before all other operands, or any of them. Undefined:
 * none. The program is without directory and version.
 */
export function runsFiles(program: string): 'script' | 'any' | undefined {
  if (isInterpreter(program) || isShell(program) || program === '.' || program === 'source') return 'script';
  return TAKES_SCRIPTS.has(program) ? 'any' : undefined;
}

const TAKES_SCRIPTS = new Set(
  'make gmake bmake remake just ninja ed ex vim vi dc bc m4 gnuplot octave tclsh wish expect at batch crontab gdb tex latex tmux screen'.split(
    ' ',
  ),
);
