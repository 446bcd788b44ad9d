/** One walk over the tree of a command text: its simple commands in order, with what each sets for those after it. */
import {
  type Assignment,
  type Command,
  forEachChild,
  type Pipeline,
  type Redirected,
  type SyntaxNode,
} from 'unbash';
import { isCodeVariable } from './code-variables.ts';
import type { ShellStart, SimpleCommand } from './commands.ts';
import { type FedLater, givenTo, hasInput, Inputs, SOMETHING } from './inputs.ts';
import { OPAQUE, REPEATING } from './opaque-constructs.ts';
import {
  type EmittedCommand,
  type Redirections,
  readAssignment,
  readRedirections,
  readTest,
  readWords,
  type ShellAssignment,
  simpleCommand,
} from './pieces.ts';
import { type Printed, printedBy } from './printed.ts';
import {
  assignedByBuiltin,
  evaluations,
  isPlainVariable,
  mayChangeShell,
  placeOfName,
  variablesSet,
} from './variables.ts';
import { Whereabouts } from './whereabouts.ts';
import { evaluatedIn, literalWord, type ShellState, type ShellWord, shellWord, wordsMade } from './word.ts';
import { isDynamic } from './word-kinds.ts';

/** Words, assignments and redirections of all commands together: far beyond what anybody writes by hand. */
const MOST_WORDS = 3000;
const NONE: ReadonlySet<string> = new Set();
type CommandPlace = Pick<SimpleCommand, 'isPart' | 'timed' | 'piped'> & { printed?: Printed | undefined };

/** One pass in the order of the text: what a `cd` or an assignment sets is known to what follows. */
export class Walk {
  readonly commands: SimpleCommand[] = [];
  readonly obstacles = new Set<string>();
  /** What is set that changes the meaning of other commands. */
  readonly unclear = new Set<string>();
  readonly where: Whereabouts;
  readonly inputs: Inputs;
  /** A command may run again, or later than it stands. */
  repeats = false;
  readonly cut: ShellState['cut'] = { is: false };
  readonly #start: ShellStart;
  readonly #variables: Map<string, readonly string[]>;
  #left = MOST_WORDS;

  constructor(start: ShellStart, cwds: readonly string[], later?: FedLater) {
    this.#start = start;
    this.inputs = new Inputs(start.input, later);
    this.where = new Whereabouts(cwds, start.home);
    this.#variables = new Map(start.variables);
  }

  /** Built to be endless work: what is left is not looked at. */
  get endless(): boolean {
    return this.where.endless || this.#left < 0;
  }

  visit(node: SyntaxNode, isPart: boolean): void {
    if (this.endless) return;
    // Nothing runs inside a word without these.
    if (node.type === 'Word' && !/[$`(]/.test(node.text)) return;
    if (REPEATING.has(node.type)) this.repeats = true;
    switch (node.type) {
      case 'Command':
        this.#command(node, { isPart, timed: false, piped: false });
        return;
      case 'Pipeline':
        this.#pipeline(node, isPart);
        return;
      case 'Statement':
        if (node.background) this.obstacles.add('a background command');
        break;
      case 'For':
      case 'Select': {
        const words = (node.wordlist ?? []).map((word) => shellWord(word, this.#state()));
        if (words.some(isDynamic)) this.obstacles.add('an expansion in the list of a loop');
        const values = words.flatMap(({ guesses }) => guesses);
        this.#variables.set(node.name.text, values);
        this.#setVariables([node.name.text]);
        if (node.type === 'For') break;
        this.obstacles.add('a select loop');
        this.#inside(node);
        return;
      }
      case 'TestCommand':
        this.#testCommand(node, isPart);
        return;
      case 'Redirected':
        this.#redirected(node, isPart);
        return;
      case 'ProcessSubstitution':
        this.obstacles.add('a process substitution');
        this.inputs.within(node.operator === '>' ? SOMETHING : undefined, () => this.#inside(node));
        return;
      case 'Function':
        this.obstacles.add(OPAQUE.Function);
        this.inputs.inFunction(node.name.value, () => this.#inside(node));
        return;
      case 'HereDoc':
        if (!node.delimiter?.quoted) this.obstacles.add('an unquoted here-document');
        break;
      default:
        if (node.type in OPAQUE) {
          this.obstacles.add(OPAQUE[node.type as keyof typeof OPAQUE]);
          this.#inside(node);
          return;
        }
    }
    forEachChild(node, (child) => this.visit(child, isPart));
  }

  /** Nothing of it stands where rules for parts may allow it. */
  #inside(node: SyntaxNode): void {
    forEachChild(node, (child) => this.visit(child, false));
  }

  /** A text that is one plain command, by its words: as `visit` does with its tree. */
  plain(words: readonly string[]): void {
    const all = words.map(literalWord);
    this.#emit({ words: all, assignments: [], redirects: [], isPart: true, ...this.inputs.given });
    this.#changeShell(all, undefined);
  }

  #redirected(node: Redirected, isPart: boolean): void {
    this.obstacles.add('a redirection of a compound command');
    const found = readRedirections(node.redirects, this.#state());
    this.#emit({ words: [], assignments: [], isPart: false, ...found });
    this.inputs.within({ text: found.stdin }, () => forEachChild(node, (child) => this.visit(child, isPart)));
  }

  #pipeline(pipeline: Pipeline, isPart: boolean): void {
    const time = pipeline.prefixes.find((prefix) => prefix.type === 'Time');
    if (time?.posix ?? time?.endOfOptions) this.obstacles.add('an option of "time"');
    let printed: Printed | undefined;
    for (const [index, command] of pipeline.commands.entries()) {
      if (this.endless) return;
      const piped = index > 0;
      if (command.type !== 'Command') {
        const input = piped ? { text: printed?.text } : undefined;
        this.inputs.within(input, () => this.visit(command, isPart && time === undefined));
        if (time !== undefined) this.obstacles.add('"time" of a compound command');
        printed = undefined;
        continue;
      }
      this.#command(command, { isPart, timed: time !== undefined && index === 0, printed, piped });
      printed = printedBy(this.commands[this.commands.length - 1]);
    }
  }

  #command(command: Command, place: CommandPlace): void {
    if (command.redirects.length > this.#left) this.#left = -1;
    if (this.endless) return;
    const found = readRedirections(command.redirects, this.#state());
    const around = place.piped ? undefined : this.inputs.current;
    const piped = place.piped || around !== undefined || found.isCopied;
    const given = piped ? givenTo(found, place.printed, around) : undefined;
    const words = this.#words(command);
    const assignments = command.prefix
      .filter((item) => item.type === 'Assignment')
      .map((item) => this.#assignment(item));
    const early = command.prefix.some((item) => item.type !== 'Assignment')
      ? 'a redirection before the command'
      : undefined;
    // What is inside (substitutions) runs before the command itself.
    forEachChild(command, (child) => this.visit(child, false));
    this.inputs.note(words, piped || hasInput(found));
    this.#emit({
      words,
      assignments,
      isPart: place.isPart,
      timed: place.timed,
      piped,
      ...found,
      stdin: given?.text ?? found.stdin,
      stdinSure: given?.sure ?? found.stdinSure,
      obstacle: found.obstacle ?? early,
    });
    this.#changeShell(wordsMade(words), found);
  }

  /** What the command, where it is a builtin, changes for those after it. */
  #changeShell(words: readonly ShellWord[], found: Redirections | undefined): void {
    if (!mayChangeShell(words)) return;
    const name = words[0]?.value ?? '';
    this.#setVariables(variablesSet(words));
    for (const [variable, values] of assignedByBuiltin(words)) this.#variables.set(variable, values);
    if (/^(?:trap|eval|source|\.|alias|mapfile|readarray|complete)$/.test(name)) this.repeats = true;
    for (const why of evaluations(words)) this.unclear.add(why);
    if (found !== undefined && words[placeOfName(words)]?.value === 'exec') this.inputs.keep(found);
    this.where.follow(words);
  }

  #words(command: Command): readonly ShellWord[] {
    this.#left -= command.args.length + command.redirects.length + command.prefix.length;
    return this.endless ? [] : readWords(command, this.#state());
  }

  #setVariables(names: readonly string[]): void {
    for (const name of names) {
      if (isPlainVariable(name)) continue;
      this.obstacles.add(`setting ${name}, which may change what commands mean`);
      if (isCodeVariable(name)) this.unclear.add(`${name} is set, which changes what commands mean`);
    }
  }

  #emit(command: EmittedCommand): void {
    this.#left -= 1 + command.words.length + command.assignments.length + command.redirects.length;
    this.commands.push(simpleCommand(command, this.where.cwds));
  }

  #testCommand(node: SyntaxNode, isPart: boolean): void {
    const words = readTest(node, this.#state());
    forEachChild(node, (child) => this.visit(child, false));
    for (const why of evaluations(words)) this.unclear.add(why);
    this.#emit({ words, assignments: [], redirects: [], isPart });
  }

  #assignment(assignment: Assignment): ShellAssignment {
    const { value } = assignment;
    const guesses = value.type === 'Word' ? shellWord(value, this.#state()).guesses : [];
    // Arithmetic, a subscript or a prompt evaluates it later.
    if (
      guesses.some((guess) => /\$\(|`/.test(guess)) ||
      (assignment.index !== undefined && /\$\(|`/.test(assignment.text))
    )
      this.unclear.add(`${assignment.name} holds a substitution, which may be evaluated`);
    const why = value.type === 'Word' ? evaluatedIn(value.text) : undefined;
    if (why !== undefined) this.unclear.add(why);
    this.#variables.set(assignment.name, guesses.length > 0 ? guesses : ['']);
    return readAssignment(assignment);
  }

  #state(): ShellState {
    const { home, unset = NONE, braces = false } = this.#start;
    const [cwd = '/'] = this.where.cwds.slice(-1);
    return { home, cwd, variables: this.#variables, unset, braces, cut: this.cut };
  }
}
