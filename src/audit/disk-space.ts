/** Free space where the log is written, and the two marks in it: below the upper one people are warned, below the floor nothing new begins. */
import { statfsSync } from 'node:fs';
import type { ChannelSettings } from './channel-settings.ts';
import type { DiskSpace } from './record-values.ts';
import { unavailable } from './segment.ts';

const MIB = 1024 * 1024;
/** The defaults, in bytes and as parts of the file system: a small one has to do with less. */
const LOW_WATER = { bytes: 256 * MIB, part: 1 / 10 };
const MARGIN = 1 / 20;
const FLOOR = { bytes: 16 * MIB, part: 1 / 100 };

/** Throws AUDIT_UNAVAILABLE where nobody can tell. */
export function diskSpace(directory: string, settings: ChannelSettings): DiskSpace {
  let stats: ReturnType<typeof statfsSync>;
  try {
    stats = statfsSync(directory);
  } catch (error) {
    throw unavailable('look at the free space of', directory, error);
  }
  const total = stats.blocks * stats.bsize;
  const free = stats.bavail * stats.bsize;
  const floor = settings.floorBytes ?? Math.min(FLOOR.bytes, Math.floor(total * FLOOR.part));
  const low_water = settings.lowWaterBytes ?? Math.min(LOW_WATER.bytes, Math.floor(total * LOW_WATER.part));
  const state = free < floor ? 'below_floor' : free < low_water ? 'low' : 'enough';
  return { state, directory, free, low_water, floor };
}

/** Tells each crossing of a mark once. */
export class SpaceWatch {
  #state: DiskSpace['state'] = 'enough';

  /** `onCrossed` is told before the new state counts: where it throws, the next look tells it again. */
  look(directory: string, settings: ChannelSettings, onCrossed: (space: DiskSpace) => void): DiskSpace {
    const space = diskSpace(directory, settings);
    // Near the mark it would otherwise be told again and again.
    const isBarelyEnough = space.state === 'enough' && space.free < space.low_water * (1 + MARGIN);
    if (space.state === this.#state || (isBarelyEnough && this.#state === 'low')) return space;
    onCrossed(space);
    this.#state = space.state;
    return space;
  }
}

/** For people. */
export function describeSpace({ state, directory, free, low_water, floor }: DiskSpace): string {
  const where = `${sizeWords(free)} are free where the audit log lies (${directory})`;
  if (state === 'enough') return `${where}: enough again.`;
  if (state === 'low')
    return `Only ${where}, less than audit.lowWater (${sizeWords(low_water)}). Below ${sizeWords(floor)} nothing runs any more.`;
  return `Only ${where}, less than audit.floor (${sizeWords(floor)}): nothing new begins until there is more.`;
}

function sizeWords(bytes: number): string {
  if (bytes >= 1024 * MIB) return `${(bytes / (1024 * MIB)).toFixed(1)} GiB`;
  if (bytes >= MIB) return `${(bytes / MIB).toFixed(1)} MiB`;
  return bytes >= 1024 ? `${Math.floor(bytes / 1024)} KiB` : `${bytes} bytes`;
}
