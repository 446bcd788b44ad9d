/**
 * The settings in force. A saved rule governs the very next call: `current()` looks at every file before it answers.
 * A broken file never loosens: its last good content stays in force until it is whole again. Nor does a change that
 * somebody may refuse, until they have agreed: of it only what tightens counts.
 */
import type { PermissionMode } from '../core/vocabulary.ts';
import { type CommandLine, readFlags } from './command-line.ts';
import type { ManagedScope } from './drop-ins.ts';
import { hold, waitingByFile } from './holding.ts';
import { firstLook, type Layer } from './layer.ts';
import type { LoadedSettings } from './load.ts';
import type { SettingsSnapshot } from './merge.ts';
import { lookAtAll } from './one-moment.ts';
import { isError, type SettingsProblem, worthReading } from './problem.ts';
import { Questions } from './questions.ts';
import { locateSettings, type Whereabouts } from './scopes.ts';
import type { SettingsEvent } from './settings-event.ts';
import { type PolicyInputs, snapshotOf, withMode } from './snapshot.ts';
import { isStill, type Stillness, stillnessAfter } from './stillness.ts';
import type { Trust } from './trust-file.ts';
import {
  type ChangeReview,
  countedContents,
  reviewChanges,
  type WithheldFiles,
  waitingIn,
} from './withheld.ts';

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

interface Fixed extends PolicyInputs {
  readonly managed: ManagedScope;
  readonly onEvent: (event: SettingsEvent) => void;
  readonly review: ChangeReview;
  readonly now: () => number;
}

const NOBODY: ChangeReview = { waitsFor: () => false, ask: () => Promise.resolve(undefined) };

/** A hook that changes the settings each time it is asked must not hold a call up for ever. */
const MOST_ROUNDS = 10;

export class SettingsStore {
  /** Only the mode among the flags ever changes. */
  #fixed: Fixed;
  #layers: readonly Layer[];
  #withheld: WithheldFiles = new Map();
  #counted: readonly LoadedSettings[];
  #snapshot: SettingsSnapshot;
  #trust: Trust;
  /** How many tool calls run: what changes meanwhile may be their doing. */
  #calls = 0;
  #isSuspect = false;
  /** Set after a look that another one would only repeat. */
  #stillness: Stillness | undefined;
  readonly #questions: Questions;

  private constructor(fixed: Fixed, layers: readonly Layer[], trust: Trust, snapshot: SettingsSnapshot) {
    this.#fixed = fixed;
    this.#questions = new Questions(fixed.review);
    this.#layers = layers;
    this.#trust = trust;
    this.#counted = countedContents(layers, this.#withheld);
    this.#snapshot = snapshot;
  }

  static open(options: SettingsStoreOptions): OpenedSettings {
    const { flags = {}, onEvent, review = NOBODY, now = Date.now } = options;
    const located = locateSettings(options, flags);
    if (!located.ok) return located;
    const { workplace, places, managed, state, trust, notices } = located;
    const readFlagsNow = readFlags(flags, workplace.cwd);
    const time = now();
    const looked = places.map((place) => firstLook(place, time));
    const problems = [...readFlagsNow.problems, ...looked.flatMap((look) => worthReading(look.problems))];
    if (problems.some(isError)) return { ok: false, problems };

    const readFlagsOnce = { flags, readFlags: readFlagsNow };
    const fixed: Fixed = { workplace, managed, state, ...readFlagsOnce, onEvent, review, now };
    const layers = looked.map(({ layer }) => hold(layer, layer, undefined, state, false));
    // The notices are told once, at the start.
    const snapshot = snapshotOf(fixed, layers, countedContents(layers, new Map()), trust, notices);
    onEvent({ kind: 'loaded', snapshot });
    return { ok: true, store: new SettingsStore(fixed, layers, trust, snapshot) };
  }

  /** The settings as they stand on the disk at this moment, or the last good ones of a file that is broken. */
  current(): SettingsSnapshot {
    if (this.#stillness === undefined || !isStill(this.#stillness)) this.#look();
    this.#isSuspect = false;
    return this.#snapshot;
  }

  #look(): void {
    this.#stillness = undefined;
    const { now, onEvent, managed, state, workplace, flags, review } = this.#fixed;
    const time = now();
    const known = { layers: this.#layers, withheld: this.#withheld, managed, state };
    const trustProject = flags.trustProject === true;
    const { trust, judged, looked, ...anew } = lookAtAll(
      { ...known, project: workplace.project, trustProject },
      time,
    );
    this.#layers = anew.layers;
    this.#withheld = anew.withheld;
    const isSuspect = this.#calls > 0 || this.#isSuspect;
    const found = looked.map(({ layer }, index) =>
      hold(
        this.#layers[index] ?? layer,
        layer,
        this.#withheld.get(layer.place.origin.file),
        state,
        isSuspect,
      ),
    );
    const problems = [...judged, ...looked].flatMap((look) => worthReading(look.problems));
    if (problems.length > 0) onEvent({ kind: 'rejected', problems });

    const { withheld, changes, refusals } = reviewChanges({
      ...{ before: this.#snapshot, withheld: this.#withheld, old: this.#layers, found },
      waitsFor: review.waitsFor,
      answerTo: (one) => this.#questions.answerTo(one),
    });
    for (const refusal of refusals) onEvent({ kind: 'refused', ...refusal });
    this.#keepToldOf(found, withheld);
    const counted = countedContents(found, withheld);
    if (!isSameList(counted, this.#counted) || textOf(trust) !== textOf(this.#trust)) {
      const snapshot = snapshotOf(this.#fixed, found, counted, trust);
      onEvent({ kind: 'changed', snapshot, before: this.#snapshot, waiting: waitingIn(withheld) });
      this.#counted = counted;
      this.#snapshot = snapshot;
    }
    this.#layers = found;
    this.#withheld = withheld;
    this.#trust = trust;
    for (const { change, withheld: one } of changes) this.#questions.ask(change, one);
    const isAtRest = withheld.size === 0 && problems.length === 0 && this.#questions.areAnswered;
    if (isAtRest) this.#stillness = stillnessAfter({ layers: found, managed, state, trust }, time);
  }

  /**
   * Another mode, as if a flag had chosen it. Returns the settings as they would be with it. In force, and told as any
   * change (`isChosen` first), only if they let it be: whoever chose a stricter mode has the last word.
   */
  chooseMode(mode: PermissionMode, isChosen: (before: PermissionMode) => void): SettingsSnapshot {
    const before = this.current();
    const fixed = { ...this.#fixed, ...withMode(this.#fixed, mode) };
    const snapshot = snapshotOf(fixed, this.#layers, this.#counted, this.#trust);
    if (snapshot.permissions.mode !== mode || before.permissions.mode === mode) return snapshot;
    isChosen(before.permissions.mode);
    this.#fixed.onEvent({ kind: 'changed', snapshot, before, waiting: waitingIn(this.#withheld) });
    this.#fixed = fixed;
    this.#snapshot = snapshot;
    return snapshot;
  }

  /** As of the last look. */
  get latest(): SettingsSnapshot {
    return this.#snapshot;
  }

  /** What counts of each file, as of the last look; the highest precedence first. */
  get contents(): readonly LoadedSettings[] {
    return this.#counted;
  }

  /** As of the last look: the files of which something waits for a person, and what. */
  get waiting(): ReadonlyMap<string, string> {
    return waitingByFile(this.#layers);
  }

  /** The files that a session here reads, whether they exist or not. */
  get files(): readonly string[] {
    return this.#layers.flatMap(({ place }) => (place.kind === 'file' ? [place.origin.file] : []));
  }

  /** True while a file is missing that was there: whether it is gone for good shows in a moment. */
  get awaitsFile(): boolean {
    return this.#layers.some(({ missingSince }) => missingSince !== undefined);
  }

  /** As of the last look: what the project's files loosen counts, and its hooks run. */
  get trustsProject(): boolean {
    return this.#fixed.flags.trustProject === true || this.#trust.kind === 'trusted';
  }

  /**
   * Waits for those who are asked about changes: what it returns has what was saved in force, or refused. Returns early
   * when `signal` aborts.
   */
  async settle(signal: AbortSignal): Promise<SettingsSnapshot> {
    for (let round = 1; ; round++) {
      const snapshot = this.current();
      if (this.#questions.areAnswered || signal.aborted || round > MOST_ROUNDS) return snapshot;
      await this.#questions.answered(signal);
    }
  }

  /**
   * Runs a tool call. What changes in a settings file of the project until it has ended only tightens, until a person
   * accepts it. Throws what `run` throws, or what the look before it could not record.
   */
  async duringCall<Result>(run: () => Promise<Result>): Promise<Result> {
    this.current();
    this.#calls += 1;
    try {
      return await run();
    } finally {
      this.#isSuspect = true;
      try {
        this.current();
      } catch {
        // What could not be recorded is tried again by the next look, as suspect as now; what ran has run.
      }
      this.#calls -= 1;
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
}

function isSameList(one: readonly LoadedSettings[], other: readonly LoadedSettings[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
const textOf = (trust: Trust): string | undefined => (trust.kind === 'trusted' ? trust.text : undefined);
