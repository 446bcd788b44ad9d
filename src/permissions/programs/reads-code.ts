/** Programs that run what they read: interpreters without a script, and all that take commands on stdin. */
import { isDescriptor, isStdin } from '../shell/descriptors.ts';
import type { Input } from '../shell/inputs.ts';
import type { Handed } from './inside-call.ts';
import { isQuiet } from './mentioned-calls.ts';
import { isInterpreter } from './opaque.ts';
import { programOf } from './program-name.ts';
import { isShell } from './shells.ts';
import { startsShell } from './starts-shell.ts';

/** What it reads is a program, or may hold commands. */
const READS_CODE = new Set(
  [
    'ed ex dc bc sqlite3 tclsh gdb at batch crontab make m4 gnuplot octave tex latex pdftex pdflatex xetex lualatex',
    'vim gvim vi nvim view rvim vimdiff emacs lldb cgdb red sqlite sqlcipher psql mysql mariadb mongosh mongo clickhouse',
    'clickhouse-client duckdb mysqlsh sqlplus isql beeline hive cqlsh lftp ftp tnftp sftp smbclient mailx mail s-nail',
    'R julia irb pry iex erl elixir ghci runghc ocaml utop sbcl clisp ecl csi scheme gosh ipython ipython3 bpython ptpython',
    'jshell racket swift scala groovysh groovy clojure clj bb lein kotlin kotlinc nim gjs cjs qjs d8 rhino jjs jrunscript',
    'maxima sage gap gp matlab swipl gprolog gforth newlisp micropython spark-shell pyspark wish expect telnet raku crystal',
  ]
    .join(' ')
    .split(' '),
);

const byNames = <Value>(rows: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const)));

/** Options of interpreters whose value is the next word. */
const VALUED = byNames([
  ['python pypy', /^-[A-Za-z]*[WXQ]$|^--check-hash-based-pycs$/],
  ['perl', /^-[A-Za-z]*I$/],
  ['ruby jruby', /^-[A-Za-z]*[IrCEX]$|^--(?:encoding|(?:ex|in)ternal-encoding)$/],
  ['lua luajit texlua', /^-l$/],
  ['php', /^-[dczSt]$|^--(?:define|php-ini)$/],
  [
    'node nodejs tsx ts-node deno bun',
    /^-[rC]$|^--(?:require|import|loader|experimental-loader|conditions|env-file|title|preload|tsconfig)$/,
  ],
  ['osascript', /^-[ls]$/],
  ['guile', /^-[lLCx]$/],
]);

/** They read on from stdin when the script is done. */
const STAYS = byNames([
  ['python pypy lua luajit texlua node nodejs tsx ts-node', /^-[A-Za-z]*i|^--interactive$/],
  ['php', /^-a$|^--interactive$/],
]);

/** Modules of Python that run what they read. */
const RUNNING_MODULES =
  /^(?:code|pdb|asyncio|IPython|bpython|ptpython|ptipython|doctest|trace|cProfile|profile)$/;

/** Compilers: what they read may name files that they read as well. */
const INCLUDES = new Set('gcc cc g++ c++ clang clang++ cpp tcc as gas nasm yasm'.split(' '));

function mayInclude(text: string, words: readonly string[]): boolean {
  const findsOthers = words.some((word) => /^-[iI]/.test(word));
  const others = findsOthers ? text : text.replace(/^#include <\w+(?:\.h)?>$/gm, '');
  return /include|incbin|embed|import|asm|%:|\?\?|\\\n/.test(others);
}

/** Given an input, it runs what comes on stdin. */
export function runsItsInput(words: readonly string[], { text }: Input, cwds: readonly string[]): boolean {
  const name = programOf(words[0] ?? '');
  if (READS_CODE.has(name) || startsShell(words)) return true;
  if (INCLUDES.has(name)) return text === undefined || mayInclude(text, words);
  if (isShell(name)) return false;
  const args = words.slice(1);
  if (!isInterpreter(name)) return mayStartOne(name, args);
  if (args.some((arg) => isStdin(arg, cwds) || arg === 'repl' || STAYS.get(name)?.test(arg))) return true;
  const script = scriptOf(name, args);
  return script === undefined || (script.isModule && RUNNING_MODULES.test(script.word));
}

interface Script {
  readonly word: string;
  readonly isModule: boolean;
}

/** The first word that is no option, and no value of one. */
function scriptOf(name: string, args: readonly string[]): Script | undefined {
  const valued = VALUED.get(name);
  const takesModules = name === 'python' || name === 'pypy';
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) return { word, isModule: false };
    if (word === '--')
      return args[at + 1] === undefined ? undefined : { word: args[at + 1] ?? '', isModule: false };
    const module = takesModules ? /^-[A-Za-ln-z]*m(.*)$/.exec(word)?.[1] : undefined;
    if (module !== undefined) return { word: module === '' ? (args[at + 1] ?? '') : module, isModule: true };
    if (valued?.test(word)) at++;
  }
  return undefined;
}

/** A program that is not known is told to start a shell or an interpreter, and hands its input on. */
const mayStartOne = (name: string, args: readonly string[]): boolean =>
  args.some((arg) => /^[\w./-]+$/.test(arg) && startsOne(programOf(arg))) && !isQuiet(name, args);

const startsOne = (program: string): boolean => isShell(program) || isInterpreter(program);

/** Code that stands in the text, or on a descriptor, in place of a script: `python3 <(…)`, `make -f <(…)`. */
export function isHandedCode(words: readonly string[], handed: Handed): boolean {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  if (READS_CODE.has(name)) {
    if (handed.substituted && !/^(?:vim|gvim|nvim|view|vimdiff|emacs)$/.test(name)) return true;
    return args.some((arg, index) => /^-\w*f$/.test(args[index - 1] ?? '') && isDescriptor(arg, handed.cwds));
  }
  if (!isInterpreter(name)) return false;
  const script = scriptOf(name, args)?.word;
  // What is known only when it runs may be left out of the words.
  if (script === undefined || script === '') return handed.substituted;
  return script.startsWith('<(') || isDescriptor(script, handed.cwds);
}
