/** Glob: the files under a directory whose path fits a pattern, newest first. */
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { systemCode } from '../core/errors.ts';
import type { JsonObject } from '../core/vocabulary.ts';
import { changedSinceDecision } from './file-fault.ts';
import { type ParsedPattern, parsePattern } from './glob-pattern.ts';
import { type Match, matchFiles } from './match-files.ts';
import { normalisePath, pathField } from './path.ts';
import { failed, type RunContext, type RunOutcome, succeeded } from './run-context.ts';
import { leadsTo, openDirectory } from './safe-open.ts';
import { defineTool } from './tool.ts';

const MAX_SHOWN = 100;
const MAX_WALK_MS = 60_000;

const inputSchema = Type.Object({
  pattern: pathField('A glob pattern such as src/**/*.ts, relative to path.'),
  path: Type.Optional(pathField('The directory to search; the start directory by default.')),
});
type Input = Static<typeof inputSchema>;

export const glob = defineTool({
  name: 'Glob',
  aliases: { names: ['glob'] },
  description: `Lists the files whose path fits a glob pattern, newest first, at most ${MAX_SHOWN}. Hidden files are included; .git and node_modules only when the pattern or the path names them. Links to directories are not followed, and links that lead out of the searched directory are left out. Patterns know *, **, ?, [a-z], [!a] and {a,b}; other characters, parentheses too, stand for themselves.`,
  inputSchema,
  readOnly: true,
  normalise: ({ pattern, path, ...rest }, workplace) => ({
    ...rest,
    ...rebased(
      pattern.startsWith('~/') ? join(workplace.home, pattern.slice(2)) : pattern,
      normalisePath(path ?? '.', workplace),
    ),
  }),
  specifiers: (input) => ({ kind: 'path', access: 'read', path: searchOf(input).place }),
  run: listFiles,
  render: shownResponse,
});

async function listFiles(input: Input, context: RunContext): Promise<RunOutcome> {
  const began = performance.now();
  const { cwd, hookdHome } = context.workplace;
  const { place, base, pattern } = searchOf(input);
  if (!pattern.ok) return failed(whyNot(input, pattern));
  const opened = await openDirectory(context.target ?? place, false);
  if (!opened.ok) {
    const finds = base === '' || !(await isMissing(place));
    return finds ? failed(opened.why) : matches(began, [], 0, true);
  }
  try {
    if (!(await leadsTo(place, opened.value.path))) return failed(changedSinceDecision(place));
    const time = AbortSignal.timeout(MAX_WALK_MS);
    const { found, complete } = await matchFiles(
      { directory: opened.value, alternatives: pattern.alternatives, leftOut: hookdHome },
      AbortSignal.any([context.signal, time]),
    );
    if (context.signal.aborted) return failed('The user interrupted the search.');
    const shown = found.filter(({ path }) => context.hides?.(join(place, path)) !== true);
    return matches(began, newestNames(shown, place, cwd), shown.length, complete);
  } finally {
    await opened.value.close();
  }
}

/** A pattern that leads elsewhere (`/etc/*.conf`, `../lib/**`) searches there: what is judged must be what is searched. */
function rebased(pattern: string, path: string): Required<Input> {
  const parts = relativePattern(pattern, path).split('/');
  const first = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
  const plain = parts.slice(0, first < 0 ? -1 : first);
  if (plain[0] !== '' && !plain.includes('..')) return { pattern, path };
  const rest = parts.slice(plain.length).join('/');
  return rest === '' ? { pattern, path } : { pattern: rest, path: resolve(path, plain.join('/') || '/') };
}

interface PlannedSearch {
  /** The directory to search: `path`, and the names that the pattern begins with. What is judged and opened. */
  readonly place: string;
  readonly base: string;
  readonly pattern: ParsedPattern;
}

function searchOf({ pattern: written, path = '.' }: Input): PlannedSearch {
  const pattern = parsePattern(relativePattern(written, path));
  const base = pattern.ok ? pattern.base.join('/') : '';
  return { place: join(path, base), base, pattern };
}

/** An absolute pattern is taken when it lies in the directory that is searched. */
function relativePattern(pattern: string, path: string): string {
  const root = path.endsWith('/') ? path : `${path}/`;
  return pattern.startsWith(root) && pattern.length > root.length ? pattern.slice(root.length) : pattern;
}

function whyNot({ pattern, path }: Input, { leadsOut, problem }: ParsedPattern & { ok: false }): string {
  return leadsOut
    ? `The pattern ${pattern} leads out of ${path}. Give the directory to search as path, and a pattern without .. relative to it.`
    : `The pattern ${problem}. Nothing was searched; use a simpler one.`;
}

/** A pattern may begin with names that are not there; a path may not. */
async function isMissing(place: string): Promise<boolean> {
  try {
    return !(await stat(place)).isDirectory();
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
  }
}

function matches(began: number, filenames: readonly string[], total: number, complete: boolean): RunOutcome {
  const hidden = total - filenames.length;
  return succeeded(shownMatches(filenames, hidden, complete), {
    filenames,
    durationMs: Math.round(performance.now() - began),
    numFiles: filenames.length,
    truncated: hidden > 0 || !complete,
    totalMatches: total,
    countIsComplete: complete,
  });
}

function newestNames(found: readonly Match[], path: string, cwd: string): readonly string[] {
  const newestFirst = found.toSorted((a, b) =>
    a.modifiedNs === b.modifiedNs ? comparePaths(a.path, b.path) : a.modifiedNs > b.modifiedNs ? -1 : 1,
  );
  return newestFirst.slice(0, MAX_SHOWN).map((match) => shownPath(join(path, match.path), cwd));
}

function shownMatches(names: readonly string[], hidden: number, complete: boolean): string {
  return [
    names.length === 0 ? '(no matches)' : names.join('\n'),
    ...(hidden > 0 ? [`... (${hidden} more files; a narrower pattern shows them)`] : []),
    ...(complete ? [] : ['(the search was ended early: there may be more; use a narrower pattern or path)']),
  ].join('\n');
}

function shownResponse({
  filenames,
  numFiles,
  totalMatches,
  countIsComplete,
}: JsonObject): string | undefined {
  if (!Array.isArray(filenames)) return undefined;
  const names: readonly unknown[] = filenames;
  if (!names.every((name) => typeof name === 'string')) return undefined;
  const hidden =
    typeof totalMatches === 'number' && typeof numFiles === 'number' ? totalMatches - numFiles : 0;
  return shownMatches(names, hidden, countIsComplete !== false);
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Short where it can be: the other tools take relative paths from the start directory. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') ? path : short;
}
