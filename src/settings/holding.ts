/**
 * Settings files that the agent's calls can reach: what changed in one while a call ran only tightens, until a person has
 * accepted it. The change itself may be anybody's; that nobody can tell is the reason to ask.
 */
import { type Held, heldPath, readHeld, removeHeld, writeHeld } from './held-file.ts';
import { type HeldBack, holdBack } from './hold-back.ts';
import type { Layer } from './layer.ts';
import { type LoadedSettings, loadSettings } from './load.ts';
import { type SettingsSource, sourceFrom } from './merge.ts';
import { isOfProject, type SettingsOrigin } from './origin.ts';
import type { ProjectState } from './project-state.ts';
import type { Trust } from './trust-file.ts';

/** The content that a person last accepted. */
export interface Accepted {
  /** Null: no file. */
  readonly text: string | null;
  /** False where it could not be written down: then it holds for this session only. */
  readonly isOnDisk: boolean;
}

/**
 * `after`: what was just looked at. `withheld`: what counted before in place of what was there, where somebody else had
 * not agreed to that. `isSuspect`: it may have changed while a tool call ran.
 */
export function hold(
  before: Layer,
  after: Layer,
  withheld: { readonly kept: LoadedSettings | undefined } | undefined,
  state: ProjectState,
  isSuspect: boolean,
): Layer {
  const { origin } = after.place;
  if (!isOfProject(origin)) return after;
  const accepted = acceptedNow(after.accepted, readHeld(state, origin.file));
  const hasChanged = before.inForce?.sha256 !== after.inForce?.sha256 || isGone(before) !== isGone(after);
  // What cannot be used yet says something else when it can: nobody may have looked at the rest of it.
  const isBroken = after.refused !== undefined;
  const broke = isBroken && before.refused !== after.refused;
  if (accepted === undefined) {
    if (!isSuspect || !(hasChanged || broke)) return withAccepted(after, undefined);
    const text = (withheld === undefined ? before.inForce : withheld.kept)?.text ?? null;
    return !isBroken && waitingIn(origin, text, contentOf(after)).length === 0
      ? after
      : withAccepted(after, { text, isOnDisk: written(state, { file: origin.file, accepted: text }) });
  }
  const isNew = accepted !== before.accepted || hasChanged || before.refused !== after.refused;
  if (
    isNew &&
    !isBroken &&
    !isGone(after) &&
    waitingIn(origin, accepted.text, contentOf(after)).length === 0
  ) {
    removeHeld(state, origin.file);
    return withAccepted(after, undefined);
  }
  return withAccepted(after, accepted);
}

/** An entry that is gone from the disk was accepted by a person. */
function acceptedNow(known: Accepted | undefined, onDisk: Held | undefined): Accepted | undefined {
  if (onDisk === undefined) return known?.isOnDisk === true ? undefined : known;
  return known?.isOnDisk === true && known.text === onDisk.accepted
    ? known
    : { text: onDisk.accepted, isOnDisk: true };
}

function withAccepted(layer: Layer, accepted: Accepted | undefined): Layer {
  return layer.accepted === accepted ? layer : { ...layer, accepted };
}

const isGone = (layer: Layer): boolean => layer.missingSince !== undefined;

const contentOf = (layer: Layer): string | null => (isGone(layer) ? null : (layer.inForce?.text ?? null));

function written(state: ProjectState, held: Held): boolean {
  try {
    writeHeld(state, held);
    return true;
  } catch {
    return false;
  }
}

/** What of a change waits, as if the project were trusted: it may be later. */
export function waitingIn(
  origin: SettingsOrigin,
  accepted: string | null,
  found: string | null,
): readonly string[] {
  if (accepted === found) return [];
  const trusted = { ...origin, isTrusted: true };
  const now = loadedAs(trusted, found);
  if (found !== null && now === undefined) return ['settings that have errors'];
  return holdBack(loadedAs(trusted, accepted), now).waiting;
}

/** Undefined where there is no file, or it has errors. */
export function loadedAs(origin: SettingsOrigin, text: string | null): LoadedSettings | undefined {
  if (text === null) return undefined;
  const result = loadSettings(origin, Buffer.from(text), 'start');
  return result.ok ? result.loaded : undefined;
}

/** What counts of one content of the layer's file: all of it, less what waits. The same object while nothing changes. */
export function countedOf(
  { place, accepted }: Layer,
  found: LoadedSettings | undefined,
): LoadedSettings | undefined {
  return accepted === undefined ? found : heldBackOf(accepted, place.origin, found).loaded;
}

/** What waits, for a person; none where nothing does. */
export function waitingOf({ place, accepted, inForce }: Layer): readonly string[] {
  if (accepted === undefined) return [];
  const { waiting } = heldBackOf(accepted, place.origin, inForce);
  return waiting.length === 0 ? [] : [notice(place.origin.file, waiting)];
}

/** The files of which something waits for a person, each with what, for people. */
export function waitingByFile(layers: readonly Layer[]): ReadonlyMap<string, string> {
  return new Map(
    layers.flatMap((layer) => waitingOf(layer).map((text) => [layer.place.origin.file, text] as const)),
  );
}

/** Why what such a file adds does not count yet. */
export const WAITS =
  'the file changed while a tool call ran: what it loosens waits for "hookd settings accept"';

/** Decisions of a person that the policy depends on: who looks into it later must know them. */
export function decisionsOf(
  layers: readonly Layer[],
  state: ProjectState,
  trust: Trust,
): readonly SettingsSource[] {
  return [
    ...(trust.kind === 'trusted' ? [sourceFrom('user', state.trust, trust.text)] : []),
    ...layers.flatMap(({ place, accepted }) => {
      if (accepted === undefined) return [];
      return [sourceFrom('user', heldPath(state, place.origin.file), accepted.text ?? 'null')];
    }),
  ];
}

interface Known {
  readonly isTrusted: boolean;
  readonly found: LoadedSettings | undefined;
  readonly result: HeldBack;
}

/** More contents of one file do not count at once. */
const MOST_KNOWN = 4;

const known = new WeakMap<Accepted, readonly Known[]>();

function heldBackOf(accepted: Accepted, origin: SettingsOrigin, found: LoadedSettings | undefined): HeldBack {
  const { isTrusted } = origin;
  const results = known.get(accepted) ?? [];
  const last = results.find((one) => one.found === found && one.isTrusted === isTrusted);
  if (last !== undefined) return last.result;
  const result = holdBack(loadedAs(origin, accepted.text), found);
  known.set(accepted, [{ isTrusted, found, result }, ...results].slice(0, MOST_KNOWN));
  return result;
}

const MOST_NAMED = 10;

function notice(file: string, waiting: readonly string[]): string {
  const more = waiting.length - MOST_NAMED;
  const named = [...waiting.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return `${file}: it changed while a tool call ran, so what it loosens waits for you: ${named}. Take it over with: hookd settings accept`;
}
