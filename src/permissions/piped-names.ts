/** `find … | xargs grep x`: what xargs hands on are the names that find prints, where no name can be read as anything else. */
import { join } from 'node:path';
import type { Judged } from './command-part.ts';
import type { Place } from './place.ts';
import { startsOfFind } from './programs/find-starts.ts';
import { readOnlyCall } from './programs/read-only.ts';
import type { SimpleCommand } from './shell/commands.ts';
import { pathsNamed } from './shell/paths.ts';

/** Programs that only read, whatever file is handed to them. */
const READS_NAMES = new Set(['grep', 'egrep', 'wc', 'head', 'tail']);

/** True when the part is such a program under `xargs`, and all that comes to it are files of the workspace. */
export function readsPipedNames(judged: Judged, part: SimpleCommand, program: string): boolean {
  const { commands } = judged.analysis;
  const before = commands[commands.indexOf(part) - 1];
  if (!READS_NAMES.has(program) || !part.piped || part.redirects.length > 0 || before === undefined)
    return false;
  const { words, redirects, cwds, isPart, assignments } = before;
  const [name, ...args] = words.map(({ kind, value }) => (kind === 'static' ? value : undefined));
  if (name !== 'find' || !isPart || redirects.length > 0 || assignments.length > 0 || cwds.length > 1)
    return false;
  const plain = args.filter((arg) => arg !== undefined);
  // What else it prints than names, one a line, is no name.
  if (plain.length < args.length || plain.some((arg) => /^-(?:ls|print0)$/.test(arg))) return false;
  if (readOnlyCall(['find', ...plain], false) === undefined) return false;
  // The values of its tests are no directories.
  const named = startsOfFind(['find', ...plain]);
  const starts = named.length > 0 ? named : ['.'];
  return (
    starts.every(isPlainName) &&
    starts
      .flatMap((start) => pathsNamed(start, cwds, judged.place))
      .every((path) => isPlainTree(path, judged.place))
  );
}

/** Neither a blank, by which xargs would make two of it, nor a quote; nor is it an option. */
const isPlainName = (name: string): boolean => /^[^\s"'\\-][^\s"'\\]*$/.test(name);

/** Every name below is plain, and no link leads out of the workspace. */
function isPlainTree(start: string, place: Place): boolean {
  if (!place.inWorkspace(start) || place.holdsHookdHome(start)) return false;
  const pending = place.isDirectory(start) ? [start] : [];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const names = place.namesIn(at);
    if (names === undefined) return false;
    for (const name of names) {
      const path = join(at, name);
      if (/[\s"'\\]/.test(name)) return false;
      if (place.isLink(path)) {
        if (!place.inWorkspace(path)) return false;
      } else if (place.isDirectory(path)) {
        pending.push(path);
      }
    }
  }
  return true;
}
