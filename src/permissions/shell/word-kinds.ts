/** What can be said of a word where all that a command may run is looked for. */
import { isOpen, type ShellWord } from './word.ts';

export const SUBSTITUTION = /\$\(|`/;

/** Known to the letter, and without what another shell would expand. */
export const isPlain = ({ kind, text }: ShellWord): boolean => kind === 'static' && !SUBSTITUTION.test(text);

/** Known only when it runs, or standing for what the files and the arithmetic make of it. */
export const isUnsure = (word: ShellWord): boolean =>
  isOpen(word) || word.kind === 'glob' || word.kind === 'number';

/** Bash may make something else of it. */
export const isDynamic = ({ kind }: ShellWord): boolean => kind === 'dynamic';
