/** A script that the command itself puts there: nobody can have seen what it runs then. */
import { basename } from 'node:path';
import type { Understood } from './command-restriction.ts';
import { runsFiles } from './programs/opaque.ts';
import { programOf } from './programs/program-name.ts';
import type { Reading } from './programs/reading.ts';
import { possibleCalls } from './programs/wrappers.ts';
import { pathsNamed } from './shell/paths.ts';

/** Programs that fill the files they write with what they are given. */
const FILLS = new Set(
  [
    'tee cp mv install ln link dd sed curl wget patch sponge sort shuf uniq split csplit find awk gawk mawk nawk rsync scp',
    'iconv base64 xxd openssl gpg zstd xz gzip gunzip bzip2 jq yq envsubst logsave script tr fold ex ed perl busybox truncate',
  ]
    .join(' ')
    .split(' '),
);

/** What they are given is put under its own name below a directory, or a directory gets another name. */
const MOVES = new Set('mv cp ln rsync scp install tar unzip bsdtar cpio'.split(' '));
/** The names of what they write begin with an operand behind the first, or with an `x`. */
const NAMES_OUTPUT = /^(?:c?split|uniq)$/;

export function madeAndRun(understood: Understood): string | undefined {
  const { reach, place } = understood;
  const run = reach.readings.filter(mayRunFile);
  if (run.length === 0) return undefined;
  const written = new Set<string>();
  const movedTo: string[] = [];
  const begun: string[] = [];
  for (const { writes, targets, cwds } of reach.redirects)
    if (writes)
      for (const target of targets) for (const path of pathsNamed(target, cwds, place)) written.add(path);
  for (const { name, files, cwds, words } of reach.readings) {
    if (NAMES_OUTPUT.test(name))
      for (const word of ['x', ...words.slice(2)])
        for (const path of pathsNamed(word, cwds, place)) begun.push(path);
    const [fills, moves] = [FILLS.has(name), MOVES.has(name)];
    if (!fills && !moves) continue;
    for (const { access, word } of files.uses) {
      if (access !== 'write') continue;
      for (const path of pathsNamed(word, cwds, place)) {
        if (fills) written.add(path);
        if (moves) movedTo.push(path);
      }
    }
  }
  if (written.size + begun.length === 0) return undefined;
  const names = new Set(movedTo.length > 0 ? [...written].map((path) => basename(path)) : []);
  const isMade = (path: string): boolean =>
    written.has(path) ||
    begun.some((beginning) => path.startsWith(beginning)) ||
    (names.has(basename(path)) && movedTo.some((directory) => path.startsWith(`${directory}/`)));
  const made = run.find((reading) =>
    filesRun(reading).some((file) => pathsNamed(file, reading.cwds, place).some(isMade)),
  );
  return made?.words.join(' ');
}

const mayRunFile = ({ words: [first = ''] }: Reading): boolean =>
  first.includes('/') || runsFiles(programOf(first)) !== undefined;

/** Words of the call that may be files which it runs. */
function filesRun({ words }: Reading): readonly string[] {
  const [first = '', ...args] = words;
  const kind = runsFiles(programOf(first));
  const own = first.includes('/') ? [first] : [];
  if (kind === undefined) return own;
  const found = kind === 'script' ? possibleCalls(args, 0).map(({ words: [file = ''] }) => file) : args;
  return [
    ...own,
    ...found.flatMap((word) => [word, /^(?:-[A-Za-z]|--[\w-]+=)(.+)$/.exec(word)?.[1] ?? word]),
  ];
}
