/** The files of programs whose arguments are no plain options and operands: tar, find. */
import { join } from 'node:path';
import { type FileUse, type FileUses, mentionsAmong, onlyAsking, read, write } from './file-uses.ts';
import { soughtByFind } from './find-names.ts';
import { startsOfFind } from './find-starts.ts';
import { OPTION_TABLES } from './option-table.ts';
import { possibleValues, readOptions } from './options.ts';

/** `tar xf a` is `tar -xf a`; with more letters that take a value their order decides, which is not followed. */
export function tarUses(args: readonly string[]): FileUses {
  const isOld = /^[A-Za-z]+$/.test(args[0] ?? '');
  const dashed = isOld
    ? [`-${args[0]?.replace(/[fC]/g, '')}${/f/.test(args[0] ?? '') ? 'f' : ''}`, ...args.slice(1)]
    : args;
  const table = OPTION_TABLES.get('tar') ?? { flags: '', long: '' };
  const exact = readOptions(dashed, table);
  const unsure =
    exact.unsure ||
    exact.values.some(({ role }) => role === 'run') ||
    /^[^-]*[bCgTXIFHKLNV]/.test(isOld ? (args[0] ?? '') : '');
  const removes = args.some((arg) => /^--rem/.test(arg));
  const extracts = [...exact.given].some((one) => /^(?:x|extract|get)$/.test(one));
  const named = possibleValues(dashed, table).filter(({ role }) => role !== 'run');
  const operands = unsure ? args : exact.operands;
  const [archive] = unsure
    ? []
    : named.filter(({ name }) => /^f(?:ile)?$/.test(name)).map(({ value }) => value);
  const directory = named.find(({ name }) => name === 'C' || 'directory'.startsWith(name))?.value ?? '.';
  return {
    known: true,
    uses: [
      ...named.flatMap(({ value, role }) => (role === 'write' ? [read(value), write(value)] : [read(value)])),
      // As with other archivers what goes into the archive only asks.
      ...(removes ? operands.map((word): FileUse => ({ ...write(word), below: 'existing' })) : []),
      ...operands.map((word) => (extracts ? write(word) : onlyAsking({ ...read(word), below: 'existing' }))),
      ...(extracts
        ? [
            {
              ...write(directory),
              below: 'unknown',
              ...(archive === undefined ? {} : { needs: archive }),
            } as const,
          ]
        : []),
    ].filter(({ word }) => word !== ''),
    recursive: !extracts,
    mentions: mentionsAmong(args),
    // With these it writes wherever a name in the archive says.
    unsure: unsure || (extracts && (exact.given.has('P') || exact.given.has('absolute-names'))),
  };
}

const MOST_NAMES = 16;

/** What `find` removes or writes itself; what it runs is looked at as a command. */
export function usesOfFind(args: readonly string[]): readonly FileUse[] {
  const starts = startsOfFind(['find', ...args]);
  const removed = args.includes('-delete') ? (starts.length > 0 ? starts : ['.']) : [];
  const written = args.filter((_, index) => /^-(?:fprint0?|fprintf|fls)$/.test(args[index - 1] ?? ''));
  const lists = args.filter((_, index) => args[index - 1] === '-files0-from');
  // It removes what is so called in the directory where it begins, and elsewhere.
  const named = soughtByFind(['find', ...args], /^-i?name$/)
    .slice(0, MOST_NAMES)
    .flatMap((name) => removed.map((start) => write(join(start, name))));
  const paths = removed.length === 0 ? [] : soughtByFind(['find', ...args], /^-i?(?:path|wholename)$/);
  // What a name or another test narrows down is not known; a rule is about files.
  const isNarrow = args.some(
    (arg, index) =>
      /^-(?!delete$|depth$|xdev$|mount$|P$|print)/.test(arg) && !(arg === '-type' && args[index + 1] === 'f'),
  );
  return [
    // It lists what is in them.
    ...starts.map(read),
    ...removed.map((word): FileUse => ({ ...write(word), below: isNarrow ? 'unknown' : 'existing' })),
    ...named,
    ...paths.slice(0, MOST_NAMES).map(write),
    ...written.map(write),
    ...lists.map(read),
  ];
}
