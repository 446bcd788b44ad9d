/**
 * The settings in force. A saved rule governs the very next call: `current()` looks at every file before it answers.
 * A broken file never loosens: its last good content stays in force until it is whole again. Nor does a change that
 * somebody may refuse, until they have agreed: of it only what tightens counts.
 */
import type { Workplace } from '../core/vocabulary.ts';
import { type CommandLine, type FlagSettings, readFlags } from './command-line.ts';
import { type ManagedScope, withDropIns } from './drop-ins.ts';
import { firstLook, type Layer, lookAgain } from './layer.ts';
import type { LoadedSettings } from './load.ts';
import { mergeSettings, type SettingsSnapshot } from './merge.ts';
import { isError, type SettingsProblem, worthReading } from './problem.ts';
import { locateSettings, type Whereabouts } from './scopes.ts';
import {
  type Answer,
  type ChangeReview,
  countedContents,
  type ProposedChange,
  type Refusal,
  reviewChanges,
  type Withheld,
  type WithheldFiles,
} from './withheld.ts';

export type SettingsEvent =
  | { readonly kind: 'loaded'; readonly snapshot: SettingsSnapshot }
  | {
      readonly kind: 'changed';
      readonly snapshot: SettingsSnapshot;
      readonly before: SettingsSnapshot;
      /** Files of which only what tightens counts so far. */
      readonly waiting: readonly string[];
    }
  /** A file was not put in force; told once for each content of it. */
  | { readonly kind: 'rejected'; readonly problems: readonly SettingsProblem[] }
  /** Somebody refused a new content of a file. The old one stays; deny and ask rules of the new one count as well. */
  | { readonly kind: 'refused'; readonly file: string; readonly refusal: Refusal };

export interface SettingsStoreOptions extends Whereabouts {
  readonly flags?: CommandLine;
  /**
   * Told before what it is told about is in force. When it throws (it could not be recorded), the error reaches the
   * caller, nothing changes, and the next call tries again.
   */
  readonly onEvent: (event: SettingsEvent) => void;
  /** Absent: every change is in force at once. */
  readonly review?: ChangeReview;
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
  readonly review: ChangeReview;
  readonly now: () => number;
}

const NOBODY: ChangeReview = { waitsFor: () => false, ask: () => Promise.resolve(undefined) };

/** A hook that changes the settings each time it is asked must not hold a call up for ever. */
const MOST_ROUNDS = 10;

export class SettingsStore {
  readonly #fixed: Fixed;
  #layers: readonly Layer[];
  #withheld: WithheldFiles = new Map();
  #counted: readonly LoadedSettings[];
  #snapshot: SettingsSnapshot;
  readonly #answers = new WeakMap<Withheld, Answer>();
  readonly #asking = new Set<Promise<void>>();

  private constructor(fixed: Fixed, layers: readonly Layer[], snapshot: SettingsSnapshot) {
    this.#fixed = fixed;
    this.#layers = layers;
    this.#counted = countedContents(layers, this.#withheld);
    this.#snapshot = snapshot;
  }

  static open(options: SettingsStoreOptions): OpenedSettings {
    const { flags = {}, onEvent, review = NOBODY, now = Date.now } = options;
    const located = locateSettings(options, flags);
    if (!located.ok) return located;
    const { workplace, places, managed, notices } = located;
    const readFlagsNow = readFlags(flags, workplace.cwd);
    const time = now();
    const looked = places.map((place) => firstLook(place, time));
    const problems = [...readFlagsNow.problems, ...looked.flatMap((look) => worthReading(look.problems))];
    if (problems.some(isError)) return { ok: false, problems };

    const fixed: Fixed = { workplace, managed, flags, readFlags: readFlagsNow, onEvent, review, now };
    const layers = looked.map(({ layer }) => layer);
    // Told once, at the start.
    const snapshot = snapshotOf(fixed, countedContents(layers, new Map()), notices);
    onEvent({ kind: 'loaded', snapshot });
    return { ok: true, store: new SettingsStore(fixed, layers, snapshot) };
  }

  /** The settings as they stand on the disk at this moment, or the last good ones of a file that is broken. */
  current(): SettingsSnapshot {
    const { now, onEvent, managed, review } = this.#fixed;
    const time = now();
    this.#layers = withDropIns(this.#layers, managed);
    const looked = this.#layers.map((layer) => lookAgain(layer, time));
    const found = looked.map(({ layer }) => layer);
    const problems = looked.flatMap((look) => worthReading(look.problems));
    if (problems.length > 0) onEvent({ kind: 'rejected', problems });

    const { withheld, changes, refusals } = reviewChanges({
      ...{ before: this.#snapshot, withheld: this.#withheld, old: this.#layers, found },
      waitsFor: review.waitsFor,
      answerTo: (one) => this.#answers.get(one),
    });
    for (const refusal of refusals) onEvent({ kind: 'refused', ...refusal });
    this.#keepToldOf(found, withheld);
    const counted = countedContents(found, withheld);
    if (!isSameList(counted, this.#counted)) {
      const snapshot = snapshotOf(this.#fixed, counted);
      const waiting = [...withheld].flatMap(([file, { isRefused }]) => (isRefused ? [] : [file]));
      onEvent({ kind: 'changed', snapshot, before: this.#snapshot, waiting });
      this.#counted = counted;
      this.#snapshot = snapshot;
    }
    this.#layers = found;
    this.#withheld = withheld;
    for (const { change, withheld: one } of changes) this.#ask(change, one);
    return this.#snapshot;
  }

  /** What counts of each file, as of the last look; the highest precedence first. */
  get contents(): readonly LoadedSettings[] {
    return this.#counted;
  }

  /**
   * Waits for those who are asked about changes: afterwards what was saved is in force, or refused. Returns early when
   * `signal` aborts.
   */
  async settle(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.current();
      if (this.#asking.size === 0 || signal.aborted) return;
      await orAborted(Promise.all(this.#asking), signal);
    }
  }

  /** What is told may not be told again when what follows fails and is tried again. */
  #keepToldOf(found: readonly Layer[], withheld: WithheldFiles): void {
    this.#layers = this.#layers.map((layer, index) => {
      const after = found[index];
      return after !== undefined && after.inForce === layer.inForce ? after : layer;
    });
    const refused = [...withheld].filter(([file, { isRefused }]) => isRefused && this.#withheld.has(file));
    if (refused.length > 0) this.#withheld = new Map([...this.#withheld, ...refused]);
  }

  #ask(change: ProposedChange, withheld: Withheld | undefined): void {
    const asked = this.#fixed.review
      .ask(change)
      .then(
        (refusal): Answer => (refusal === undefined ? { kind: 'agreed' } : { kind: 'refused', refusal }),
        (): Answer => ({ kind: 'failed' }),
      )
      .then((answer) => {
        if (withheld === undefined) return;
        this.#answers.set(withheld, answer);
        this.#asking.delete(asked);
      });
    if (withheld !== undefined) this.#asking.add(asked);
  }
}

function isSameList(one: readonly LoadedSettings[], other: readonly LoadedSettings[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: done.signal });
  });
  await Promise.race([work, aborted]).finally(() => done.abort());
}

function snapshotOf(
  { workplace, flags, readFlags }: Fixed,
  loaded: readonly LoadedSettings[],
  notices: readonly string[] = [],
): SettingsSnapshot {
  return mergeSettings({ workplace, loaded, flags, readFlags, notices });
}
