/** What reads below a directory that holds hookd's own: nobody names that one, and it is read all the same. */
import type { Place } from '../place.ts';
import { startsOfFind } from '../programs/find-starts.ts';
import type { Reading } from '../programs/reading.ts';
import type { Reach } from '../reach.ts';
import { pathsNamed } from '../shell/paths.ts';

/** The call as it is to be shown. */
export function readsAboveHookd({ readings }: Reach, place: Place): string | undefined {
  const reading = readings.find((one) =>
    startsOf(one, readings).some((word) =>
      pathsNamed(word, one.cwds, place).some((path) => place.holdsHookdHome(path)),
    ),
  );
  return reading?.words.join(' ');
}

const FINDS = /^(?:find|fd|fdfind|bfs)$/;
const RUNS = /^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?(?:=.*)?)$/;
/** They take names from what comes before them in a pipe. */
const TAKES_NAMES = /^(?:xargs|parallel|read|mapfile|readarray|cpio|tar|zip|rsync)$/;

/** They pack or change all that is below a directory. */
const TAKES_TREES = /^(?:zip|ditto|7z[az]?|gzip|zstd|chmod|chown|chgrp|setfacl)$/;

/** Directories that the call reads with all that is below them. */
function startsOf({ name, words, files }: Reading, readings: readonly Reading[]): readonly string[] {
  if (FINDS.test(name)) {
    // Names alone show nothing of what is in the files.
    const isRead =
      words.some((word) => RUNS.test(word)) || readings.some((other) => TAKES_NAMES.test(other.name));
    return isRead && !looksElsewhere(words) ? startsOfSearch(name, words) : [];
  }
  const isWhole = files.recursive || TAKES_TREES.test(name);
  return isWhole
    ? files.uses.flatMap(({ word, below }) => (files.recursive || below === 'existing' ? [word] : []))
    : [];
}

/** Endings of names that no file of hookd has. */
const OF_OTHERS =
  /^[\w*?-]*\.(?:md|txt|[cm]?[jt]sx?|py|rb|go|rs|c|h|cc|cpp|hpp|java|kt|html?|css|scss|vue|svg|png|jpe?g|pdf|csv)$/;

const ACTS = /^-(?:(?:exec|ok)(?:dir)?|f?print.*|f?ls|delete)$/;
/** Its tests are then more than a row of which each must hold. */
const CHOOSES = /^(?:[!,()]|-not|-or?)$/;

/** Only names that end so come to what it does. */
function looksElsewhere(words: readonly string[]): boolean {
  const name = words.findIndex(
    (word, index) => /^-i?name$/.test(words[index - 1] ?? '') && OF_OTHERS.test(word),
  );
  return (
    name > 0 &&
    !words.some((word) => CHOOSES.test(word)) &&
    !words.slice(0, name).some((word) => ACTS.test(word))
  );
}

function startsOfSearch(name: string, words: readonly string[]): readonly string[] {
  // fd: a pattern, directories, and what it runs, in an order of their own.
  const named =
    name === 'find' ? startsOfFind(words) : words.slice(1).filter((word) => !word.startsWith('-'));
  return named.length > 0 ? named : ['.'];
}
