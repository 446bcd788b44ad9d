/** What a program call does below the directories it names, and under names that it makes of others. */
import { basename, dirname, join } from 'node:path';
import { type FileUse, onlyAsking } from './file-uses.ts';

const all = (access: FileUse['access'], word: string): FileUse => ({ access, word, below: 'existing' });
const unknown = (word: string): FileUse => ({ access: 'write', word, below: 'unknown' });
const write = (word: string): FileUse => ({ access: 'write', word });

const has = (args: readonly string[], pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));

/** Programs that unpack: which names they write is in the archive. */
const UNPACKERS =
  /^(?:unzip|7z[ar]?|cpio|pax|bsdtar|jar|ar|unrar|rar|unar|unsquashfs|ouch|dtrx|cabextract|innoextract)$/;
/** Their ways to only look. */
const ONLY_LISTS = /^-?(?:[ltvpZ]+|tf|tvf|tzf|--list|--test)$/;

/** `operands` are those of `args` that are no options, as far as one can see. */
export function treeUses(
  name: string,
  args: readonly string[],
  operands: readonly string[],
): readonly FileUse[] {
  switch (name) {
    case 'rm':
      return has(args, /^-[a-zA-Z]*[rR]|^--r/) ? operands.map((word) => all('write', word)) : [];
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'chattr':
    case 'setfacl':
      return has(args, /^-[a-zA-Z]*R|^--rec/) ? operands.map((word) => all('write', word)) : [];
    case 'mv':
      return [
        ...operands.flatMap((word) => [all('read', word), all('write', word)]),
        ...placed(args, operands),
      ];
    case 'ln':
    case 'install':
      return [...operands.map((word) => all('read', word)), ...placed(args, operands)];
    case 'cp':
    case 'scp':
      return [
        ...(has(args, /^-[^-]*[rRa]|^--(?:rec|arc)/) ? copied(operands) : []),
        ...placed(args, operands),
      ];
    case 'rsync':
      return [
        ...copied(operands),
        ...placed(args, operands),
        ...(has(args, /^--(?:delete|remove)/) ? operands.map((word) => all('write', word)) : []),
      ];
    case 'zip':
    case 'ditto':
    case '7z':
    case '7za':
      if (!UNPACKERS.test(name) || /^[au]$/.test(operands[0] ?? ''))
        return operands.map((word, index) =>
          index === 0 ? write(word) : { ...all('read', word), onlyAsks: true },
        );
      break;
    case 'gzip':
    case 'gunzip':
    case 'bzip2':
    case 'bunzip2':
    case 'xz':
    case 'unxz':
    case 'zstd':
    case 'unzstd':
    case 'lzma':
    case 'unlzma':
    case 'lzip':
    case 'lzop':
    case 'lz4':
    case 'unlz4':
    case 'brotli':
    case 'pigz':
    case 'unpigz':
    case 'pbzip2':
    case 'pbunzip2':
    case 'lbzip2':
    case 'lbunzip2':
    case 'pixz':
    case 'unpixz':
    case 'plzip':
    case 'uncompress':
      return unpacked(name, args, operands);
    case 'curl':
      return has(args, /^-[^-]*[OJ]|^--remote/) ? operands.map((url) => write(nameOf(url))) : [];
    case 'npm':
    case 'pnpm':
    case 'yarn':
      // What it runs scripts with, and where from.
      return /^(?:c|config) set /.test(operands.join(' ')) || operands[0] === 'set'
        ? [write('~/.npmrc')]
        : [];
    case 'wget':
      return fetched(args, operands).map(onlyAsking);
  }
  if (!UNPACKERS.test(name) || ONLY_LISTS.test(args[0] ?? '')) return [];
  const directory = args.find((_arg, index) => /^-(?:d|C|-directory)$/.test(args[index - 1] ?? '')) ?? '.';
  const glued = args.map((arg) => /^-o(.+)$/.exec(arg)?.[1]).find((value) => value !== undefined);
  return [unknown(glued ?? directory)];
}

/** Read with all that is below; what of it comes to lie below the last is not followed. */
const copied = (operands: readonly string[]): readonly FileUse[] =>
  operands.flatMap((word, index) => (index < operands.length - 1 ? [all('read', word)] : [unknown(word)]));

/** A directory takes each file under the file's own name. */
function placed(args: readonly string[], operands: readonly string[]): readonly FileUse[] {
  const named = args.find((_arg, index) =>
    /^(?:-[a-zA-Z]*t|--target-directory)$/.test(args[index - 1] ?? ''),
  );
  const glued = args
    .map((arg) => /^--target-directory=(.+)$/s.exec(arg)?.[1])
    .find((value) => value !== undefined);
  const directory = glued ?? named ?? (operands.length > 1 ? operands[operands.length - 1] : '.');
  const files =
    glued === undefined && named === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  // A directory that moves brings what is below it.
  return directory === undefined
    ? []
    : files.map((file) => ({ ...unknown(join(directory, basename(file))), from: file }));
}

/** `f.gz` becomes `f`, whatever it ends in (`-S`), and the other way round; the first is removed. */
function unpacked(name: string, args: readonly string[], operands: readonly string[]): readonly FileUse[] {
  // For lz4 `-l` is another format.
  const shows = name === 'lz4' ? /^-[^-]*[ct]|^--(?:stdout|to-stdout|list|test)/ : SHOWS;
  if (has(args, shows)) return [];
  const restores = has(args, /^-[^-]*N|^--name/);
  return operands.flatMap((word) => [
    { access: 'read', word },
    write(word),
    write(word.replace(/\.[^./]+$/, '')),
    write(word.replace(/\.t[a-z0-9]+$/, '.tar')),
    write(`${word}.gz`),
    // Under the name that it had.
    ...(restores ? [unknown(dirname(word))] : []),
  ]);
}

const SHOWS = /^-[^-]*[clt]|^--(?:stdout|to-stdout|list|test)/;

function fetched(args: readonly string[], operands: readonly string[]): readonly FileUse[] {
  if (has(args, /^-[^-]*O|^--output-document/)) return [];
  if (has(args, /^-[^-]*[rmixp]|^--(?:rec|mirror|input|force-dir|content-disp)/)) return [unknown('.')];
  const directory =
    args.find((_arg, index) => /^(?:-P|--directory-prefix)$/.test(args[index - 1] ?? '')) ?? '.';
  const glued = args
    .map((arg) => /^(?:-P|--directory-prefix=)(.+)$/s.exec(arg)?.[1])
    .find((one) => one !== undefined);
  return operands.map((url) => write(join(glued ?? directory, nameOf(url))));
}

const nameOf = (url: string): string => basename(url.split(/[?#]/, 1)[0] ?? '') || 'index.html';
