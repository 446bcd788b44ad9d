/** Files under names that a program makes of others, and what some options add: written back, removed, read as a whole. */
import { basename, dirname, join } from 'node:path';
import { type FileUse, onlyAsking, read, write } from './file-uses.ts';

const all = (access: FileUse['access'], word: string): FileUse => ({ access, word, below: 'existing' });
const unknown = (word: string): FileUse => ({ access: 'write', word, below: 'unknown' });
const has = (args: readonly string[], pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));

const NONE: readonly FileUse[] = [];

/** `operands` are those of `args` that are no options, as far as one can see. */
export function derivedUses(
  name: string,
  args: readonly string[],
  operands: readonly string[],
): readonly FileUse[] {
  switch (name) {
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
      return has(args, /^-[^-]*S|^--s/) ? backups(args, operands) : NONE;
    case 'split':
    case 'csplit':
      // What stands behind the prefix is not in the words.
      return has(args, /^-[^-]*b|^--(?:ad|suf)/) ? operands.map((word) => unknown(dirname(word))) : NONE;
    case 'yq':
      return [
        ...(has(args, /^-[a-zA-Z]*i|^--inp/) ? operands.map(write) : NONE),
        ...(has(args, /^-[a-zA-Z]*s|^--split/) ? [unknown('.')] : NONE),
      ];
    case 'patch':
      return isNamedByPatch(args) ? [unknown('.')] : NONE;
    case 'diff':
      return has(args, /^-[^-]*[NP]|^--(?:n|uni)/) ? operands.map(readWhole) : compared(operands);
    case 'zip':
      return has(args, /^-[a-zA-Z]*m|^--move/) ? operands.slice(1).map((word) => all('write', word)) : NONE;
    case '7z':
    case '7za':
    case '7zr':
    case '7zz':
      return has(args, /^-sdel/) ? operands.map((word) => all('write', word)) : NONE;
    case 'gzip':
    case 'gunzip':
    case 'pigz':
    case 'unpigz':
    case 'zstd':
    case 'unzstd':
    case 'zstdmt':
    case 'lz4':
    case 'unlz4':
      return has(args, /^-[^-]*r|^--rec/) ? operands.map((word) => all('write', word)) : NONE;
    case 'python':
    case 'python3':
      return has(args, /^(?:-m)?(?:zipapp|tarfile|zipfile|shutil)$/) ? operands.map(readWhole) : NONE;
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'buildah':
      return has(operands, /^(?:build|bud)$/) ? operands.map(readWhole) : NONE;
    case 'curl':
      // It makes several addresses, and names, of one.
      return has(args, /^-[^-]*[OJ]|^--remote/) && has(operands, /[{[]/) ? [unknown('.')] : NONE;
    default:
      return NONE;
  }
}

const readWhole = (word: string): FileUse => onlyAsking(all('read', word));

/** `cp -b -S .lock f yarn` leaves what was there as `yarn.lock`. */
function backups(args: readonly string[], operands: readonly string[]): readonly FileUse[] {
  const suffixes = args.flatMap((arg, index) => {
    const glued = /^(?:-[a-zA-Z]*S|--s[a-z]*=)(.+)$/s.exec(arg)?.[1];
    return glued ?? (/^-[a-zA-Z]*S$|^--s/.test(args[index - 1] ?? '') ? arg : []);
  });
  return suffixes.flatMap((suffix) =>
    operands.flatMap((word) => [
      write(word + suffix),
      ...operands.map((directory) => write(join(directory, basename(word) + suffix))),
    ]),
  );
}

/** No operand says which file it changes: one behind an option may be the value of that. */
const isNamedByPatch = (args: readonly string[]): boolean =>
  has(args, /^-[^-]*[id]|^--(?:di|d$|i)/) ||
  !args.some((arg, index) => !arg.startsWith('-') && !args[index - 1]?.startsWith('-'));

/** A file and a directory: the one of the same name in it. Two directories: what lies in them. */
function compared(operands: readonly string[]): readonly FileUse[] {
  return operands.flatMap((word, index) =>
    operands.flatMap((other, at) =>
      at === index ? [] : [read(join(word, basename(other))), { ...readWhole(word), from: other }],
    ),
  );
}
