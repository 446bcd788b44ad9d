/** What the commands of a text find on stdin that none of them was given itself. */
import type { SimpleCommand } from './commands.ts';
import type { Redirections } from './pieces.ts';
import type { Printed } from './printed.ts';
import type { ShellWord } from './word.ts';

/** Something is on stdin: a text, as far as it is in the command. Who has read of it before is not known. */
export interface Input {
  readonly text: string | undefined;
}

export const SOMETHING: Input = { text: undefined };

const NOTHING: Partial<SimpleCommand> = {};

/** What a second look has to take for fed: the bodies of functions, or all that runs again or later. */
export type FedLater = 'functions' | 'all' | undefined;

/** Where an input comes from: a compound command around, an `exec` before, the shell that runs the text. */
export class Inputs {
  readonly #later: FedLater;
  readonly #functions = new Set<string>();
  readonly #fed: (readonly ShellWord[])[] = [];
  #around: Input | undefined;
  #lasting: Input | undefined;
  #hasExec = false;

  constructor(start: Input | undefined, later: FedLater) {
    this.#lasting = start ?? (later === 'all' ? SOMETHING : undefined);
    this.#later = later;
  }

  get current(): Input | undefined {
    return this.#around ?? this.#lasting;
  }

  /** For a command that shows no input of its own. */
  get given(): Partial<SimpleCommand> {
    const { current } = this;
    return current === undefined ? NOTHING : { piped: true, stdin: current.text, stdinSure: false };
  }

  /** `undefined`: as it is outside. */
  within(input: Input | undefined, visit: () => void): void {
    const before = this.#around;
    this.#around = input ?? before;
    visit();
    this.#around = before;
  }

  /** `exec < file`: what it gives the shell stays. */
  keep(found: Redirections): void {
    if (!hasInput(found)) return;
    this.#lasting = { text: found.stdin };
    this.#hasExec = true;
  }

  inFunction(name: string, visit: () => void): void {
    this.#functions.add(name);
    this.within(this.#later === undefined ? undefined : SOMETHING, visit);
  }

  /** A command with an input may hand it to a function that it calls. */
  note(words: readonly ShellWord[], isFed: boolean): void {
    if (isFed) this.#fed.push(words);
  }

  /** What has an input although it shows none where it stands; nothing on the second look. */
  fedLater(repeats: boolean): FedLater {
    if (this.#later !== undefined) return undefined;
    if (this.#hasExec && repeats) return 'all';
    const mayCall = (word: ShellWord): boolean => mayCallOne(this.#functions, word);
    return this.#functions.size > 0 && this.#fed.some((words) => words.some(mayCall))
      ? 'functions'
      : undefined;
  }
}

function mayCallOne(functions: ReadonlySet<string>, { text, guesses }: ShellWord): boolean {
  if (/[$`*?[{]/.test(text)) return true;
  return [text, ...guesses].some((one) => one.split(/[^\w.:-]+/).some((piece) => functions.has(piece)));
}

/** A redirection gives it one. */
export const hasInput = ({ redirects, stdin, isCopied }: Redirections): boolean =>
  isCopied || stdin !== undefined || redirects.some(({ operator }) => operator.startsWith('<'));

/** The text on stdin of a command, where it is in the command: from a pipe, or from around it. */
export function givenTo(
  { stdin, isCopied }: Redirections,
  printed: Printed | undefined,
  around: Input | undefined,
): Printed | undefined {
  if (isCopied || stdin !== undefined) return undefined;
  return printed ?? (around?.text === undefined ? undefined : { text: around.text, sure: false });
}
