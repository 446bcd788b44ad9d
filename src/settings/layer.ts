/**
 * One settings file over the life of a session: what of it is in force, and what was last seen of it.
 * A layer is a value; looking again gives the next one, and the store decides whether that becomes current.
 */
import type { Accepted } from './holding.ts';
import { type LoadedSettings, loadSettings, sha256 } from './load.ts';
import { ADVICE, whyNotGuarded } from './managed.ts';
import { isOfProject } from './origin.ts';
import type { SettingsProblem } from './problem.ts';
import { type FileContent, type FileState, lookAt, readWhole } from './read-file.ts';
import type { SettingsPlace } from './scopes.ts';

export interface Layer {
  readonly place: SettingsPlace;
  /** The last good content; `undefined` where there is no file. */
  readonly inForce: LoadedSettings | undefined;
  /** The state of the file whose content is known, when `stat` alone can tell that it did not change since. */
  readonly known: string | undefined;
  /** What was refused last, so that it is reported once. */
  readonly refused: string | undefined;
  /** When the file was first found missing, in ms; it may be an editor in the middle of a save. */
  readonly missingSince: number | undefined;
  /** Set while what the file loosens waits for a person. */
  readonly accepted: Accepted | undefined;
}

export interface Looked {
  readonly layer: Layer;
  /** Why what stands there now is not put in force; empty when there is nothing new to say. */
  readonly problems: readonly SettingsProblem[];
}

/** How long a file that was loaded may be gone before that counts. */
export const GRACE_MS = 2000;

/** The first look, at a session's start: any problem that is an error keeps the session from starting. */
export function firstLook(place: SettingsPlace, now: number): Looked {
  const none = unseen(place);
  if (place.kind === 'inline') return taken(none, Buffer.from(place.text), 'start');
  const unguarded = whyUnguarded(place);
  if (unguarded !== undefined) return { layer: none, problems: [unguarded] };
  const content = readWhole(place.origin.file);
  if (content.kind === 'content') {
    return taken({ ...none, known: knownBy(content.state, now) }, content.bytes, 'start');
  }
  const why = whyNotUsable(place, content);
  return { layer: none, problems: why === undefined ? [] : [unusable(place, why)] };
}

/** Of a file that was not there before: looking again is the first look at it. */
export function unseen(place: SettingsPlace): Layer {
  const nothing = { inForce: undefined, known: undefined, refused: undefined, missingSince: undefined };
  return { place, ...nothing, accepted: undefined };
}

/** Looks again while the session runs. The same layer comes back when nothing changed. */
export function lookAgain(layer: Layer, now: number): Looked {
  const { place } = layer;
  if (place.kind === 'inline') return { layer, problems: [] };
  const unguarded = whyUnguarded(place);
  if (unguarded !== undefined) return refused({ ...layer, known: undefined }, unguarded.message, [unguarded]);
  const state = lookAt(place.origin.file);
  const isUnchanged =
    state.kind === 'present' && layer.known === state.fingerprint && layer.missingSince === undefined;
  if (isUnchanged) return { layer, problems: [] };
  const content = state.kind === 'present' ? readWhole(place.origin.file) : state;
  if (content.kind === 'missing') return missing(layer, content, now);
  const found: Layer = { ...layer, known: undefined, missingSince: undefined };
  if (content.kind === 'unreadable') return refused(found, content.why, [unusable(place, content.why)]);

  const seen: Layer = { ...found, known: knownBy(content.state, now) };
  const digest = sha256(content.bytes);
  if (digest === layer.inForce?.sha256) return { layer: { ...seen, refused: undefined }, problems: [] };
  if (digest === layer.refused) return { layer: seen, problems: [] };
  return taken(seen, content.bytes, 'running');
}

function taken(layer: Layer, bytes: Uint8Array, time: 'start' | 'running'): Looked {
  const result = loadSettings(layer.place.origin, bytes, time);
  if (!result.ok) return refused(layer, sha256(bytes), result.problems);
  return { layer: { ...layer, inForce: result.loaded, refused: undefined }, problems: [] };
}

/** The same layer when trust did not change. What does not fit once it counts stays as untrusted as it was. */
export function withTrust(layer: Layer, isTrusted: boolean): Looked {
  const { place, inForce } = layer;
  if (!isOfProject(place.origin) || place.origin.isTrusted === isTrusted) return { layer, problems: [] };
  const origin = { ...place.origin, isTrusted };
  const next: Layer = { ...layer, place: { ...place, origin } };
  if (inForce === undefined) return { layer: next, problems: [] };
  const result = loadSettings(origin, Buffer.from(inForce.text), 'start');
  if (result.ok) return { layer: { ...next, inForce: result.loaded }, problems: [] };
  // Whatever the reason, nothing that loosens may outlast the trust that let it.
  return { layer: isTrusted ? next : { ...next, inForce: undefined }, problems: result.problems };
}

/** Where others than the administrator could have written: its last good content stays. */
function whyUnguarded(place: SettingsPlace): SettingsProblem | undefined {
  if (place.kind === 'inline' || place.owner === undefined) return undefined;
  const why = whyNotGuarded(place.origin.file, place.owner);
  return why === undefined ? undefined : { ...unusable(place, why), advice: ADVICE };
}

function missing(layer: Layer, state: FileState & { readonly kind: 'missing' }, now: number): Looked {
  const why = whyNotUsable(layer.place, state);
  const gone: Layer = {
    ...layer,
    inForce: undefined,
    known: undefined,
    refused: undefined,
    missingSince: undefined,
  };
  if (layer.inForce === undefined && why === undefined) return { layer: gone, problems: [] };
  const missingSince = layer.missingSince ?? now;
  const waiting: Layer = { ...layer, known: undefined, missingSince };
  if (now - missingSince < GRACE_MS) return { layer: waiting, problems: [] };
  if (why !== undefined) return refused(waiting, why, [unusable(layer.place, why)]);
  return { layer: gone, problems: [] };
}

function refused(layer: Layer, what: string, problems: readonly SettingsProblem[]): Looked {
  return { layer: { ...layer, refused: what }, problems: what === layer.refused ? [] : problems };
}

/** Why a file that gave no content cannot be passed over; `undefined` when having none is fine. */
function whyNotUsable(
  place: SettingsPlace,
  content: Exclude<FileContent, { kind: 'content' }>,
): string | undefined {
  if (content.kind === 'unreadable') return content.why;
  if (content.isDanglingLink) return 'it is a link to a file that does not exist';
  return place.kind === 'file' && place.isNamed ? 'it does not exist' : undefined;
}

function unusable(place: SettingsPlace, why: string): SettingsProblem {
  return {
    severity: 'error',
    file: place.origin.file,
    line: 1,
    column: 1,
    key: '',
    message: `the settings file cannot be used: ${why}`,
    advice: 'Rules in it could not be applied, so it is not passed over.',
  };
}

function knownBy(state: FileState & { readonly kind: 'present' }, now: number): string | undefined {
  return isMature(state, now) ? state.fingerprint : undefined;
}

/** Old enough that another write would show in its fingerprint. */
export function isMature(state: FileState & { readonly kind: 'present' }, now: number): boolean {
  return now >= state.settledAtMs;
}
