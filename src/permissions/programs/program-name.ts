/** Which program a command word means: without its directory, and without the version that some are installed under. */
import { basename } from 'node:path';

const FAMILIES = [
  'bash sh dash zsh ksh mksh ash fish csh tcsh pwsh',
  'python pypy node nodejs perl ruby php lua luajit tclsh wish expect guile gdb lldb vim nvim emacs',
  'awk gawk mawk nawk pip gcc clang java',
]
  .join(' ')
  .replaceAll(' ', '|');
const VERSIONED = new RegExp(`^(${FAMILIES})-?\\d[\\d.]*$`);

/** `/usr/bin/python3.11` → `python`, `bash-5.2` → `bash`, `./x` → `x`. */
export function programOf(word: string): string {
  const name = nameOf(word);
  return familyOf(name) ?? name;
}

/** As `basename`: most command words are plain names. */
export const nameOf = (word: string): string => (word.includes('/') ? basename(word) : word);

/** Most names end in a letter, and have no version. */
const familyOf = (name: string): string | undefined =>
  /[\d.]$/.test(name) ? VERSIONED.exec(name)?.[1] : undefined;

/** The names that a rule may call it by: `python3.11` is `python3`, too. */
export function namesOf(word: string): readonly string[] {
  const name = nameOf(word);
  const family = familyOf(name);
  if (family === undefined) return [name];
  const major = /^\D+(\d+)\.(?:[.\d]*\.)?\d+$/.exec(name)?.[1];
  // Who denies `python` does not mean `python3`: both are names of their own.
  const plain = major === undefined && /^(?:python|pip)\d$/.test(name) ? [] : [family];
  return [...new Set([name, ...plain, ...(major === undefined ? [] : [`${family}${major}`])])];
}
