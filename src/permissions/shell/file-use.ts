/** Which files a program call names, by a table of programs. What is not in the table is only known to mention words. */
import { basename } from 'node:path';

export interface FileUse {
  readonly access: 'read' | 'write';
  readonly word: string;
}

export interface FileUses {
  /** The program is in the table: its operands are files, used as said. */
  readonly known: boolean;
  readonly uses: readonly FileUse[];
  /** Reads whatever is below a directory. */
  readonly recursive: boolean;
  /** Words that may hold the name of a file all the same. */
  readonly mentions: readonly string[];
}

type Row = 'read' | 'write' | 'both' | 'search';

const row = (kind: Row, names: string): readonly (readonly [string, Row])[] =>
  names.split(' ').map((name) => [name, kind] as const);

/** `search`: the first operand is a pattern or a program unless an option gave it. `both`: read and written. */
const PROGRAMS: ReadonlyMap<string, Row> = new Map([
  ...row(
    'read',
    'cat head tail less more xxd od hexdump hd strings base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum',
  ),
  ...row(
    'read',
    'sha512sum b2sum cksum sum wc sort uniq cut paste column fold fmt pr nl tac rev diff cmp comm join stat file ls dir',
  ),
  ...row(
    'read',
    'vdir iconv shuf split csplit tsort look expand unexpand source . bash sh dash zsh ksh cd pushd mapfile readarray',
  ),
  ...row('read', 'zcat bat view bzcat xzcat'),
  ...row('search', 'grep egrep fgrep rg ag ack awk gawk mawk nawk jq yq'),
  ...row('write', 'tee touch mkdir rm rmdir unlink shred truncate chmod chown chgrp mkfifo mknod'),
  ...row('both', 'cp mv ln install dd sed vim vi nano ed ex emacs rsync scp patch'),
]);

/** Programs that show names or words, not contents. */
const HARMLESS = new Set(
  'echo printf du readlink realpath test [ [[ find pwd which basename dirname true false seq date tree df type hash export'.split(
    ' ',
  ),
);

export function fileUses(words: readonly string[]): FileUses {
  const name = basename(words[0] ?? '');
  const args = words.slice(1);
  const kind = PROGRAMS.get(name);
  if (name === 'git') return gitUses(args);
  if (name === 'xargs')
    return {
      known: false,
      uses: optionValue(args, '-a', '--arg-file').map((word) => ({ access: 'read', word })),
      recursive: false,
      mentions: [],
    };
  if (kind === undefined) {
    return {
      known: false,
      uses: [],
      recursive: false,
      mentions: HARMLESS.has(name) ? [] : args.flatMap(piecesOf),
    };
  }
  const named = operandsOf(name, kind, args);
  // A command of sed may name a file to write.
  const words_ = name === 'sed' ? named.flatMap((word) => [word, ...word.split(/\s+/)]) : named;
  const accesses: readonly FileUse['access'][] =
    kind === 'both' ? ['read', 'write'] : [kind === 'write' ? 'write' : 'read'];
  const effective =
    name === 'sed' && !args.some((arg) => /^-[a-zA-Z]*i|^--in-place/.test(arg))
      ? sedAccess(named, args)
      : undefined;
  const uses = effective ?? words_.flatMap((word) => accesses.map((access) => ({ access, word })));
  // `sort -o`, `iconv --output`: what reads otherwise writes there.
  const outputs = [
    ...optionValue(args, '-o', '--output'),
    ...args.flatMap((arg) => /^-o(.+)$/s.exec(arg)?.[1] ?? []),
  ];
  const written = outputs.map((word) => ({ access: 'write' as const, word }));
  return { known: true, uses: [...uses, ...written], recursive: isRecursive(name, args), mentions: [] };
}

/** Without -i sed reads its operands; the files of its `w` commands are written. */
function sedAccess(named: readonly string[], args: readonly string[]): readonly FileUse[] {
  const written = args.flatMap((arg) =>
    [...arg.matchAll(/(?:^|[;{}\n\d$/a-z])\s*[wW]\s+(\S+)/g)].map((match) => match[1] ?? ''),
  );
  return [
    ...named.map((word) => ({ access: 'read' as const, word })),
    ...written.map((word) => ({ access: 'write' as const, word })),
  ];
}

function operandsOf(name: string, kind: Row, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const plain = args.filter((arg, index) => (end >= 0 && index > end) || !/^-./.test(arg));
  const operands = plain.filter((arg) => arg !== '-' && arg !== '--');
  // The value of an option may be a file (`--file=x`, `-fx`, `of=x`).
  const attached = args.flatMap(
    (arg) => (/^(?:--[\w-]+|\w+)=(.+)$/s.exec(arg) ?? /^-[A-Za-z](.+)$/s.exec(arg))?.[1] ?? [],
  );
  if (kind === 'search' && !args.some((arg) => /^-[A-Za-z]*[ef]|^--(?:regexp|file|from-file)/.test(arg)))
    operands.shift();
  if (name === 'chmod' || name === 'chown' || name === 'chgrp') operands.shift();
  return [...operands, ...attached];
}

function isRecursive(name: string, args: readonly string[]): boolean {
  if (/^(?:rg|ag|ack|rsync)$/.test(name)) return true;
  if (/^(?:grep|egrep|fgrep|diff)$/.test(name))
    return args.some((arg) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive/.test(arg));
  return args.some((arg) => arg.startsWith('--files0-from'));
}

function gitUses(args: readonly string[]): FileUses {
  const command = args.find((arg) => !arg.startsWith('-'));
  const reads =
    command === 'hash-object' || (args.includes('--no-index') && (command === 'grep' || command === 'diff'));
  const operands = args.filter((arg) => !arg.startsWith('-') && arg !== command);
  if (reads)
    return {
      known: true,
      uses: operands.map((word) => ({ access: 'read', word })),
      recursive: false,
      mentions: [],
    };
  return { known: false, uses: [], recursive: false, mentions: operands.flatMap(piecesOf) };
}

function optionValue(args: readonly string[], short: string, long: string): readonly string[] {
  return args.flatMap((arg, index) => {
    if (args[index - 1] === short || args[index - 1] === long) return [arg];
    return arg.startsWith(`${long}=`) ? [arg.slice(long.length + 1)] : [];
  });
}

/** A word and what stands between quotes, blanks and marks in it: file names in the code of another language. */
export function piecesOf(word: string): readonly string[] {
  const pieces = word.split(/[\s"'`=:;,(){}<>|@]+/).filter((piece) => piece !== '');
  return pieces.length === 1 && pieces[0] === word ? [word] : [word, ...pieces];
}
