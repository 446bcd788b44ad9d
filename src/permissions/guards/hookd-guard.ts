/**
 * The guard of hookd's own directory, socket and program against the agent's commands: best effort, in every mode, and
 * nothing switches it off.
 */
import { basename, dirname, resolve } from 'node:path';
import type { Workplace } from '../../core/vocabulary.ts';
import { namedThroughProcess, opensHookdHome } from '../below-descriptor.ts';
import { pathBelow } from '../path-rule.ts';
import type { Place } from '../place.ts';
import { piecesOf } from '../programs/file-uses.ts';
import type { Reach } from '../reach.ts';
import { isGlob, matchesSegment } from '../shell/glob.ts';
import { LONGEST_PATH, pathFrom, pathsNamed } from '../shell/paths.ts';
import {
  changesHookd,
  endsHookd,
  findsSockets,
  onlyShows,
  renamesHookd,
  startsHookd,
  startsHookdInCode,
} from './hookd-program.ts';

/**
 * Where the socket is when the path in $HOOKD_HOME would be too long: `hookd-UID-…` in a directory for such things. As it
 * may stand in code, also with a pattern or an expansion in place of the rest.
 */
const SHORT_DIRECTORY =
  /(?:\/tmp|\/run\/user\/[^/\s]+|\$\{?TMPDIR\}?["']?|\$\{?XDG_RUNTIME_DIR\}?["']?)\/+["']?hookd-(?:\d|[*?[$`])/;

/** The same where code puts the path together: the variable, and later in the line what the name begins with. */
function buildsShortDirectory(text: string): boolean {
  if (!text.includes('XDG_RUNTIME_DIR')) return false;
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const from = line.search(/XDG_RUNTIME_DIR\b/);
    return from >= 0 && /\bhookd-/.test(line.slice(from));
  });
}

/** `${!HOOKD@}`: the names of all variables that begin so. */
const NAMES_BY_PREFIX = /\$\{!(?:H|HO|HOO|HOOK|HOOKD\w*)?[@*]\}/;

/** What may reach for hookd, though nobody can say so: a program that is not known, a name below a directory that holds it. */
export function mayReachHookd(reach: Reach, place: Place): string | undefined {
  const { unknownCalls, expanded } = reach;
  const call = unknownCalls.find(
    ({ text, args }) => !onlyShows(args) && (/hookd/i.test(text) || changesHookd(args)),
  );
  if (call !== undefined) return [call.text, ...call.args].join(' ');
  const parent = dirname(place.workplace.hookdHome);
  const unknown = expanded.find(({ guesses }) =>
    // What is not known was taken for empty, and stands where hookd's directory would be named.
    guesses.some((guess) => guess === `${parent}/` || guess.startsWith(`${parent}//`)),
  );
  return unknown?.text ?? namedThroughProcess(reach) ?? opensHookdHome(reach, place);
}

/** By its variable, its socket, or the short directory. */
const namesHookd = (text: string): boolean =>
  /\$\{?!?HOOKD_HOME\b|^HOOKD_HOME=|\sHOOKD_HOME=|=["']?HOOKD_HOME\b|hookd\.sock\b/.test(text) ||
  SHORT_DIRECTORY.test(text) ||
  buildsShortDirectory(text);

/** The agent may neither name anything in $HOOKD_HOME nor run hookd to change something. Cannot be switched off. */
export function reachesHookd(text: string, reach: Reach, place: Place): string | undefined {
  const isNamed = /hookd/i.test(text);
  if (
    (isNamed && namesHookd(text)) ||
    (text.includes('${!') && NAMES_BY_PREFIX.test(text)) ||
    namesHome(text, place)
  )
    return text;
  if (reach.unresolved.length > 0 && startsHookdInCode(text)) return text;
  const ended = endsHookd(reach) ?? renamesHookd(reach);
  if (ended !== undefined) return ended;
  // As a plain word it is what is looked for; elsewhere code may read it.
  if (isNamed && /\bHOOKD_HOME\b/.test(text) && reach.readings.some(({ words }) => usesTheName(words)))
    return text;
  /** Commands between two `cd` share their directories. */
  let here: Looked | undefined;
  const before: Looked[] = [];
  for (const reading of reach.readings) {
    const { words, cwds } = reading;
    if (startsHookd(reading, place) || findsSockets(reading, place) || showsEnvironments(words))
      return words.join(' ');
    if (here?.cwds !== cwds) {
      here = before.find((one) => one.cwds === cwds) ?? lookFrom(cwds, place);
      before.push(here);
    }
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? '';
      const found = hookdNamed(index === 0 ? [word] : piecesOf(word), here, place);
      if (found !== undefined) return found;
    }
  }
  return reach.redirects.find(({ targets, cwds }) =>
    targets.some((target) => leadsToHookd(target, cwds, place)),
  )?.text;
}

/** What was looked at from some directories. */
interface Looked {
  readonly cwds: readonly string[];
  readonly words: Set<string>;
  /** Plain names in them may be of hookd, or of a process. */
  readonly isGuarded: boolean;
}

const lookFrom = (cwds: readonly string[], place: Place): Looked => ({
  cwds,
  words: new Set(),
  isGuarded: cwds.some(
    (cwd) => place.inHookdHome(cwd) || place.bothPaths(cwd).some((one) => one.startsWith('/proc')),
  ),
});

function hookdNamed(
  names: readonly string[],
  { cwds, words, isGuarded }: Looked,
  place: Place,
): string | undefined {
  for (const word of names) {
    if (words.has(word)) continue;
    words.add(word);
    if (
      (isGuarded || mayLeadAway(word, cwds, place)) &&
      word.length <= LONGEST_PATH &&
      (mayNameHome(word, cwds, place) || leadsToHookd(word, cwds, place))
    )
      return word;
  }
  return undefined;
}

const leadsToHookd = (word: string, cwds: readonly string[], place: Place): boolean =>
  isOfOtherProcess(word) ||
  pathsNamed(word, cwds, place).some(
    (path) =>
      place.inHookdHome(path) ||
      isOfOtherProcess(path) ||
      // The system's own links (`/dev/stderr`) lead to whoever asks: here to hookd, there to the command.
      (!/^\/(?:dev|proc)\//.test(path) && place.bothPaths(path).some(isOfOtherProcess)),
  );

/** `ps e`, in the style of BSD: what each process was started with, hookd's key among it. */
function showsEnvironments([program = '', ...args]: readonly string[]): boolean {
  return (
    basename(program) === 'ps' &&
    args.some(
      (arg, index) =>
        /^[A-Za-z]*e[A-Za-z]*$/.test(arg) &&
        !/^-[A-Za-z]*[oOCGgpqstUuk]$|^--\w+$/.test(args[index - 1] ?? ''),
    )
  );
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
function namesHome(text: string, { workplace }: Place): boolean {
  let home = homes.get(workplace);
  if (home === undefined) {
    home = homeOf(workplace);
    homes.set(workplace, home);
  }
  return text.includes(home.name) && home.pattern.test(text);
}

interface HookdHome {
  /** Its own name, which stands in each way to write it down. */
  readonly name: string;
  readonly pattern: RegExp;
}

function homeOf({ home, hookdHome }: Workplace): HookdHome {
  const below = pathBelow(home, hookdHome);
  const short = below === undefined ? '' : `|(?:~|\\$HOME|\\$\\{HOME\\})/${escaped(below)}`;
  return {
    name: basename(hookdHome),
    pattern: new RegExp(`(?:${escaped(hookdHome)}${short})(?![\\w.-])`),
  };
}

const homes = new WeakMap<Workplace, HookdHome>();

/** A pattern that fits the directory, whatever lies in it now: `~/.h*`. A leading dot is written out. */
function mayNameHome(word: string, cwds: readonly string[], place: Place): boolean {
  if (!isGlob(word) || place.isLiteral(word)) return false;
  const home = place.workplace.hookdHome.split('/');
  const from = word.startsWith('~/') ? place.workplace.home + word.slice(1) : word;
  return cwds.some((cwd) => {
    const named = resolve(cwd, from).split('/');
    return (
      named.length >= home.length &&
      home.every((name, index) => {
        const pattern = named[index] ?? '';
        return (
          pattern === name ||
          ((!name.startsWith('.') || pattern.startsWith('.')) && matchesSegment(pattern, name))
        );
      })
    );
  });
}

/** Cheap first: a plain name leads out of its directory only as a link. */
const mayLeadAway = (word: string, cwds: readonly string[], place: Place): boolean =>
  /[/~*?[]|^\.\./.test(word) ||
  (word.length <= LONGEST_PATH && cwds.some((cwd) => place.isLink(pathFrom(cwd, word))));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
