/**
 * What is denied or asked without any rule: the deny list that users may switch off by name, removals that
 * always ask, and the guard of hookd's own directory. All of it looks at parsed commands, so that text in quotes is text.
 * Long because it is a list: each of its tests is small and belongs to one name.
 */
import { basename, resolve } from 'node:path';
import { pathBelow } from './path-rule.ts';
import type { Place } from './place.ts';
import { fileUses, piecesOf } from './shell/file-use.ts';
import { pathsNamed } from './shell/paths.ts';
import type { Reach, Reading } from './shell/reach.ts';

export interface Builtin {
  /** Stable: settings switch it off by this name, records show it. */
  readonly name: string;
  /** The part of the command that it is about. */
  readonly part: string;
}

type Test = (words: readonly string[], reading: Reading, place: Place) => boolean;

const BUILTIN_DENIALS: readonly { readonly name: string; readonly denies: Test }[] = [
  { name: 'rm-root', denies: removesRoot },
  {
    name: 'sudo',
    denies: ([name]) => /^(?:sudo(?:-rs)?|doas|sudoedit|pkexec|run0|su|gosu|runuser)$/.test(name ?? ''),
  },
  {
    name: 'shutdown',
    denies: ([name, ...args]) => /^(?:shutdown|halt|poweroff)$/.test(name ?? '') || powersOff(name, args),
  },
  { name: 'reboot', denies: ([name, ...args]) => name === 'reboot' || reboots(name, args) },
  { name: 'mkfs', denies: ([name]) => /^mkfs(?:\.\w+)?$|^mke2fs$|^mkswap$/.test(name ?? '') },
  { name: 'dd', denies: ([name, ...args]) => name === 'dd' && args.some((arg) => arg.startsWith('if=')) },
  {
    name: 'raw-disk',
    denies: (words, { cwds }, place) =>
      fileUses(words).uses.some((use) => use.access === 'write' && namesDisk(use.word, cwds, place)),
  },
];

/** The names that `disabledBuiltins` may hold. */
export const BUILTIN_DENIAL_NAMES: readonly string[] = BUILTIN_DENIALS.map(({ name }) => name);

export function builtinDenial(
  reach: Reach,
  place: Place,
  disabled: ReadonlySet<string>,
): Builtin | undefined {
  const active = BUILTIN_DENIALS.filter(({ name }) => !disabled.has(name));
  for (const reading of reach.readings) {
    const words = [basename(reading.words[0] ?? ''), ...reading.words.slice(1)];
    const hit = active.find(({ denies }) => denies(words, reading, place));
    if (hit !== undefined) return { name: hit.name, part: reading.words.join(' ') };
  }
  const disk = reach.redirects.find(
    ({ writes, targets, cwds }) => writes && targets.some((target) => namesDisk(target, cwds, place)),
  );
  return disk === undefined || disabled.has('raw-disk')
    ? undefined
    : { name: 'raw-disk', part: `> ${disk.text}` };
}

function removesRoot(words: readonly string[], { cwds }: Reading, place: Place): boolean {
  const [name, ...args] = words;
  if (emptiedByFind(words).some((start) => pathsNamed(emptiedBy(start), cwds, place).includes('/')))
    return true;
  if (name !== 'rm' || !args.some((arg) => /^-[a-zA-Z]*[rR]|^--r(?:e(?:c(?:u\w*)?)?)?$/.test(arg)))
    return false;
  if (args.includes('--no-preserve-root')) return true;
  return operandsOf(args).some((arg) => /^\/+\.?\*$/.test(arg) || pathsNamed(arg, cwds, place).includes('/'));
}

const powersOff = (name: string | undefined, args: readonly string[]): boolean =>
  (name === 'systemctl' && args.some((arg) => /^(?:poweroff|halt)$/.test(arg))) ||
  (/^(?:tel)?init$/.test(name ?? '') && args[0] === '0');

const reboots = (name: string | undefined, args: readonly string[]): boolean =>
  (name === 'systemctl' && args.some((arg) => /^(?:reboot|kexec)$/.test(arg))) ||
  (/^(?:tel)?init$/.test(name ?? '') && args[0] === '6');

/** A pattern counts like the names that it may stand for. */
const isDisk = (path: string): boolean =>
  /^\/dev\/(?:[shv]d[a-z?*[]|xvd|nvme[\d?*[]|mmcblk|disk|block\/|dm-|mapper\/|md\d|loop\d|ram\d|nbd\d|zvol|root$|k?mem$|port$)/.test(
    path,
  );

const namesDisk = (word: string, cwds: readonly string[], place: Place): boolean =>
  isDisk(word) || pathsNamed(word, cwds, place).some(isDisk);

/** The directories that `find` empties: it removes what it finds, and no name or age narrows that down. */
function emptiedByFind([name, ...args]: readonly string[]): readonly string[] {
  if (name !== 'find') return [];
  const removes =
    args.includes('-delete') ||
    args.some(
      (arg, index) =>
        /^-(?:exec|execdir|ok)/.test(args[index - 1] ?? '') && /^(?:.*\/)?(?:rm|shred|unlink)$/.test(arg),
    );
  const isNarrow = args.some((arg) =>
    /^-(?:i?name|i?path|i?regex|empty|newer|[amc](?:time|min)|size|user|group|perm|maxdepth)/.test(arg),
  );
  if (!removes || isNarrow) return [];
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLP]$/.test(arg));
  const starts = args.slice(0, first < 0 ? undefined : first).filter((arg) => !arg.startsWith('-'));
  return starts.length > 0 ? starts : ['.'];
}

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !/^-./.test(arg));

/** `rm` or `rmdir` of a directory that everything else depends on; asks in every mode, whatever is allowed. */
export function criticalRemoval(reach: Reach, place: Place): string | undefined {
  for (const { words, cwds } of reach.readings) {
    const name = basename(words[0] ?? '');
    const removed = /^(?:rm|rmdir|unlink)$/.test(name)
      ? operandsOf(words.slice(1))
      : name === 'mv'
        ? operandsOf(words.slice(1)).slice(0, -1)
        : emptiedByFind([name, ...words.slice(1)]);
    const critical = removed.find((word) => {
      return pathsNamed(emptiedBy(word), cwds, place).some((path) => place.isCritical(path));
    });
    if (critical !== undefined) return `${words[0]} ${critical}`;
  }
  return undefined;
}

/** `dir/*` removes what is in `dir`, which is as much. */
function emptiedBy(word: string): string {
  let end = word.length;
  while (end > 0 && '.*?'.includes(word[end - 1] ?? '')) end--;
  if (!word.slice(end).includes('*')) return word;
  const directory = word.slice(0, word[end - 1] === '/' ? end - 1 : end);
  return directory || (word.startsWith('/') ? '/' : '.');
}

/** Names of hookd's program when it is started through an interpreter. */
const HOOKD_PROGRAM = /^hookd(?:\.c?js|\.mjs)?$/;

/** Programs that start another by its name or file. */
const STARTERS =
  /^(?:node|nodejs|node\d+|bun|bunx|deno|tsx|ts-node|npx|npm|pnpm|pnpx|yarn|bash|sh|dash|zsh|ksh|\.|source|ssh|parallel|busybox)$/;

/** hookd itself, or started by another program, with something that does not only show. */
function startsHookd([first = '', ...rest]: readonly string[]): boolean {
  const isHookd = (word: string): boolean => HOOKD_PROGRAM.test(basename(word).split('@')[0] ?? '');
  if (isHookd(first)) return !onlyShows(rest);
  const starter = basename(first);
  if (!STARTERS.test(starter)) return false;
  if (/^(?:npm|pnpm|yarn)$/.test(starter) && !/^(?:exec|x|dlx|run|hookd.*)$/.test(rest[0] ?? ''))
    return false;
  const at = rest.findIndex(isHookd);
  if (at < 0) return false;
  const isFirst = rest
    .slice(0, at)
    .every((word) => word.startsWith('-') || /^(?:exec|x|dlx|run)$/.test(word));
  const args = rest.slice(at + 1);
  return (isFirst || args.length > 0) && !onlyShows(args);
}

/** Sub-commands of hookd that only show something. */
const HOOKD_SHOWS: Readonly<Record<string, readonly string[] | 'all'>> = {
  audit: ['tail', 'show', 'verify', 'stats'],
  policy: ['explain', 'test', 'replay'],
  settings: ['check', 'show', 'schema'],
  hooks: ['list', 'lint'],
  sessions: ['list', 'show'],
  approvals: ['list'],
  doctor: 'all',
  completion: 'all',
  help: 'all',
};

/** The agent may neither name anything in $HOOKD_HOME nor run hookd to change something. Cannot be switched off. */
export function reachesHookd(text: string, reach: Reach, place: Place): string | undefined {
  if (
    /\$\{?!?HOOKD_HOME\b|^HOOKD_HOME=|\sHOOKD_HOME=|hookd\.sock\b/.test(text) ||
    hookdHome(place).test(text)
  )
    return text;
  // As a plain word it is what is looked for; elsewhere code may read it.
  if (/\bHOOKD_HOME\b/.test(text) && reach.readings.some(({ words }) => usesTheName(words))) return text;
  const seen = new Set<string>();
  for (const { words, cwds } of reach.readings) {
    if (startsHookd(words)) return words.join(' ');
    const named = [words[0] ?? '', ...words.slice(1).flatMap(piecesOf)].find((word) => {
      const key = `${cwds.length} ${word}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return (
        mayBePath(word, cwds, place) &&
        (isOfOtherProcess(word) ||
          pathsNamed(word, cwds, place).some((path) => place.inHookdHome(path) || isOfOtherProcess(path)))
      );
    });
    if (named !== undefined) return named;
  }
  return reach.redirects.find(({ targets, cwds }) =>
    targets.some(
      (target) =>
        isOfOtherProcess(target) ||
        pathsNamed(target, cwds, place).some((path) => place.inHookdHome(path) || isOfOtherProcess(path)),
    ),
  )?.text;
}

/** Programs that only search or print the name of the variable. */
const NAMES_ONLY = /^(?:grep|egrep|fgrep|rg|ag|git|echo|printf|cat|sed|head|tail|wc|sort|ls)$/;

const usesTheName = (words: readonly string[]): boolean =>
  !NAMES_ONLY.test(basename(words[0] ?? '')) && words.some((word) => /\bHOOKD_HOME\b/.test(word));

/** Memory, environment and open files of another process: hookd's own hold its key. What stands for the number may be a pattern. */
function isOfOtherProcess(path: string): boolean {
  return /^\/+proc\/+(?!self\/|thread-self\/)[^/]*\/+(?:task\/+[^/]+\/+)?(?:environ|mem|maps|smaps|fd|fdinfo|root|cwd|auxv|map_files)(?:\/|$)/.test(
    path,
  );
}

/** $HOOKD_HOME as it may stand in code: absolute, or below `~` or `$HOME`. */
function hookdHome({ workplace }: Place): RegExp {
  const below = pathBelow(workplace.home, workplace.hookdHome);
  const short = below === undefined ? '' : `|(?:~|\\$HOME|\\$\\{HOME\\})/${escaped(below)}`;
  return new RegExp(`(?:${escaped(workplace.hookdHome)}${short})(?![\\w.-])`);
}

/** Cheap first: a plain name leads out of its directory only as a link. */
function mayBePath(word: string, cwds: readonly string[], place: Place): boolean {
  if (word.length > 4096) return false;
  if (/[/~*?[]|^\.\./.test(word)) return true;
  return cwds.some(
    (cwd) => place.inHookdHome(cwd) || place.isLink(resolve(cwd, word)) || cwd.startsWith('/proc'),
  );
}

function onlyShows(args: readonly string[]): boolean {
  if (args.length === 1 && /^(?:--version|--help|-h|-v)$/.test(args[0] ?? '')) return true;
  const [command = '', sub = ''] = args;
  const shows = Object.hasOwn(HOOKD_SHOWS, command) ? HOOKD_SHOWS[command] : undefined;
  return shows === 'all' || (shows?.includes(sub) ?? false);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Why a command that no rule covers deserves a second look; the first that applies names the question. */
export function builtinAsk(reach: Reach, place: Place): Builtin | undefined {
  for (const { words, cwds } of reach.readings) {
    const name = basename(words[0] ?? '');
    const part = words.join(' ');
    if (name === 'rm' || name === 'rmdir') return { name: 'rm', part };
    if (name === 'chmod' && words.some((word) => /^0?777$|^[ugoa]*[ao][ugoa]*\+\w*w/.test(word)))
      return { name: 'chmod-777', part };
    const outside = fileUses(words).uses.find(
      (use) =>
        use.access === 'write' && pathsNamed(use.word, cwds, place).some((path) => !place.inWorkspace(path)),
    );
    if (outside !== undefined) return { name: 'write-outside', part };
  }
  for (const { writes, targets, cwds, text } of reach.redirects) {
    if (!writes || text === '/dev/null') continue;
    const paths = targets.flatMap((target) => pathsNamed(target, cwds, place));
    if (paths.some((path) => path.startsWith('/etc/'))) return { name: 'write-etc', part: `> ${text}` };
    if (paths.some((path) => !place.inWorkspace(path))) return { name: 'write-outside', part: `> ${text}` };
  }
  return undefined;
}
