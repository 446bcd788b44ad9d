/** What a program call does with files, as a value; and the words of one argument that may name a file. */
import { possibleValues } from './options.ts';

export interface FileUse {
  readonly access: 'read' | 'write';
  readonly word: string;
  /**
   * It reaches below the directory that the word names: `existing`, everything that is there; `unknown`, whatever names
   * it comes to write.
   */
  readonly below?: 'existing' | 'unknown';
  /** It reaches below only where this is a directory. */
  readonly from?: string;
  /** It does nothing where this file is missing: the archive that is unpacked. */
  readonly needs?: string;
  /** It shows names, sizes and times of files, or sets times: no contents. */
  readonly onlyNames?: true;
  /** The program is not known well enough for a denial: a rule that covers the file asks. */
  readonly onlyAsks?: true;
  /** The word is where a pathspec of git begins: it reaches what of that fits, and nothing outside the repository. */
  readonly pathspec?: RegExp;
}

export interface FileUses {
  /** The program is in the table: its operands are files, used as said. */
  readonly known: boolean;
  readonly uses: readonly FileUse[];
  /** Reads whatever is below a directory. */
  readonly recursive: boolean;
  /** Its operands are files, also those that are known only when it runs. */
  readonly namesFiles?: true;
  /** Words that may hold the name of a file all the same. */
  readonly mentions: readonly string[];
  /** An option was not understood, or names a program to run: no rule for the program alone covers the call. */
  readonly unsure: boolean;
}

export const NO_FILES: FileUses = { known: false, uses: [], recursive: false, mentions: [], unsure: false };
export const read = (word: string): FileUse => ({ access: 'read', word });
export const write = (word: string): FileUse => ({ access: 'write', word });
export const onlyAsking = (use: FileUse): FileUse => ({ ...use, onlyAsks: true });

/** What may be a file among arguments, each once: their pieces, and what may be glued to an option. */
export function mentionsAmong(args: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const arg of args) {
    const words = /^-[^-]/.test(arg) ? possibleValues([arg], undefined).map(({ value }) => value) : [arg];
    for (const word of words) for (const piece of piecesOf(word)) found.add(piece);
  }
  return [...found];
}

/** Beyond it nobody looks: the question is asked without. */
export const MOST_PIECES = 2000;

/** A word and what stands between quotes, blanks and marks in it: file names in the code of another language. */
export function piecesOf(word: string): readonly string[] {
  if (!MARK.test(word)) return [word];
  const pieces = word.split(MARKS).filter((piece) => piece !== '');
  return [...new Set([word, ...pieces.slice(0, MOST_PIECES)])];
}

const MARK = /[\s"'`=:;,(){}<>|@]/;
const MARKS = new RegExp(`${MARK.source}+`);
