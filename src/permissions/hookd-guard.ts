/**
 * The guard of hookd's own directory, socket and program against the agent's commands: best effort, in every mode, and
 * nothing switches it off.
 */
import { basename, dirname, resolve } from 'node:path';
import type { Workplace } from '../core/vocabulary.ts';
import { pathBelow } from './path-rule.ts';
import type { Place } from './place.ts';
import { piecesOf } from './shell/file-uses.ts';
import { isGlob, matchesSegment } from './shell/glob.ts';
import { pathsNamed } from './shell/paths.ts';
import type { Reach } from './shell/reach.ts';

/** Names of hookd's program when it is started through an interpreter. */
const HOOKD_PROGRAM = /^hookd(?:\.c?js|\.mjs)?$/;

/** Programs that start another by its name or file. */
const STARTERS =
  /^(?:node|nodejs|node\d+|bun|bunx|deno|tsx|ts-node|npx|npm|pnpm|pnpx|yarn|bash|sh|dash|zsh|ksh|\.|source|ssh|parallel|busybox)$/;

const mayBeHookd = (name: string): boolean =>
  HOOKD_PROGRAM.test(name) || (isGlob(name) && matchesSegment(name, 'hookd'));

/** hookd itself, or started by another program, with something that does not only show. */
function startsHookd([first = '', ...rest]: readonly string[]): boolean {
  const isHookd = (word: string): boolean => mayBeHookd(basename(word).split('@')[0] ?? '');
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

/** `${!HOOKD@}`: the names of all variables that begin so. */
const NAMES_BY_PREFIX = /\$\{!(?:H|HO|HOO|HOOK|HOOKD\w*)?[@*]\}/;

/** Sub-commands that change what guards the agent; no other program is likely to be called with them. */
const CHANGES = /^(?:trust|approvals|settings (?:accept|edit)|daemon (?:stop|restart))(?: |$)/;

/** What may reach for hookd, though nobody can say so: a program that is not known, a name below a directory that holds it. */
export function mayReachHookd({ unknownCalls, expanded }: Reach, { workplace }: Place): string | undefined {
  const call = unknownCalls.find(
    ({ text, args }) => !onlyShows(args) && (/hookd/i.test(text) || CHANGES.test(args.join(' '))),
  );
  if (call !== undefined) return [call.text, ...call.args].join(' ');
  const parent = dirname(workplace.hookdHome);
  return expanded.find(({ guesses }) =>
    // What is not known was taken for empty, and stands where hookd's directory would be named.
    guesses.some((guess) => guess === `${parent}/` || guess.startsWith(`${parent}//`)),
  )?.text;
}

/** The agent may neither name anything in $HOOKD_HOME nor run hookd to change something. Cannot be switched off. */
export function reachesHookd(text: string, reach: Reach, place: Place): string | undefined {
  if (
    /\$\{?!?HOOKD_HOME\b|^HOOKD_HOME=|\sHOOKD_HOME=|=["']?HOOKD_HOME\b|hookd\.sock\b/.test(text) ||
    NAMES_BY_PREFIX.test(text) ||
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
  const known = homes.get(workplace);
  if (known !== undefined) return known;
  const below = pathBelow(workplace.home, workplace.hookdHome);
  const short = below === undefined ? '' : `|(?:~|\\$HOME|\\$\\{HOME\\})/${escaped(below)}`;
  const home = new RegExp(`(?:${escaped(workplace.hookdHome)}${short})(?![\\w.-])`);
  homes.set(workplace, home);
  return home;
}

const homes = new WeakMap<Workplace, RegExp>();

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
