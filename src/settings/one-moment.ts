/**
 * All settings files as they stood at one moment. They are read one after another; a rule that is moved meanwhile from one
 * that is still to be read into one that has been would be found in neither.
 */
import { type ManagedScope, withDropIns } from './drop-ins.ts';
import { type Layer, lookAgain } from './layer.ts';
import type { ProjectState } from './project-state.ts';
import { lookAt } from './read-file.ts';
import { readTrust } from './trust-file.ts';
import { underTrust, type WithheldFiles } from './withheld.ts';

/** Files that change without pause are taken as they were read last. */
const MOST_ROUNDS = 100;

export interface LastKnown {
  readonly layers: readonly Layer[];
  readonly withheld: WithheldFiles;
  readonly managed: ManagedScope;
  readonly state: ProjectState;
  readonly project: string;
  /** Whatever its trust file says, the project is trusted. */
  readonly trustProject: boolean;
}

/** Looks again at all that was known. `time`: the wall clock, in ms. Changes nothing. */
export function lookAtAll(known: LastKnown, time: number) {
  const { layers, withheld, managed, state, project, trustProject } = known;
  return atOneMoment(
    () => stateOfFiles(known),
    () => {
      const trust = readTrust(state, project);
      const isTrusted = trustProject || trust.kind === 'trusted';
      const anew = underTrust(withDropIns(layers, managed), withheld, isTrusted);
      return { trust, ...anew, looked: anew.judged.map(({ layer }) => lookAgain(layer, time)) };
    },
  );
}

/** What `see` returned while `stateNow` said the same before and after it. */
export function atOneMoment<Seen>(stateNow: () => string, see: () => Seen): Seen {
  let before = stateNow();
  for (let round = 1; ; round++) {
    const seen = see();
    const after = stateNow();
    if (after === before || round >= MOST_ROUNDS) return seen;
    before = after;
  }
}

/** Another text whenever one of the files was written, replaced, made or removed. */
function stateOfFiles({ layers, managed, state }: LastKnown): string {
  const files = withDropIns(layers, managed).flatMap(({ place }) =>
    place.kind === 'file' ? [place.origin.file] : [],
  );
  const states = [...files, state.trust].map((file) => {
    const found = lookAt(file);
    return [file, found.kind === 'present' ? found.fingerprint : found.kind];
  });
  return JSON.stringify(states);
}
