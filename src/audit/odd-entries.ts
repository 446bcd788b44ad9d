/** What lies in the audit directory and its chains beside chains and segments: a fault where it could pass for either, else a note. */
import { join } from 'node:path';
import { isForeign, readDirectory } from './read.ts';
import { segmentNumber } from './segment.ts';
import type { Problem } from './successor.ts';
import { MARKS, TAKEN_MARK } from './unfinished.ts';

export interface OddEntry {
  readonly name: string;
  readonly report: { readonly problem: Problem | undefined; readonly notes: readonly string[] };
}

/** The entries of an audit directory that are no chains. */
export function oddEntries(auditDirectory: string): readonly OddEntry[] {
  return readDirectory(auditDirectory).flatMap((entry): OddEntry[] => {
    const { name } = entry;
    const file = join(auditDirectory, name);
    if (entry.isDirectory() && !isForeign(name)) return [];
    const fault = (message: string): OddEntry => ({
      name,
      report: { problem: { file, line: 0, message }, notes: [] },
    });
    if (entry.isSymbolicLink()) return [fault('is a link; a chain lies here itself')];
    if (segmentNumber(name) !== undefined) return [fault('lies outside of every chain')];
    return [{ name, report: { problem: undefined, notes: [`${file}: is no chain, not looked at`] } }];
  });
}

/** Notes on the entries of a chain's directory that are not part of the chain. */
export function oddFiles(directory: string): readonly string[] {
  const marks: readonly string[] = [...Object.values(MARKS), TAKEN_MARK];
  return readDirectory(directory)
    .map((entry) => entry.name)
    .filter((name) => segmentNumber(name) === undefined && !marks.includes(name) && !isForeign(name))
    .map((name) => `${join(directory, name)}: is not part of the chain`);
}
