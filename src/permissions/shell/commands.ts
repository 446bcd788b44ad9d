/** A command text taken apart: every simple command that bash may run, and what stands in the way of judging them one by one. */
import { resolve } from 'node:path';
import {
  type Assignment,
  type Command,
  forEachChild,
  type Pipeline,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { parseCommand } from './parse.ts';
import {
  readArgument,
  readAssignment,
  readRedirections,
  type ShellAssignment,
  type ShellRedirect,
} from './pieces.ts';
import { literalWord, printedBy, type ShellState, type ShellWord, shellWord } from './word.ts';

export interface SimpleCommand {
  /** Empty for assignments or redirections alone. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  /** Why rules for parts cannot allow it, whatever its words are. */
  readonly obstacle: string | undefined;
  /** Run under the keyword `time`. */
  readonly timed: boolean;
  /** What it reads on stdin: a text that is in the command, `undefined` when it comes from elsewhere. */
  readonly stdin: string | undefined;
  readonly piped: boolean;
  /** Where it may run: the start directory, and where a `cd` before it may have led. */
  readonly cwds: readonly string[];
  /** It stands where rules for parts may allow it; else it is inside something that they cannot. */
  readonly isPart: boolean;
}

export interface Analysis {
  readonly text: string;
  /** Why the text as a whole was not understood; `commands` is then only what could be seen. */
  readonly why: string | undefined;
  /** Constructs that rules for parts cannot allow. */
  readonly obstacles: readonly string[];
  readonly commands: readonly SimpleCommand[];
  /** A `cd` whose goal is not known. */
  readonly lostCwd: boolean;
}

export interface ShellStart {
  readonly cwd: string;
  readonly home: string;
  readonly variables?: ReadonlyMap<string, readonly string[]>;
}

export function analyseCommand(text: string, start: ShellStart): Analysis {
  const walk = new Walk(start);
  let why: string | undefined;
  try {
    const parsed = parseCommand(text);
    if (!parsed.ok) why = parsed.why;
    if (parsed.script !== undefined) walk.visit(parsed.script, true);
  } catch {
    // The parser reads words when they are asked for, and may give up as late as that.
    why = 'it cannot be parsed';
  }
  return { text, why, obstacles: [...walk.obstacles], commands: walk.commands, lostCwd: walk.lostCwd };
}

/** Constructs whose commands are looked at, but which rules for parts never allow. */
const OPAQUE = {
  Subshell: 'a subshell',
  BraceGroup: 'a group',
  Case: 'a case',
  Select: 'a select loop',
  Function: 'a function',
  Coproc: 'a coprocess',
  ArithmeticCommand: 'an arithmetic command',
  ArithmeticFor: 'an arithmetic loop',
  CommandExpansion: 'a command substitution',
  ProcessSubstitution: 'a process substitution',
  ArithmeticCommandExpansion: 'a command substitution',
} as const;

/** More places to be at once than this are not followed. */
const MOST_DIRECTORIES = 16;

/** One pass in the order of the text: what a `cd` or an assignment sets is known to what follows. */
class Walk {
  readonly commands: SimpleCommand[] = [];
  readonly obstacles = new Set<string>();
  lostCwd = false;
  readonly #home: string;
  readonly #variables: Map<string, readonly string[]>;
  #cwds: readonly string[];

  constructor(start: ShellStart) {
    this.#home = start.home;
    this.#cwds = [start.cwd];
    this.#variables = new Map(start.variables);
  }

  visit(node: SyntaxNode, isPart: boolean): void {
    switch (node.type) {
      case 'Command':
        this.#command(node, { isPart, timed: false, stdin: undefined, piped: false });
        return;
      case 'Pipeline':
        this.#pipeline(node, isPart);
        return;
      case 'Statement':
        if (node.background) this.obstacles.add('a background command');
        break;
      case 'For':
        this.#variables.set(
          node.name.text,
          (node.wordlist ?? []).flatMap((word) => this.#word(word).guesses),
        );
        break;
      case 'TestCommand':
        this.#testCommand(node, isPart);
        return;
      case 'Redirected':
        this.obstacles.add('a redirection of a compound command');
        this.#emit({
          words: [],
          assignments: [],
          isPart: false,
          ...readRedirections(node.redirects, this.#state()),
        });
        break;
      case 'HereDoc':
        if (!node.delimiter?.quoted) this.obstacles.add('an unquoted here-document');
        break;
      default:
        if (node.type in OPAQUE) {
          this.obstacles.add(OPAQUE[node.type as keyof typeof OPAQUE]);
          forEachChild(node, (child) => this.visit(child, false));
          return;
        }
    }
    forEachChild(node, (child) => this.visit(child, isPart));
  }

  #pipeline(pipeline: Pipeline, isPart: boolean): void {
    const time = pipeline.prefixes.find((prefix) => prefix.type === 'Time');
    if (time?.posix !== undefined || time?.endOfOptions !== undefined)
      this.obstacles.add('an option of "time"');
    let stdin: string | undefined;
    for (const [index, command] of pipeline.commands.entries()) {
      const piped = index > 0;
      if (command.type !== 'Command') {
        this.visit(command, isPart && time === undefined);
        if (time !== undefined) this.obstacles.add('"time" of a compound command');
        stdin = undefined;
        continue;
      }
      this.#command(command, { isPart, timed: time !== undefined && index === 0, stdin, piped });
      stdin = printedBy(this.commands[this.commands.length - 1]?.words);
    }
  }

  #command(command: Command, place: Pick<SimpleCommand, 'isPart' | 'timed' | 'stdin' | 'piped'>): void {
    const { isPart, timed, piped } = place;
    const found = readRedirections(command.redirects, this.#state());
    const stdin = found.stdin ?? (piped ? place.stdin : undefined);
    const words = [...(command.name ? [command.name] : []), ...command.args].map((word) =>
      readArgument(word, this.#state()),
    );
    const assignments = command.prefix
      .filter((item) => item.type === 'Assignment')
      .map((item) => this.#assignment(item));
    const early = command.prefix.some((item) => item.type !== 'Assignment')
      ? 'a redirection before the command'
      : undefined;
    // What is inside (substitutions) runs before the command itself.
    forEachChild(command, (child) => this.visit(child, false));
    this.#emit({
      words,
      assignments,
      isPart,
      timed,
      piped,
      ...found,
      stdin,
      obstacle: found.obstacle ?? early,
    });
    this.#follow(words);
  }

  #emit(
    command: Pick<SimpleCommand, 'words' | 'assignments' | 'redirects' | 'isPart'> & Partial<SimpleCommand>,
  ): void {
    const rest = { obstacle: undefined, timed: false, stdin: undefined, piped: false, cwds: this.#cwds };
    this.commands.push({ ...rest, ...command });
  }

  /** `[[ … ]]` as a command of that name with its operators and operands. */
  #testCommand(node: SyntaxNode, isPart: boolean): void {
    const words: ShellWord[] = [literalWord('[[')];
    const collect = (inner: SyntaxNode): void => {
      if (inner.type === 'TestUnary' || inner.type === 'TestBinary') words.push(literalWord(inner.operator));
      if (inner.type === 'Word') words.push(this.#word(inner));
      else forEachChild(inner, collect);
    };
    collect(node);
    forEachChild(node, (child) => this.visit(child, false));
    this.#emit({ words, assignments: [], redirects: [], isPart });
  }

  #word(word: Word): ShellWord {
    return shellWord(word, this.#state());
  }

  #assignment(assignment: Assignment): ShellAssignment {
    const { value } = assignment;
    const guesses = value.type === 'Word' ? this.#word(value).guesses : [];
    this.#variables.set(assignment.name, guesses.length > 0 ? guesses : ['']);
    return readAssignment(assignment);
  }

  /** Keeps account of where the shell may be after the command. */
  #follow(words: readonly ShellWord[]): void {
    const at = words.findIndex(({ value }) => !/^(?:command|builtin|-p|--)$/.test(value));
    const name = words[at]?.value ?? '';
    // Code that runs in this very shell may move it, and is analysed on its own.
    const moves =
      /^(?:eval|source|\.)$/.test(name) && words.some(({ value }) => /\b(?:cd|pushd|popd)\b/.test(value));
    if (moves || name === 'popd') this.lostCwd = true;
    if (name !== 'cd' && name !== 'pushd') return;
    const goals = words
      .slice(at + 1)
      .flatMap((word) => word.guesses)
      .filter((goal) => !goal.startsWith('-') || goal === '-');
    if (goals.length === 0) goals.push(this.#home);
    if (goals.includes('-') || words.some((word) => word.kind === 'dynamic' || word.kind === 'glob'))
      this.lostCwd = true;
    const reached = goals.flatMap((goal) => this.#cwds.map((cwd) => resolve(cwd, goal)));
    const cwds = [...new Set([...this.#cwds, ...reached])];
    if (cwds.length > MOST_DIRECTORIES) this.lostCwd = true;
    this.#cwds = cwds.slice(0, MOST_DIRECTORIES);
  }

  #state(): ShellState {
    return { home: this.#home, cwd: this.#cwds[this.#cwds.length - 1] ?? '/', variables: this.#variables };
  }
}
