/** Writes to disks past their file systems, and to what the kernel takes for an order. */
import type { Place } from '../place.ts';
import type { Reading } from '../programs/reading.ts';
import type { Reach } from '../reach.ts';
import { pathsNamed } from '../shell/paths.ts';

/** A pattern counts like the names that it may stand for. */
const DISK =
  /^\/dev\/(?:[shv]d[a-z?*[]|xvd|dasd|nvme[\d?*[]|mmcblk|mtd(?:block)?\d|pmem\d|disk|block\/|dm-|mapper\/|md\/|md\d|loop\d|ram\d|zram\d|nbd\d|rbd|bcache|drbd|zvol|vg[^/]*\/|ubuntu-vg\/|root$|k?mem$|port$)/;

/** Programs that are given disks to empty or to lay out anew; with these words they only show them. */
const DISK_TOOLS =
  /^(?:wipefs|blkdiscard|[sc]?g?fdisk|s[fg]disk|cgdisk|parted|cryptsetup|dcfldd|dc3dd|badblocks|pvcreate|zpool)$/;
const ONLY_SHOWS: Readonly<Record<string, RegExp>> = {
  wipefs: /^(?:-[nJp]+|--(?:no-act|json|parsable))$/,
  fdisk: /^(?:-l|--list)$/,
  sfdisk: /^(?:-[dlJFV]|--(?:dump|list|json|list-free|verify))$/,
  sgdisk: /^(?:-[pivV]|--(?:print|info|verify))/,
  parted: /^(?:-l|--list|print)$/,
  cryptsetup: /^(?:luksDump|isLuks|luksUUID|status)$/,
};
/** With these they change it all the same. */
const CHANGES = /^(?:-[adgoznZ]+|--(?:all|zap|zap-all|clear|delete|new|mbrtogpt)|mk\w+|rm|resizepart)$/;

export const namesDisk = (word: string, cwds: readonly string[], place: Place): boolean =>
  DISK.test(word) || leadsTo(word, cwds, place, DISK);

const leadsTo = (word: string, cwds: readonly string[], place: Place, what: RegExp): boolean =>
  pathsNamed(word, cwds, place).some((path) => place.bothPaths(path).some((one) => what.test(one)));

export function writesDisk(words: readonly string[], { files, cwds }: Reading, place: Place): boolean {
  if (files.uses.some((use) => use.access === 'write' && namesDisk(use.word, cwds, place))) return true;
  const [name = '', ...args] = words;
  if (!DISK_TOOLS.test(name)) return false;
  const shows = ONLY_SHOWS[name];
  if (shows !== undefined && args.some((arg) => shows.test(arg)) && !args.some((arg) => CHANGES.test(arg)))
    return false;
  // Without an option wipefs and badblocks look.
  if (
    /^(?:wipefs|badblocks)$/.test(name) &&
    !args.some((arg) => /^-[a-z]*[aowfb]|^--(?:all|offset|force|backup)/.test(arg))
  )
    return false;
  return args.some((arg) => namesDisk(arg.replace(/^of=/, ''), cwds, place));
}

export const SYSRQ = '/proc/sysrq-trigger';

/** A letter written there restarts the machine at once. */
export const restartsAtOnce = (reach: Reach, place: Place): boolean =>
  reach.redirects.some(
    ({ writes, targets, cwds }) => writes && targets.some((target) => leadsTo(target, cwds, place, TRIGGER)),
  ) ||
  reach.readings.some(({ files, cwds }) =>
    files.uses.some(({ access, word }) => access === 'write' && leadsTo(word, cwds, place, TRIGGER)),
  );

const TRIGGER = /^\/proc\/sysrq-trigger$/;
