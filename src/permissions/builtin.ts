/**
 * What is denied or asked without any rule: the deny list that users may switch off by name, removals that
 * always ask, and the guard of hookd's own directory. All of it looks at parsed commands, so that text in quotes is text.
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
  { name: 'sudo', denies: ([name]) => /^(?:sudo|doas|sudoedit|pkexec|run0)$/.test(name ?? '') },
  {
    name: 'shutdown',
    denies: ([name, ...args]) => /^(?:shutdown|halt|poweroff)$/.test(name ?? '') || powersOff(name, args),
  },
  { name: 'reboot', denies: ([name, ...args]) => name === 'reboot' || reboots(name, args) },
  { name: 'mkfs', denies: ([name]) => /^mkfs(?:\.\w+)?$|^mke2fs$|^mkswap$/.test(name ?? '') },
  { name: 'dd', denies: ([name, ...args]) => name === 'dd' && args.some((arg) => arg.startsWith('if=')) },
  {
    name: 'raw-disk',
    denies: (words) => fileUses(words).uses.some((use) => use.access === 'write' && isDisk(use.word)),
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
  const disk = reach.redirects.find(({ writes, targets }) => writes && targets.some(isDisk));
  return disk === undefined || disabled.has('raw-disk')
    ? undefined
    : { name: 'raw-disk', part: `> ${disk.text}` };
}

function removesRoot([name, ...args]: readonly string[], { cwds }: Reading, place: Place): boolean {
  if (name !== 'rm' || !args.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(arg))) return false;
  if (args.includes('--no-preserve-root')) return true;
  return operandsOf(args).some((arg) => /^\/+\.?\*$/.test(arg) || pathsNamed(arg, cwds, place).includes('/'));
}

const powersOff = (name: string | undefined, args: readonly string[]): boolean =>
  (name === 'systemctl' && args.some((arg) => /^(?:poweroff|halt)$/.test(arg))) ||
  (/^(?:tel)?init$/.test(name ?? '') && args[0] === '0');

const reboots = (name: string | undefined, args: readonly string[]): boolean =>
  (name === 'systemctl' && args.some((arg) => /^(?:reboot|kexec)$/.test(arg))) ||
  (/^(?:tel)?init$/.test(name ?? '') && args[0] === '6');

const isDisk = (path: string): boolean =>
  /^\/dev\/(?:[shv]d[a-z]|xvd|nvme\d|mmcblk|disk|dm-|mapper\/|md\d|loop\d|ram\d)/.test(path);

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !/^-./.test(arg));

/** `rm` or `rmdir` of a directory that everything else depends on; asks in every mode, whatever is allowed. */
export function criticalRemoval(reach: Reach, place: Place): string | undefined {
  for (const { words, cwds } of reach.readings) {
    if (!/^(?:rm|rmdir)$/.test(basename(words[0] ?? ''))) continue;
    const critical = operandsOf(words.slice(1)).find((word) => {
      const everything = /^(.*?)\/?[.*?]*\*[.*?]*$/.exec(word);
      const directory = everything === null ? word : everything[1] || (word.startsWith('/') ? '/' : '.');
      return pathsNamed(directory, cwds, place).some((path) => place.isCritical(path));
    });
    if (critical !== undefined) return `${words[0]} ${critical}`;
  }
  return undefined;
}

/** Names of hookd's program when it is started through an interpreter. */
const HOOKD_PROGRAM = /^hookd(?:\.c?js|\.mjs)?$/;

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
  if (/\bHOOKD_HOME\b|hookd\.sock\b/.test(text) || hookdHome(place).test(text)) return text;
  const seen = new Set<string>();
  for (const { words, cwds } of reach.readings) {
    const program = words.slice(0, 3).findIndex((word) => HOOKD_PROGRAM.test(basename(word)));
    const isProgram =
      program === 0 || (program > 0 && /^(?:node|nodejs|bun|deno|tsx|npx)$/.test(basename(words[0] ?? '')));
    if (isProgram && !onlyShows(words.slice(program + 1))) return words.join(' ');
    const named = [words[0] ?? '', ...words.slice(1).flatMap(piecesOf)].find((word) => {
      const key = `${cwds.length} ${word}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return (
        mayBePath(word, cwds, place) && pathsNamed(word, cwds, place).some((path) => place.inHookdHome(path))
      );
    });
    if (named !== undefined) return named;
  }
  return reach.redirects.find(({ targets, cwds }) =>
    targets.some((target) => pathsNamed(target, cwds, place).some((path) => place.inHookdHome(path))),
  )?.text;
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
  return /[/~*?[]|^\.\./.test(word) || cwds.some((cwd) => place.isLink(resolve(cwd, word)));
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
