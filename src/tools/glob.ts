/** Glob: the files under a directory whose path fits a pattern, newest first. */
import { isAbsolute, join, relative } from 'node:path';
import { type Static, Type } from 'typebox';
import { changedSinceDecision } from './file-fault.ts';
import { type Match, matchFiles, staysInside } from './match-files.ts';
import { normalisePath, pathField } from './path.ts';
import { leadsTo, openDirectory } from './safe-open.ts';
import { defineTool, failed, type RunContext, type RunOutcome, succeeded } from './tool.ts';

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
  description: `Lists the files whose path fits a glob pattern, newest first, at most ${MAX_SHOWN}. Hidden files are included; .git and node_modules only when the pattern or the path names them. Links to directories are not followed, and links that lead out of the directory are left out.`,
  inputSchema,
  readOnly: true,
  normalise: (input, workplace) => ({ ...input, path: normalisePath(input.path ?? '.', workplace) }),
  specifiers: ({ path }) => ({ kind: 'path', access: 'read', path: path ?? '.' }),
  run: listFiles,
});

async function listFiles(input: Input, context: RunContext): Promise<RunOutcome> {
  const { cwd } = context.workplace;
  const path = input.path ?? cwd;
  const pattern = relativePattern(input.pattern, path, context.workplace.home);
  if (pattern === undefined || !staysInside(pattern)) {
    return failed(
      `The pattern ${input.pattern} leads out of ${path}. Give the directory to search as path, and a pattern without .. relative to it.`,
    );
  }
  const opened = await openDirectory(context.target ?? path, false);
  if (!opened.ok) return failed(opened.why);
  try {
    if (!(await leadsTo(path, opened.value.path))) return failed(changedSinceDecision(path));
    const time = AbortSignal.timeout(MAX_WALK_MS);
    const { found, complete } = await matchFiles(
      opened.value,
      pattern,
      AbortSignal.any([context.signal, time]),
    );
    if (context.signal.aborted) return failed('The user interrupted the search.');
    const note = complete
      ? ''
      : '\n(the search was ended early: there may be more; use a narrower pattern or path)';
    return succeeded(shownMatches(found, path, cwd) + note);
  } finally {
    await opened.value.close();
  }
}

/** An absolute pattern is taken when it lies in the directory that is searched; undefined when it does not. */
function relativePattern(pattern: string, path: string, home: string): string | undefined {
  const whole = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern;
  if (!isAbsolute(whole)) return whole;
  const root = path.endsWith('/') ? path : `${path}/`;
  return whole.startsWith(root) && whole.length > root.length ? whole.slice(root.length) : undefined;
}

function shownMatches(found: readonly Match[], path: string, cwd: string): string {
  if (found.length === 0) return '(no matches)';
  const newestFirst = found.toSorted((a, b) =>
    a.modifiedNs === b.modifiedNs ? comparePaths(a.path, b.path) : a.modifiedNs > b.modifiedNs ? -1 : 1,
  );
  const shown = newestFirst.slice(0, MAX_SHOWN).map((match) => shownPath(join(path, match.path), cwd));
  const hidden = found.length - shown.length;
  return shown.join('\n') + (hidden > 0 ? `\n... (${hidden} more files; a narrower pattern shows them)` : '');
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Short where it can be: the other tools take relative paths from the start directory. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') ? path : short;
}
