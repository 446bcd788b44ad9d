/**
 * How the channel is set: what user, command line and managed settings may say about it. Nothing here switches it off,
 * moves it or thins it.
 */
import { resolve } from 'node:path';
import type { TokenPattern } from './token-pattern.ts';

export type SinkSettings =
  | { readonly type: 'file'; readonly path: string; readonly required: boolean }
  /** Without `args` the command goes to a shell; with `args` it is an executable. */
  | {
      readonly type: 'command';
      readonly command: string;
      readonly args?: readonly string[];
      readonly required: boolean;
    };

/** As written: sizes in MiB, times in seconds. What is absent has its default. */
export interface AuditSettings {
  readonly lowWater?: number;
  readonly floor?: number;
  readonly rotateSize?: number;
  readonly rotateDaily?: boolean;
  readonly checkpointEvery?: number;
  readonly keepDays?: number;
  readonly keepChains?: number;
  readonly sinkTimeout?: number;
  readonly sinks?: readonly SinkSettings[];
  readonly redact?: readonly TokenPattern[];
}

export interface ChannelSettings {
  /** Free bytes on the file system of the log; undefined: the default, which depends on its size. */
  readonly lowWaterBytes: number | undefined;
  readonly floorBytes: number | undefined;
  readonly rotateBytes: number;
  readonly rotateDaily: boolean;
  /** Records. */
  readonly checkpointEvery: number;
  /** Undefined: nothing is ever removed. */
  readonly keepDays: number | undefined;
  readonly keepChains: number | undefined;
  /** How long a barrier waits for required sinks. */
  readonly sinkTimeoutMs: number;
  readonly sinks: readonly SinkSettings[];
  /** Shapes of tokens to mask besides the known ones. */
  readonly redact: readonly TokenPattern[];
}

const MIB = 1024 * 1024;

/** In force until settings have been read. */
export const CHANNEL_DEFAULTS: ChannelSettings = Object.freeze({
  lowWaterBytes: undefined,
  floorBytes: undefined,
  rotateBytes: 64 * MIB,
  rotateDaily: true,
  checkpointEvery: 1000,
  keepDays: undefined,
  keepChains: undefined,
  sinkTimeoutMs: 10_000,
  sinks: [],
  redact: [],
});

/**
 * `given` with the highest precedence first: it decides each value; the sinks and the shapes of tokens of all are joined. `home` is what `~`
 * stands for.
 */
export function channelSettings(given: readonly AuditSettings[], home: string): ChannelSettings {
  const first = <Key extends keyof AuditSettings>(key: Key): AuditSettings[Key] | undefined =>
    given.find((settings) => settings[key] !== undefined)?.[key];
  const seconds = first('sinkTimeout');
  const inBytes = (mib: number | undefined) => (mib === undefined ? undefined : mib * MIB);
  return {
    lowWaterBytes: inBytes(first('lowWater')),
    floorBytes: inBytes(first('floor')),
    rotateBytes: inBytes(first('rotateSize')) ?? CHANNEL_DEFAULTS.rotateBytes,
    rotateDaily: first('rotateDaily') ?? CHANNEL_DEFAULTS.rotateDaily,
    checkpointEvery: first('checkpointEvery') ?? CHANNEL_DEFAULTS.checkpointEvery,
    keepDays: first('keepDays'),
    keepChains: first('keepChains'),
    sinkTimeoutMs: seconds === undefined ? CHANNEL_DEFAULTS.sinkTimeoutMs : seconds * 1000,
    sinks: joinSinks(given.flatMap(({ sinks }) => sinks ?? []).map((sink) => atHome(sink, home))),
    redact: given.flatMap(({ redact }) => redact ?? []),
  };
}

function atHome(sink: SinkSettings, home: string): SinkSettings {
  return sink.type === 'file' ? { ...sink, path: resolve(sink.path.replace(/^~(?=\/)/, () => home)) } : sink;
}

/** The same place once; required where anybody says so. */
export function joinSinks(sinks: readonly SinkSettings[]): readonly SinkSettings[] {
  const byName = new Map<string, SinkSettings>();
  for (const sink of sinks) {
    const name = sinkName(sink);
    const required = sink.required || byName.get(name)?.required === true;
    byName.set(name, { ...sink, required });
  }
  return [...byName.values()];
}

/** Names a sink for people and tells it from others. */
export function sinkName(sink: SinkSettings): string {
  if (sink.type === 'file') return sink.path;
  return sink.args === undefined ? sink.command : [sink.command, ...sink.args].join(' ');
}
