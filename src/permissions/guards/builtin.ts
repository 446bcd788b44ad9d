/**
 * What is denied or asked without any rule: the deny list that users may switch off by name, and what asks where no rule
 * matched. All of it looks at parsed commands, so that text in quotes is text.
 */
import { basename } from 'node:path';
import type { Place } from '../place.ts';
import type { Reading } from '../programs/reading.ts';
import type { Reach } from '../reach.ts';
import { pathsNamed } from '../shell/paths.ts';
import { emptiedBy, operandsOf } from './critical-removal.ts';
import { emptiedByFind } from './found-and-removed.ts';
import { namesDisk, restartsAtOnce, SYSRQ, writesDisk } from './raw-disk.ts';

export interface Builtin {
  /** Stable: settings switch it off by this name, records show it. */
  readonly name: string;
  /** The part of the command that it is about. */
  readonly part: string;
}

interface Denial {
  readonly name: string;
  /** The programs that it is about. */
  readonly programs: RegExp;
  /** `words` begin with the program's name, without its directory. */
  readonly denies: (words: readonly string[], reading: Reading, place: Place) => boolean;
}

const BUILTIN_DENIALS: readonly Denial[] = [
  { name: 'rm-root', programs: /^(?:rm|find|fd|fdfind)$/, denies: removesRoot },
  {
    name: 'sudo',
    programs: /^(?:sudo(?:-rs)?|doas|sudoedit|pkexec|run0|su|gosu|runuser)$/,
    denies: () => true,
  },
  {
    name: 'shutdown',
    programs: /^(?:shutdown|halt|poweroff|systemctl|loginctl|(?:tel)?init)$/,
    denies: ([name, ...args]) => /^(?:shutdown|halt|poweroff)$/.test(name ?? '') || powersOff(name, args),
  },
  {
    name: 'reboot',
    programs: /^(?:reboot|systemctl|loginctl|kexec|(?:tel)?init)$/,
    denies: ([name, ...args]) => name === 'reboot' || reboots(name, args),
  },
  {
    name: 'mkfs',
    programs: /^mkfs(?:\.\w+)?$|^mke2fs$|^mkswap$|^mk(?:dosfs|ntfs|exfatfs|reiserfs)$/,
    denies: () => true,
  },
  { name: 'dd', programs: /^dd$/, denies: ([, ...args]) => args.some((arg) => arg.startsWith('if=')) },
  {
    name: 'raw-disk',
    programs: /^/,
    denies: writesDisk,
  },
];

/** The names that `disabledBuiltins` may hold. */
export const BUILTIN_DENIAL_NAMES: readonly string[] = BUILTIN_DENIALS.map(({ name }) => name);

export function builtinDenial(
  reach: Reach,
  place: Place,
  disabled: ReadonlySet<string>,
): Builtin | undefined {
  const active =
    disabled.size === 0 ? BUILTIN_DENIALS : BUILTIN_DENIALS.filter(({ name }) => !disabled.has(name));
  for (const reading of reach.readings) {
    const [word = '', ...args] = reading.words;
    for (const name of programsCalled(word, reading, place)) {
      const words = name === word ? reading.words : [name, ...args];
      const hit = active.find(({ programs, denies }) => programs.test(name) && denies(words, reading, place));
      if (hit !== undefined) return { name: hit.name, part: reading.words.join(' ') };
    }
  }
  if (!disabled.has('reboot') && restartsAtOnce(reach, place)) return { name: 'reboot', part: SYSRQ };
  const disk = reach.redirects.find(
    ({ writes, targets, cwds }) => writes && targets.some((target) => namesDisk(target, cwds, place)),
  );
  return disk === undefined || disabled.has('raw-disk')
    ? undefined
    : { name: 'raw-disk', part: `> ${disk.text}` };
}

/** The name as it is called by, and those of the files that a pattern or a link stands for. */
function programsCalled(word: string, { name, cwds }: Reading, place: Place): readonly string[] {
  if (!word.includes('/')) return [name];
  const files = pathsNamed(word, cwds, place).flatMap((path) => place.bothPaths(path));
  return [...new Set([name, ...files.map((file) => basename(file))])];
}

function removesRoot(words: readonly string[], { cwds, assumed }: Reading, place: Place): boolean {
  const [name, ...args] = words;
  if (emptiedByFind(words).some((start) => pathsNamed(emptiedBy(start), cwds, place).includes('/')))
    return true;
  if (name !== 'rm' || !args.some((arg) => /^-[a-zA-Z]*[rR]|^--r(?:e(?:c(?:u\w*)?)?)?$/.test(arg)))
    return false;
  if (args.includes('--no-preserve-root')) return true;
  // What is not known is asked about as a critical removal.
  const known = operandsOf(args).filter((arg) => !assumed.includes(arg));
  return known.some((arg) => /^\/+\.?\*$/.test(arg) || pathsNamed(arg, cwds, place).includes('/'));
}

/** `isolate reboot.target` is `reboot`. */
const starts = (name: string | undefined, args: readonly string[], what: RegExp): boolean =>
  /^(?:system|login)ctl$/.test(name ?? '') && args.some((arg) => what.test(arg.replace(/\.target$/, '')));

/** The level, behind `-t 5`. */
const changesLevel = (name: string | undefined, args: readonly string[], level: string): boolean =>
  /^(?:tel)?init$/.test(name ?? '') &&
  args.some((arg, index) => arg === level && args[index - 1] !== '-t' && args[index - 1] !== '-e');

const powersOff = (name: string | undefined, args: readonly string[]): boolean =>
  starts(name, args, /^(?:poweroff|halt)$/) || changesLevel(name, args, '0');

const reboots = (name: string | undefined, args: readonly string[]): boolean =>
  starts(name, args, /^(?:reboot|soft-reboot|kexec)$/) ||
  changesLevel(name, args, '6') ||
  (name === 'kexec' && args.some((arg) => /^-[a-z]*e|^--(?:exec|force)$/.test(arg)));

/** What is named so is asked about only where no rule covers it. */
const SECOND_LOOKS: ReadonlySet<string> = new Set(['rm', 'chmod-777', 'write-outside', 'write-etc']);
export const isSecondLook = (name: string): boolean => SECOND_LOOKS.has(name);

/** Why a command that no rule covers deserves a second look; the first that applies names the question. */
export function builtinAsk(reach: Reach, place: Place): Builtin | undefined {
  for (const { words, name, files, cwds } of reach.readings) {
    if (name === 'rm' || name === 'rmdir') return { name: 'rm', part: words.join(' ') };
    if (name === 'chmod' && words.some((word) => /^0?777$|^[ugoa]*[ao][ugoa]*\+\w*w/.test(word)))
      return { name: 'chmod-777', part: words.join(' ') };
    const outside = files.uses.find(
      (use) =>
        use.access === 'write' && pathsNamed(use.word, cwds, place).some((path) => !place.inWorkspace(path)),
    );
    if (outside !== undefined) return { name: 'write-outside', part: words.join(' ') };
  }
  for (const { writes, targets, cwds, text } of reach.redirects) {
    if (!writes || text === '/dev/null') continue;
    const paths = targets.flatMap((target) => pathsNamed(target, cwds, place));
    if (paths.some((path) => path.startsWith('/etc/'))) return { name: 'write-etc', part: `> ${text}` };
    if (paths.some((path) => !place.inWorkspace(path))) return { name: 'write-outside', part: `> ${text}` };
  }
  return undefined;
}
