/**
 * `bash -c CODE` under a rule for that shell. A rule for an interpreter says nothing about code that nobody can read; the
 * grammar of these shells is the one that is judged, so their code is looked through to the last word.
 */
import { allowRedirects } from './command-files.ts';
import { filesOfRule, type Judged } from './command-part.ts';
import { hasFileGrammar } from './programs/file-use.ts';
import { calledByGit, isGivenProgram } from './programs/git-code.ts';
import { commandsInside } from './programs/inside.ts';
import { NOTHING_HANDED } from './programs/inside-call.ts';
import { mayBeGivenCode, opaqueReason } from './programs/opaque.ts';
import { nameOf, programOf } from './programs/program-name.ts';
import { runsItsInput } from './programs/reads-code.ts';
import { isShell } from './programs/shells.ts';
import { isWrapper } from './programs/wrappers.ts';
import { isCodeVariable } from './shell/code-variables.ts';
import { analyseCommand, type SimpleCommand } from './shell/commands.ts';
import { dialectOf, unlikeBash } from './shell/dialect.ts';
import type { ShellWord } from './shell/word.ts';

const RUNS_SCRIPTS = new Set('npm pnpm yarn npx bun bunx'.split(' '));

/** Options by which package managers are told what runs a script, or whose scripts. */
const SETS_PROGRAM =
  /^(?:-C|--(?:script-shell|shell|node-options|prefix|dir|cwd|userconfig|globalconfig|git|editor|viewer|browser|init-module|preload|require)(?:=|$))/;

/** What follows `--` goes to the script. */
function endOfOptions(words: readonly string[]): number {
  const end = words.indexOf('--');
  return end < 0 ? words.length : end;
}

/** Interpreters with code, `find -exec` and the like: a prefix says nothing about what they will run. */
export function isGivenCode(words: readonly string[]): boolean {
  const name = nameOf(words[0] ?? '');
  if (opaqueReason(words) !== undefined) return true;
  if (name === 'git')
    return (
      words.some((word) => /=\s*!/.test(word)) ||
      isGivenProgram(words.slice(1)) ||
      calledByGit(words).length > 0
    );
  if (name === 'find')
    return words.some((word) =>
      /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/.test(word),
    );
  if (name === 'fd' || name === 'fdfind') return commandsInside(words, NOTHING_HANDED).calls.length > 0;
  if (RUNS_SCRIPTS.has(name))
    return words.slice(0, endOfOptions(words)).some((word) => SETS_PROGRAM.test(word));
  return commandsInside(words, NOTHING_HANDED).code.length > 0;
}

/** Its words are looked at one by one, for files or code: what nobody has seen cannot be. */
export function isMinded(word: string): boolean {
  const name = nameOf(word);
  return hasFileGrammar(name) || mayBeGivenCode(programOf(name)) || isWrapper(name);
}

/** It runs what it is given on stdin: a shell, an interpreter, in a wrapper too. */
export function isFedCode({ words, stdin, piped, redirects, cwds }: SimpleCommand): boolean {
  if (stdin === undefined && !piped && !redirects.some(({ operator }) => operator.startsWith('<')))
    return false;
  const values = words.map(({ value }) => value);
  const calls = [values, ...commandsInside(values, NOTHING_HANDED).calls.map((call) => call.words)];
  const fed = { ...NOTHING_HANDED, stdin, piped: true, cwds };
  return calls.some((call) => {
    const { code, unresolved } = commandsInside(call, fed);
    return (
      runsItsInput(call, { text: stdin }, cwds) ||
      (isShell(programOf(call[0] ?? '')) && (code.length > 0 || unresolved !== undefined))
    );
  });
}

/** When it stops and what it prints: `-e`, `-euo pipefail`, `-l`. What code means is left as it is. */
const HARMLESS = /^-[euxvl]+$/;
const SETS = /^-[euxvl]*o$/;
const SETTINGS = /^(?:pipefail|errexit|nounset|xtrace|verbose)$/;

/** The words behind `-c`: the code, and its parameters. None where an option is not known. */
function afterOptions(args: readonly (string | undefined)[]): readonly (string | undefined)[] {
  for (let at = 0; at < args.length; at++) {
    const option = args[at] ?? '';
    if (/^-[euxvl]*c$/.test(option)) return args.slice(at + 1);
    if (SETS.test(option) && SETTINGS.test(args[at + 1] ?? '')) at++;
    else if (!HARMLESS.test(option)) return [];
  }
  return [];
}

const READ_SHELLS = new Set(['bash', 'sh', 'dash']);

/** True when the words are such a shell with code, and nothing in the code does more than a plain command may. */
export function isReadableCode(
  judged: Judged,
  words: readonly ShellWord[],
  cwds: readonly string[],
): boolean {
  const [shell, ...rest] = words.map(({ kind, value }) => (kind === 'static' ? value : undefined));
  const [code, ...more] = afterOptions(rest);
  if (shell === undefined || !READ_SHELLS.has(shell) || code === undefined) return false;
  // What comes after the code are its parameters, which plain code does not use.
  if (more.includes(undefined) || code.startsWith('-') || code.startsWith('+')) return false;
  if (unlikeBash(dialectOf(shell), code) !== undefined) return false;
  const { cwd: start, home } = judged.permissions.workplace;
  const analysis = analyseCommand(code, { cwd: cwds[0] ?? start, cwds, home });
  const { why, obstacles, unclear, lostCwd, endless, commands } = analysis;
  if (why !== undefined || obstacles.length > 0 || unclear.length > 0 || lostCwd || endless) return false;
  const inside: Judged = { ...judged, command: code, analysis };
  return commands.every((command) => isPlainCommand(inside, command));
}

function isPlainCommand(judged: Judged, command: SimpleCommand): boolean {
  const { words, assignments, obstacle, stdin, isPart } = command;
  if (obstacle !== undefined || !isPart || stdin !== undefined) return false;
  if (assignments.some(({ name, value }) => value === undefined || isCodeVariable(name))) return false;
  if (words[0]?.kind !== 'static' || words.some(({ kind }) => kind === 'dynamic')) return false;
  const values = words.map(({ value }) => value);
  if (opaqueReason(values) !== undefined) return false;
  const { calls, code, unresolved } = commandsInside(values, NOTHING_HANDED);
  if (calls.length > 0 || code.length > 0 || unresolved !== undefined) return false;
  const nothing = { taken: 0, wrappers: [] };
  return filesOfRule(judged, command, words, nothing) === undefined && allowRedirects(judged, command).ok;
}
