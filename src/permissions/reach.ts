/**
 * Everything that a command may run, for rules that deny or ask: through wrappers (`sudo`, `env`, `xargs` …),
 * interpreters that are handed code, and texts on stdin. It reads generously: too many readings make it stricter, never looser.
 */
import { hasEndlessOptions } from './programs/global-options.ts';
import { commandsInside } from './programs/inside.ts';
import { callWithin, handedTo, inputOf, pipedInto } from './programs/inside-call.ts';
import { directoriesIn } from './programs/moved-by.ts';
import { opaqueReason } from './programs/opaque.ts';
import { closedCall, type ReadCall, Reading } from './programs/reading.ts';
import { isHandedCode, runsItsInput } from './programs/reads-code.ts';
import type { UnknownWord } from './programs/unknown-files.ts';
import type { ReachedRedirect } from './reached-redirect.ts';
import { isCodeVariable, setsCodeVariable } from './shell/code-variables.ts';
import { type Analysis, analyseCommand, type ShellStart, type SimpleCommand } from './shell/commands.ts';
import { type Dialect, unlikeBash } from './shell/dialect.ts';
import { HeldTexts } from './shell/evaluated.ts';
import { fragments } from './shell/fragments.ts';
import type { Input } from './shell/inputs.ts';
import { literalsOf } from './shell/literal-words.ts';
import { isOpen } from './shell/word.ts';
import { isPlain, isUnsure, SUBSTITUTION } from './shell/word-kinds.ts';

export interface Reach {
  readonly readings: readonly Reading[];
  readonly redirects: readonly ReachedRedirect[];
  /** What could not be looked into; with a deny or ask rule in force this asks. */
  readonly unresolved: readonly string[];
  /** Command words that are patterns: what they stand for is a matter of the files. Of the outermost text only. */
  readonly patternCalls: readonly { readonly text: string; readonly cwds: readonly string[] }[];
  /** Calls of programs that are known only when they run: the command word as written, and the rest. */
  readonly unknownCalls: readonly { readonly text: string; readonly args: readonly string[] }[];
  /** Words with expansions, as written and as far as they can be said. */
  readonly expanded: readonly { readonly text: string; readonly guesses: readonly string[] }[];
  /** Some of it is shell code that could not be read: any command may be in it. */
  readonly unread: boolean;
  /** Words that look like patterns and stand in quotes, where nothing inside could take them for one again. */
  readonly literals: ReadonlySet<string>;
  /** The command is built to be endless work: not everything was looked at, so it asks even without rules. */
  readonly exhausted: boolean;
}

const DEEPEST = 8;
/** All words of all readings together, of one (each may be a file), and all nested code: far beyond what anybody writes by hand. */
const MOST_WORDS = 3000;
const MOST_OF_ONE_COMMAND = 800;
const MOST_NESTED_CODE = 20_000;
const MOST_NESTED_TEXTS = 50;
const MOST_FRAGMENTS = 500;

const NONE: readonly string[] = [];

export function reachOf(analysis: Analysis, start: ShellStart): Reach {
  const collector = new Collector(start);
  collector.take(analysis, 0);
  collector.judgeData();
  collector.literals = collector.looksInside ? new Set() : literalsOf(analysis);
  return collector;
}

class Collector implements Reach {
  readonly readings: Reading[] = [];
  readonly redirects: ReachedRedirect[] = [];
  readonly unresolved: string[] = [];
  readonly patternCalls: { text: string; cwds: readonly string[] }[] = [];
  readonly unknownCalls: { text: string; args: readonly string[] }[] = [];
  readonly expanded: { text: string; guesses: readonly string[] }[] = [];
  literals: ReadonlySet<string> = new Set();
  /** Something was found inside a command, which may read its words in its own way. */
  looksInside = false;
  unread = false;
  exhausted = false;
  readonly #start: ShellStart;
  readonly #held = new HeldTexts();
  /** Which shell the code is for that is looked at. */
  #dialect: Dialect = 'bash';
  #words = 0;
  #code = 0;
  #texts = 0;
  #around: readonly SimpleCommand[] = [];

  constructor(start: ShellStart) {
    this.#start = start;
  }

  take(analysis: Analysis, depth: number): void {
    if (analysis.why !== undefined) {
      this.unresolved.push(analysis.why);
      this.unread = true;
      const { all, isCut } = fragments(analysis.text, MOST_FRAGMENTS);
      if (isCut) this.exhausted = true;
      for (const words of all) this.#read(closedCall(words, NONE, [this.#start.cwd]), undefined, depth);
    }
    if (analysis.endless) this.exhausted = true;
    this.unresolved.push(...analysis.unclear);
    this.#held.take(analysis.evaluated);
    if (analysis.lostCwd) this.unresolved.push('it changes to a directory that is not known');
    // An assignment that nothing follows changes nothing.
    if (depth === 0 && onlySets(analysis)) return;
    const around = this.#around;
    this.#around = analysis.commands;
    for (const command of analysis.commands) this.#command(command, depth);
    this.#around = around;
  }

  judgeData = (): number => this.unresolved.push(...this.#held.doubt());

  #command(command: SimpleCommand, depth: number): void {
    for (const { operator, target } of command.redirects) {
      this.redirects.push({
        writes: operator !== '<',
        targets: target.guesses,
        text: target.text,
        resolved: target.kind === 'static' || target.kind === 'home',
        cwds: command.cwds,
      });
    }
    const assignments = command.assignments.map(({ text }) => text);
    for (const variable of command.assignments) {
      if (isCodeVariable(variable.name)) this.unresolved.push(`${variable.name} names a program to run`);
    }
    if (command.redirects.length === 0 && command.words.length > 0 && command.words.every(isPlain)) {
      const words = command.words.map(({ value }) => value);
      this.#read(closedCall(words, assignments, command.cwds), command, depth);
      return;
    }
    // Of a variable that is not set no word is left.
    const present = command.words.filter(({ certain }) => certain?.length !== 0);
    const name = present[0];
    if (name === undefined) return;
    if (name.kind === 'glob' && depth === 0) this.patternCalls.push({ text: name.text, cwds: command.cwds });
    else if (isUnsure(name)) this.unresolved.push(`its command word ${name.text} is known only when it runs`);
    this.unread ||= isUnsure(name);
    const operands: string[] = [];
    const held: string[] = [];
    const assumed: string[] = [];
    const unknown: UnknownWord[] = [];
    let openEnded = false;
    let last = name.text;
    /** Operands before the first that is not sure. */
    let before: number | undefined;
    for (const word of present.slice(1)) {
      const { guesses, text } = word;
      if (isUnsure(word)) before ??= operands.length;
      if (isOpen(word)) {
        openEnded = true;
        this.expanded.push({ text, guesses });
        unknown.push({ text, before: last });
      }
      last = text;
      if (word.assumesEmpty === true || SUBSTITUTION.test(text)) assumed.push(...guesses);
      operands.push(...guesses);
      // What may become nothing may as well become the command of a wrapper: once left out, once in its place.
      held.push(...(guesses.length > 0 ? guesses : [text]));
    }
    for (const { target } of command.redirects)
      if (isOpen(target)) this.expanded.push({ text: target.text, guesses: target.guesses });
    if (isOpen(name)) this.unknownCalls.push({ text: name.text, args: operands });
    // Braces make several words of one (`{rm,x}`), a loop variable one of several: both readings.
    const starts =
      name.guesses.length > 1 ? [name.guesses, ...name.guesses.map((guess) => [guess])] : [name.guesses];
    const readings = held.length > operands.length ? [operands, held] : [operands];
    const doubtful = name.assumesEmpty === true && name.guesses.some((guess) => guess !== '');
    for (const start of starts) {
      const sure = before === undefined ? undefined : start.length + before;
      for (const more of readings) {
        const words = [...start, ...more];
        if (words.length > 0)
          this.#read(
            {
              words,
              assignments,
              cwds: command.cwds,
              openEnded,
              made: false,
              unknown,
              sure,
              assumed,
              doubtful,
              fed: undefined,
            },
            command,
            depth,
          );
      }
    }
  }

  #read(given: ReadCall, command: SimpleCommand | undefined, depth: number): void {
    const { words: all } = given;
    const cwds = directoriesIn(all, given.cwds, this.#start.home) ?? given.cwds.slice(0, 1);
    if (cwds.length < given.cwds.length || all.length > MOST_OF_ONE_COMMAND) this.exhausted = true;
    const call = cwds === given.cwds ? given : { ...given, cwds };
    this.#words += all.length * cwds.length;
    if (this.#words > MOST_WORDS || depth > DEEPEST || hasEndlessOptions(all)) {
      this.exhausted = true;
      return;
    }
    this.readings.push(new Reading(call));
    const reason = opaqueReason(all);
    if (reason !== undefined) this.unresolved.push(reason);
    const set = all.find(setsCodeVariable);
    if (set !== undefined) this.unresolved.push(`${set} names a program to run`);
    const handed = handedTo(command, cwds);
    const input = inputOf(handed);
    if (input !== undefined && runsItsInput(all, input, cwds))
      this.unresolved.push(`${all[0]} runs what it is given on stdin`);
    if (isHandedCode(all, handed)) this.unresolved.push(`${all[0]} is given code`);
    const inside = commandsInside(all, handed);
    if (inside.unresolved !== undefined) {
      this.unresolved.push(inside.unresolved);
      this.unread = true;
    }
    this.looksInside ||= inside.calls.length > 0 || inside.code.length > 0 || reason !== undefined;
    for (const inner of inside.calls) {
      if (inner.words.length === 0) {
        if (inner.openEnded) this.exhausted = true;
        else if (call.openEnded)
          this.unresolved.push(`the command that ${all[0]} runs is known only when it runs`);
        continue;
      }
      const isFed = inner.openEnded && /(?:^|\/)xargs$/.test(all[0] ?? '');
      const fed = isFed ? pipedInto(this.#around, command) : call.fed;
      this.#read(callWithin(call, inner, fed), command, depth + 1);
    }
    const outer = this.#dialect;
    this.#dialect = inside.dialect ?? outer;
    for (const code of inside.code) this.#nested(code, cwds, input, depth + 1);
    this.#dialect = outer;
  }

  #nested(code: string, cwds: readonly string[], input: Input | undefined, depth: number): void {
    this.#code += code.length;
    this.#held.ran(code);
    if (++this.#texts > MOST_NESTED_TEXTS || depth > DEEPEST || this.#code > MOST_NESTED_CODE) {
      this.exhausted = true;
      return;
    }
    const cwd = cwds[cwds.length - 1] ?? this.#start.cwd;
    const unlike = unlikeBash(this.#dialect, code);
    if (unlike !== undefined) this.unresolved.push(unlike);
    this.unread ||= unlike !== undefined;
    // Another shell has other variables; the same one may have got more by then.
    this.take(analyseCommand(code, { ...this.#start, cwd, cwds, unset: new Set(), input }), depth);
  }
}

const onlySets = ({ commands: [only, ...more], why }: Analysis): boolean =>
  why === undefined && more.length === 0 && only?.words.length === 0 && only.redirects.length === 0;
