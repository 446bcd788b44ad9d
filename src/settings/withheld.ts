/**
 * Changed files of which only what tightens counts for the time being: the old content stays in force, whole, until those
 * who may refuse a change have agreed to it. A refusal never reaches a deny or ask rule.
 */
import type { HookRef } from '../core/vocabulary.ts';
import { countedOf } from './holding.ts';
import { type Layer, type Looked, withTrust } from './layer.ts';
import type { LoadedSettings } from './load.ts';
import type { SettingsSnapshot } from './merge.ts';
import type { SettingsScope } from './schema.ts';

/** A file whose new content is whole and valid, or that is gone. */
export interface ProposedChange {
  /** What was in force when it was found: the hooks of these settings are asked. */
  readonly before: SettingsSnapshot;
  readonly scope: SettingsScope;
  readonly file: string;
}

export interface Refusal {
  readonly by: HookRef;
  readonly reason: string;
}

/** Those who are told of changes, and may refuse some. */
export interface ChangeReview {
  /** False: nobody can refuse it, and it is in force at once. */
  readonly waitsFor: (change: ProposedChange) => boolean;
  /** Tells of a change; the answer counts where it is waited for. A rejection: nobody could be asked. */
  readonly ask: (change: ProposedChange) => Promise<Refusal | undefined>;
}

/** Compared by identity: each change is another one. */
export interface Withheld {
  /** What goes on to count; `undefined` where there was no file. */
  readonly kept: LoadedSettings | undefined;
  /** `undefined`: the file is gone. */
  readonly proposed: LoadedSettings | undefined;
  /** What counts of it nevertheless. */
  readonly tightening: LoadedSettings | undefined;
  readonly isRefused: boolean;
}

/** By file; a file that is not among them counts whole. */
export type WithheldFiles = ReadonlyMap<string, Withheld>;

export type Answer =
  | { readonly kind: 'agreed' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Nobody could be asked: to be tried again. */
  | { readonly kind: 'failed' };

export interface Reviewed {
  readonly withheld: WithheldFiles;
  /** To be told of, and asked about where it is withheld. */
  readonly changes: readonly { readonly change: ProposedChange; readonly withheld: Withheld | undefined }[];
  readonly refusals: readonly { readonly file: string; readonly refusal: Refusal }[];
}

export interface ReviewInput {
  readonly before: SettingsSnapshot;
  readonly withheld: WithheldFiles;
  /** The layers as they were, and as they are found now; of the same files in the same order. */
  readonly old: readonly Layer[];
  readonly found: readonly Layer[];
  readonly waitsFor: ChangeReview['waitsFor'];
  readonly answerTo: (withheld: Withheld) => Answer | undefined;
}

/** Decides of each file what counts whole and what is withheld. Pure. */
export function reviewChanges(input: ReviewInput): Reviewed {
  const { before, withheld, old, found, waitsFor, answerTo } = input;
  const next = new Map<string, Withheld>();
  const changes: Reviewed['changes'][number][] = [];
  const refusals: Reviewed['refusals'][number][] = [];
  for (const [index, { place, inForce: proposed }] of found.entries()) {
    const { file, scope } = place.origin;
    const held = withheld.get(file);
    const kept = held === undefined ? old[index]?.inForce : held.kept;
    if (isSameContent(proposed, kept)) continue;
    const isKnown = held !== undefined && isSameContent(proposed, held.proposed);
    const answer = isKnown ? answerTo(held) : undefined;
    if (answer?.kind === 'agreed') continue;
    if (isKnown && answer?.kind !== 'failed') {
      next.set(file, answer === undefined ? held : { ...held, isRefused: true });
      if (answer !== undefined && !held.isRefused) refusals.push({ file, refusal: answer.refusal });
      continue;
    }
    const change: ProposedChange = { before, scope, file };
    const fresh = { kept, proposed, tightening: tighteningOf(proposed), isRefused: false };
    const waiting = waitsFor(change) ? fresh : undefined;
    if (waiting !== undefined) next.set(file, waiting);
    changes.push({ change, withheld: waiting });
  }
  return { withheld: next, changes, refusals };
}

/** What counts of each file, in the order of the layers. */
export function countedContents(
  layers: readonly Layer[],
  withheld: WithheldFiles,
): readonly LoadedSettings[] {
  return layers.flatMap((layer) => {
    const held = withheld.get(layer.place.origin.file);
    const { inForce } = layer;
    const parts =
      held === undefined ? [countedOf(layer, inForce)] : [countedOf(layer, held.kept), held.tightening];
    return parts.filter((part) => part !== undefined);
  });
}

/**
 * The layers as they count with or without trust; of a change that was withheld there only what counted before is judged,
 * so that the change is found, and reviewed, anew.
 */
export function underTrust(layers: readonly Layer[], withheld: WithheldFiles, isTrusted: boolean) {
  const anew = new Set<string>();
  const judged = layers.map((layer): Looked => {
    const looked = withTrust(layer, isTrusted);
    const { file } = layer.place.origin;
    const held = withheld.get(file);
    if (held === undefined || looked.layer === layer) return looked;
    anew.add(file);
    return withTrust({ ...layer, inForce: held.kept, known: undefined }, isTrusted);
  });
  return {
    judged,
    layers: layers.map((layer, index) =>
      anew.has(layer.place.origin.file) ? (judged[index]?.layer ?? layer) : layer,
    ),
    withheld: new Map([...withheld].filter(([file]) => !anew.has(file))),
  };
}

/** Its deny and ask rules, and the switch that forbids bypass; `undefined` when it holds none. */
function tighteningOf(file: LoadedSettings | undefined): LoadedSettings | undefined {
  const rules = file?.rules.filter(({ source }) => source.list !== 'allow') ?? [];
  const forbidsBypass = file?.values.forbidsBypass === true;
  if (file === undefined || (rules.length === 0 && !forbidsBypass)) return undefined;
  const values = forbidsBypass ? { forbidsBypass } : {};
  return { ...file, rules, hooks: [], values, warnings: [], onlyTightens: true };
}

function isSameContent(one: LoadedSettings | undefined, other: LoadedSettings | undefined): boolean {
  return one?.sha256 === other?.sha256;
}

/** The files about which people or hooks have yet to decide. */
export function waitingIn(withheld: WithheldFiles): readonly string[] {
  return [...withheld].flatMap(([file, { isRefused }]) => (isRefused ? [] : [file]));
}
