/** Whether a program call starts hookd itself for something that does not only show, or ends the one that runs. */
import { basename } from 'node:path';
import type { Place } from '../place.ts';
import { nameOf } from '../programs/program-name.ts';
import type { Reading } from '../programs/reading.ts';
import type { Reach } from '../reach.ts';
import { isGlob, matchesSegment } from '../shell/glob.ts';
import { pathsNamed } from '../shell/paths.ts';

/** Names of hookd's program, also when it is started through an interpreter. */
const HOOKD_PROGRAM = /^hookd(?:\.c?js|\.mjs)?$/;

/** Programs that start another by its name or file. */
const STARTERS = new Set(
  'node nodejs bun bunx deno tsx ts-node npx npm pnpm pnpx yarn bash sh dash zsh ksh . source ssh parallel busybox toybox systemd-run tmux screen'.split(
    ' ',
  ),
);

const isStarter = (name: string): boolean => STARTERS.has(name) || /^node\d+$/.test(name);

/** Sub-commands of hookd that only show something. */
const HOOKD_SHOWS: Readonly<Record<string, readonly string[] | 'all'>> = {
  audit: ['tail', 'show', 'verify', 'stats'],
  policy: ['explain', 'test', 'replay'],
  settings: ['check', 'show', 'schema'],
  hooks: ['list', 'lint'],
  sessions: ['list', 'show'],
  approvals: ['list'],
  daemon: ['status', 'logs'],
  doctor: 'all',
  completion: 'all',
  help: 'all',
};

/** Sub-commands that change what guards the agent; no other program is likely to be called with them. */
const CHANGES =
  /^(?:trust|approvals|settings (?:accept|edit)|daemon (?:stop|restart|start|run)|sessions (?:end|interrupt)|init --user)(?: |$)/;

export const changesHookd = (args: readonly string[]): boolean => CHANGES.test(args.join(' '));

export function onlyShows(args: readonly string[]): boolean {
  if (args.length === 1 && /^(?:--version|--help|-h|-v)$/.test(args[0] ?? '')) return true;
  const [command = '', sub = ''] = args.filter((arg) => arg !== '--json');
  const shows = Object.hasOwn(HOOKD_SHOWS, command) ? HOOKD_SHOWS[command] : undefined;
  return shows === 'all' || (shows?.includes(sub) ?? false);
}

const isHookdName = (name: string): boolean =>
  HOOKD_PROGRAM.test(name) || (isGlob(name) && matchesSegment(name, 'hookd'));

const isHookd = (word: string): boolean => {
  const name = nameOf(word);
  return isHookdName(name.includes('@') ? name.slice(0, name.indexOf('@')) : name);
};

/** hookd itself, also behind a link, or started by another program, with something that does not only show. */
export function startsHookd({ words, name: starter, cwds }: Reading, place: Place): boolean {
  const first = words[0] ?? '';
  const isItself = isHookd(first);
  if (!isItself && !first.includes('/') && !isStarter(starter)) return false;
  const rest = words.slice(1);
  if (isItself) return !onlyShows(rest);
  const isLink = (word: string): boolean =>
    word.length > 0 &&
    pathsNamed(word, cwds, place).some((path) => place.isLink(path) && isLinkToHookd(path, place));
  if (first.includes('/') && isLink(first)) return !onlyShows(rest);
  if (!isStarter(starter)) return false;
  if (/^(?:npm|pnpm|yarn)$/.test(starter) && !/^(?:exec|x|dlx|run|hookd.*)$/.test(rest[0] ?? ''))
    return false;
  const at = rest.findIndex((word) => isHookd(word) || (!word.startsWith('-') && isLink(word)));
  if (at < 0) return false;
  const isFirst = rest
    .slice(0, at)
    .every((word) => word.startsWith('-') || /^(?:exec|x|dlx|run)$/.test(word));
  const args = rest.slice(at + 1);
  return (isFirst || args.length > 0) && !onlyShows(args);
}

const isLinkToHookd = (path: string, place: Place): boolean =>
  HOOKD_PROGRAM.test(basename(place.realPath(path) ?? ''));

const KILLS = /^(?:pkill|killall|skill|xkill|killall5)$/;
const FINDS = /^(?:pgrep|pidof)$/;
const SERVICE_SHOWS = /^(?:status|show|cat|is-active|is-enabled|is-failed|list-\S+|help)$/;

/** A signal for the daemon, by its name; or its service stopped or changed. */
export function endsHookd({ readings }: Reach): string | undefined {
  const kills = readings.some(({ name }) => name === 'kill');
  return readings
    .find(({ words, name }) => {
      if (!words.some((word, index) => index > 0 && /hookd/i.test(word))) return false;
      if (KILLS.test(name) || (kills && FINDS.test(name))) return true;
      return name === 'systemctl' && !words.some((word, index) => index > 0 && SERVICE_SHOWS.test(word));
    })
    ?.words.join(' ');
}

const COPIES = /^(?:cp|ln|install|mv|rsync)$/;

/** hookd under another name: a copy or link of it, and in the same text a call with what changes something. */
export function renamesHookd({ readings }: Reach): string | undefined {
  const copy = readings.find(({ words, name }) => COPIES.test(name) && words.slice(1).some(isHookd));
  return copy !== undefined && readings.some(({ words }) => changesHookd(words.slice(1)))
    ? copy.words.join(' ')
    : undefined;
}

/** Code of another language, or text that a program runs later, that names hookd with what changes something. */
export function startsHookdInCode(text: string): boolean {
  if (!text.includes('hookd')) return false;
  const words = text.split(/[\s"'`=:;,(){}<>|&[\]]+/).filter((word) => word !== '');
  return words.some((word, index) => {
    const name = basename(word);
    if (!HOOKD_PROGRAM.test(name)) return false;
    const args = words.slice(index + 1, index + 3);
    return name === 'hookd'
      ? changesHookd(args) || /^(?:run|chat|-p)$/.test(args[0] ?? '')
      : !onlyShows(args);
  });
}

/** `find` that looks for sockets where hookd's may be: what it finds need not be named. */
export function findsSockets({ words, name, cwds }: Reading, place: Place): boolean {
  if (!/^(?:find|fd|fdfind|bfs)$/.test(name)) return false;
  const args = words.slice(1);
  const isSearch = args.some(
    (arg, index) =>
      (/^(?:-type|-t|--type)$/.test(args[index - 1] ?? '') && /(?:^|,)s/.test(arg)) ||
      (/^-i?(?:name|path|wholename)$/.test(args[index - 1] ?? '') &&
        matchesSegment(basename(arg), 'hookd.sock')),
  );
  if (!isSearch) return false;
  const runs = args.some((arg) => /^-(?:exec|execdir|ok|okdir|x|X)$|^--exec/.test(arg));
  const isSocketType = args.some((arg) => /^(?:s|socket)$/.test(arg));
  if (!runs && !isSocketType) return false;
  const starts = args.filter(
    (arg, index) => !arg.startsWith('-') && (index === 0 || !args[index - 1]?.startsWith('-')),
  );
  return (starts.length > 0 ? starts : ['.'])
    .flatMap((start) => pathsNamed(start, cwds, place))
    .some(
      (path) =>
        place.holdsHookdHome(path) || /^\/(?:(?:var\/)?tmp|(?:var\/)?run(?:\/user(?:\/\d+)?)?)?$/.test(path),
    );
}
