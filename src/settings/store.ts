/**
 * The settings in force. A saved rule governs the very next call: `current()` looks at every file before it answers.
 * A broken file never loosens: its last good content stays in force until it is whole again.
 */
import type { Workplace } from '../core/vocabulary.ts';
import { type CommandLine, type FlagSettings, readFlags } from './command-line.ts';
import { type ManagedScope, withDropIns } from './drop-ins.ts';
import { firstLook, type Layer, lookAgain } from './layer.ts';
import { mergeSettings, type SettingsSnapshot } from './merge.ts';
import { isError, type SettingsProblem, worthReading } from './problem.ts';
import { locateSettings, type Whereabouts } from './scopes.ts';

export type SettingsEvent =
  | { readonly kind: 'loaded'; readonly snapshot: SettingsSnapshot }
  | { readonly kind: 'changed'; readonly snapshot: SettingsSnapshot; readonly before: SettingsSnapshot }
  /** A file was not put in force; told once for each content of it. */
  | { readonly kind: 'rejected'; readonly problems: readonly SettingsProblem[] };

export interface SettingsStoreOptions extends Whereabouts {
  readonly flags?: CommandLine;
  /**
   * Told before what it is told about is in force. When it throws (it could not be recorded), the error reaches the
   * caller, nothing changes, and the next call tries again.
   */
  readonly onEvent: (event: SettingsEvent) => void;
  /** The wall clock, in ms. */
  readonly now?: () => number;
}

export type OpenedSettings =
  | { readonly ok: true; readonly store: SettingsStore }
  /** Everything that is wrong in all files, warnings too. */
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

interface Fixed {
  readonly workplace: Workplace;
  readonly managed: ManagedScope;
  readonly flags: CommandLine;
  readonly readFlags: FlagSettings;
  readonly onEvent: (event: SettingsEvent) => void;
  readonly now: () => number;
}

export class SettingsStore {
  readonly #fixed: Fixed;
  #layers: readonly Layer[];
  #snapshot: SettingsSnapshot;

  private constructor(fixed: Fixed, layers: readonly Layer[], snapshot: SettingsSnapshot) {
    this.#fixed = fixed;
    this.#layers = layers;
    this.#snapshot = snapshot;
  }

  static open(options: SettingsStoreOptions): OpenedSettings {
    const { flags = {}, onEvent, now = Date.now } = options;
    const located = locateSettings(options, flags);
    if (!located.ok) return located;
    const { workplace, places, managed, notices } = located;
    const readFlagsNow = readFlags(flags, workplace.cwd);
    const time = now();
    const looked = places.map((place) => firstLook(place, time));
    const problems = [...readFlagsNow.problems, ...looked.flatMap((look) => worthReading(look.problems))];
    if (problems.some(isError)) return { ok: false, problems };

    const fixed: Fixed = { workplace, managed, flags, readFlags: readFlagsNow, onEvent, now };
    const layers = looked.map(({ layer }) => layer);
    // Told once, at the start.
    const snapshot = snapshotOf(fixed, layers, notices);
    onEvent({ kind: 'loaded', snapshot });
    return { ok: true, store: new SettingsStore(fixed, layers, snapshot) };
  }

  /** The settings as they stand on the disk at this moment, or the last good ones of a file that is broken. */
  current(): SettingsSnapshot {
    const { now, onEvent, managed } = this.#fixed;
    const time = now();
    this.#layers = withDropIns(this.#layers, managed);
    const looked = this.#layers.map((layer) => lookAgain(layer, time));
    const next = looked.map(({ layer }) => layer);
    const isInForce = (layer: Layer, index: number): boolean =>
      layer.inForce === this.#layers[index]?.inForce;

    const problems = looked.flatMap((look) => worthReading(look.problems));
    if (problems.length > 0) onEvent({ kind: 'rejected', problems });
    if (next.every(isInForce)) {
      this.#layers = next;
      return this.#snapshot;
    }
    // The refusals are told; what follows may still fail and must then be tried again without telling them twice.
    this.#layers = this.#layers.map((layer, index) => {
      const after = next[index];
      return after !== undefined && isInForce(after, index) ? after : layer;
    });
    const snapshot = snapshotOf(this.#fixed, next);
    onEvent({ kind: 'changed', snapshot, before: this.#snapshot });
    this.#layers = next;
    this.#snapshot = snapshot;
    return snapshot;
  }
}

function snapshotOf(
  { workplace, flags, readFlags }: Fixed,
  layers: readonly Layer[],
  notices: readonly string[] = [],
): SettingsSnapshot {
  const loaded = layers.flatMap(({ inForce }) => (inForce === undefined ? [] : [inForce]));
  return mergeSettings({ workplace, loaded, flags, readFlags, notices });
}
