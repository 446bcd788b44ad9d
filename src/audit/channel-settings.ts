/**
 * How the channel is set: what user, command line and managed settings may say about it. Nothing here switches it off,
 * moves it or thins it.
 */

/** As written: sizes in MiB. What is absent has its default. */
export interface AuditSettings {
  readonly lowWater?: number;
  readonly floor?: number;
  readonly rotateSize?: number;
  readonly rotateDaily?: boolean;
  readonly checkpointEvery?: number;
}

export interface ChannelSettings {
  /** Free bytes on the file system of the log; undefined: the default, which depends on its size. */
  readonly lowWaterBytes: number | undefined;
  readonly floorBytes: number | undefined;
  readonly rotateBytes: number;
  readonly rotateDaily: boolean;
  /** Records. */
  readonly checkpointEvery: number;
}

const MIB = 1024 * 1024;

/** In force until settings have been read. */
export const CHANNEL_DEFAULTS: ChannelSettings = Object.freeze({
  lowWaterBytes: undefined,
  floorBytes: undefined,
  rotateBytes: 64 * MIB,
  rotateDaily: true,
  checkpointEvery: 1000,
});

/** `given` with the highest precedence first: it decides each value. */
export function channelSettings(given: readonly AuditSettings[]): ChannelSettings {
  const first = <Key extends keyof AuditSettings>(key: Key): AuditSettings[Key] | undefined =>
    given.find((settings) => settings[key] !== undefined)?.[key];
  const inBytes = (mib: number | undefined) => (mib === undefined ? undefined : mib * MIB);
  return {
    lowWaterBytes: inBytes(first('lowWater')),
    floorBytes: inBytes(first('floor')),
    rotateBytes: inBytes(first('rotateSize')) ?? CHANNEL_DEFAULTS.rotateBytes,
    rotateDaily: first('rotateDaily') ?? CHANNEL_DEFAULTS.rotateDaily,
    checkpointEvery: first('checkpointEvery') ?? CHANNEL_DEFAULTS.checkpointEvery,
  };
}
