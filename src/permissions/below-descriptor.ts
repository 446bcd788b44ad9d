/** What a command names below an open descriptor, and the directories that it opens as one. */
import { coveredBelow } from './below-directory.ts';
import type { Understood } from './command-restriction.ts';
import type { Place } from './place.ts';
import { piecesOf } from './programs/file-uses.ts';
import { leadsThroughProcess } from './programs/process-links.ts';
import type { Reach } from './reach.ts';
import { pathsNamed } from './shell/paths.ts';

/** The first word that leads through a link of the process: nobody can say where to. */
export function namedThroughProcess({ readings, redirects }: Reach): string | undefined {
  for (const { words, cwds } of readings) {
    for (const word of words)
      if (leadsThroughProcess(word, cwds) || (MENTIONS.test(word) && leadsInside(word, cwds))) return word;
  }
  return redirects.find(({ targets, cwds }) => targets.some((target) => leadsThroughProcess(target, cwds)))
    ?.text;
}

/** It is part of the word only: `if=/dev/fd/3/x`. */
const MENTIONS = /[^/]\/+(?:dev|proc|[^/]*[*?[])/;

const leadsInside = (word: string, cwds: readonly string[]): boolean =>
  piecesOf(word).some((piece) => piece.startsWith('/') && leadsThroughProcess(piece, cwds));

/** A directory that is opened as a descriptor, `exec 3<.`, and below which a rule may be about something. */
export function openedDirectory(understood: Understood): string | undefined {
  const { permissions, place, reach } = understood;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  return openedBy(reach, place, (path) =>
    lists.some((list) =>
      (['read', 'write'] as const).some(
        (access) => coveredBelow(understood, list, access, path).kind !== 'free',
      ),
    ),
  );
}

/** The same for a directory that holds hookd's own. */
export const opensHookdHome = (reach: Reach, place: Place): string | undefined =>
  openedBy(reach, place, (path) => place.holdsHookdHome(path));

function openedBy(
  { redirects }: Reach,
  place: Place,
  isMeant: (path: string) => boolean,
): string | undefined {
  return redirects.find(
    ({ writes, targets, cwds }) =>
      !writes &&
      targets.some((target) =>
        pathsNamed(target, cwds, place).some((path) => place.isDirectory(path) && isMeant(path)),
      ),
  )?.text;
}
