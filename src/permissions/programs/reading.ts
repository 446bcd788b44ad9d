/** One way to read a command: the words of a program call. */
import type { SimpleCommand } from '../shell/commands.ts';
import { alsoUsed } from './also-read.ts';
import { fileUses } from './file-use.ts';
import type { FileUse, FileUses } from './file-uses.ts';
import { nameOf } from './program-name.ts';
import type { UnknownWord } from './unknown-files.ts';

export interface ReadCall {
  readonly words: readonly string[];
  /** Assignments before it, as written. */
  readonly assignments: readonly string[];
  readonly cwds: readonly string[];
  /** It has operands that cannot be seen: they are expansions, or come from the stdin of `xargs`. */
  readonly openEnded: boolean;
  /** A wrapper makes some of them: `xargs`, `find -exec`. */
  readonly made: boolean;
  /** The words that are known only when it runs, of the command as it is written. */
  readonly unknown: readonly UnknownWord[];
  /** How many words come before the first that is known only when it runs; `undefined` when all are known. */
  readonly sure: number | undefined;
  /** Words that rest on something unknown which was taken for empty: `"$dir"/*` read as a plain pattern. */
  readonly assumed: readonly string[];
  /** The program's name is glued to a variable that may not be empty: it may as well be another program. */
  readonly doubtful: boolean;
  /** It gets operands from `xargs`, and `xargs` from the pipe of these commands. */
  readonly fed: readonly SimpleCommand[] | undefined;
}

const NONE: readonly string[] = [];
const ALL_KNOWN: readonly UnknownWord[] = [];

/** All of its words are known. */
export const closedCall = (
  words: readonly string[],
  assignments: readonly string[],
  cwds: readonly string[],
): ReadCall => ({
  words,
  assignments,
  cwds,
  openEnded: false,
  made: false,
  unknown: ALL_KNOWN,
  sure: undefined,
  assumed: NONE,
  doubtful: false,
  fed: undefined,
});

/** With what several checks ask about it, made once. */
export class Reading implements ReadCall {
  readonly words: readonly string[];
  readonly assignments: readonly string[];
  readonly cwds: readonly string[];
  readonly openEnded: boolean;
  readonly made: boolean;
  readonly unknown: readonly UnknownWord[];
  readonly sure: number | undefined;
  readonly assumed: readonly string[];
  readonly doubtful: boolean;
  readonly fed: readonly SimpleCommand[] | undefined;
  /** The program, without its directory. */
  readonly name: string;
  #files: FileUses | undefined;
  #restricted: readonly FileUse[] | undefined;

  constructor({
    words,
    assignments,
    cwds,
    openEnded,
    made,
    unknown,
    sure,
    assumed,
    doubtful,
    fed,
  }: ReadCall) {
    this.words = words;
    this.assignments = assignments;
    this.cwds = cwds;
    this.openEnded = openEnded;
    this.made = made;
    this.unknown = unknown;
    this.sure = sure;
    this.assumed = assumed;
    this.doubtful = doubtful;
    this.fed = fed;
    this.name = nameOf(words[0] ?? '');
  }

  /** What it does with files. */
  get files(): FileUses {
    this.#files ??= fileUses(this.words);
    return this.#files;
  }

  /** What rules that restrict are held against: also files that no allow rule for the program is judged by. */
  get restricted(): readonly FileUse[] {
    if (this.#restricted === undefined) {
      const more = alsoUsed(this.words);
      this.#restricted = more.length === 0 ? this.files.uses : [...this.files.uses, ...more];
    }
    return this.#restricted;
  }
}
