/** What allows one part of a command: a rule that covers it, a mode that allows its edits, or that it only reads. */
import { resolve } from 'node:path';
import type { RuleSource } from '../core/vocabulary.ts';
import { readEditCall } from './accept-edits.ts';
import { acceptsDestination, acceptsEdit, allowRedirects, mayUse } from './command-files.ts';
import { type Context, quoted } from './context.ts';
import { mayBecomeOption } from './glob-options.ts';
import { readsPipedNames } from './piped-names.ts';
import { isPlantedRepository } from './planted-repository.ts';
import { alsoNamed } from './programs/also-read.ts';
import { fileUses } from './programs/file-use.ts';
import { startsOfFind } from './programs/find-starts.ts';
import { namesFilesInList } from './programs/listed-names.ts';
import { nameOf } from './programs/program-name.ts';
import { type ReadOnlyCall, readOnlyCall } from './programs/read-only.ts';
import { ruleForPart } from './rule-for-part.ts';
import type { Analysis, SimpleCommand } from './shell/commands.ts';
import { pathsNamed } from './shell/paths.ts';
import { isLocale, isSafeAssignment, type Stripped, strippings } from './shell/strip.ts';
import type { ShellWord } from './shell/word.ts';
import { wrappedFiles } from './wrapped-part.ts';

export type Allowance =
  /** `rule` is the first that was needed. Without one, `byMode` tells that the mode allows edits, else everything only reads. */
  | { readonly ok: true; readonly rule: RuleSource | undefined; readonly byMode: boolean }
  /** A sentence without its full stop. */
  | { readonly ok: false; readonly why: string };

export interface Judged extends Context {
  readonly command: string;
  readonly analysis: Analysis;
}

export const yes = (rule?: RuleSource, byMode = false): Allowance => ({ ok: true, rule, byMode });
export const no = (why: string): Allowance => ({ ok: false, why });

/** Their files have to be named one by one: a pattern of these asks, whatever rule covers the program. */
const CHANGES_WHAT_IT_NAMES = new Set(
  'rm rmdir unlink shred mv cp ln install touch truncate mkdir tee sed'.split(' '),
);

export function allowPart(judged: Judged, part: SimpleCommand): Allowance {
  if (part.obstacle !== undefined) return no(`Rules for single commands do not cover ${part.obstacle}`);
  if (part.words.length === 0)
    return no('An assignment or a redirection alone is not covered by an allow rule');
  if (part.words[0]?.kind !== 'static')
    return no(`The command word of ${quoted(textOf(part.words))} is known only when it runs`);
  const dynamic = part.words.find((word) => word.kind === 'dynamic' || /\\\s/.test(word.text));
  if (dynamic !== undefined)
    return no(`${quoted(dynamic.text)} in ${quoted(textOf(part.words))} is known only when it runs`);

  const values = part.words.map((word) => word.value);
  const levels = strippings(values).filter(
    ({ taken }) => taken === 0 || part.words.slice(0, taken + 1).every((word) => word.kind === 'static'),
  );
  const inner = levels[levels.length - 1] ?? { taken: 0, wrappers: [] };
  const words = part.words.slice(inner.taken);
  const rule = part.assignments.every(isSafeAssignment) ? ruleForPart(judged, part, levels) : undefined;
  const redirects = allowRedirects(judged, part);
  // A repository that lies there may have git run anything.
  if (nameOf(words[0]?.value ?? '') === 'git') {
    if (part.cwds.length > 1) return no(`${quoted(textOf(part.words))} comes after a change of directory`);
    if (isPlantedRepository(part.cwds[0] ?? '/', judged.place))
      return no(
        `${quoted(textOf(part.words))} runs in a directory that is itself a repository, whose settings run programs`,
      );
  }
  if (rule !== undefined) {
    const problem = filesOfRule(judged, part, words, inner) ?? wrappedFiles(judged, part, words);
    return problem ?? (redirects.ok ? yes(rule, redirects.byMode) : redirects);
  }
  const edits = !onlyReads(judged, part, words, inner);
  const editing = edits && isTimedMkdir(words, inner) ? { ...part, words } : part;
  if (edits && !isAcceptedEdit(judged, editing))
    return no(`${quoted(textOf(part.words))} is not covered by an allow rule`);
  return redirects.ok ? yes(redirects.rule, edits || redirects.byMode) : redirects;
}

/** The one edit that a time limit may stand before. */
const isTimedMkdir = ([name]: readonly ShellWord[], { wrappers }: Stripped): boolean =>
  name?.value === 'mkdir' && wrappers.length === 1 && wrappers[0] === 'timeout';

function isAcceptedEdit(judged: Judged, { words, assignments, timed, cwds }: SimpleCommand): boolean {
  const [cwd, ...others] = cwds;
  if (judged.permissions.mode !== 'acceptEdits' || cwd === undefined || others.length > 0) return false;
  if (assignments.length > 0 || timed || words[0]?.text !== words[0]?.value) return false;
  if (!words.every(({ kind }) => kind === 'static')) return false;
  const edit = readEditCall(words.map(({ value }) => value));
  if (edit === undefined) return false;
  const files = edit.files.map((file) => resolve(cwd, file));
  if (!files.every((file) => acceptsEdit(judged, file))) return false;
  // Links in a directory that moves lead elsewhere than was looked at: nothing else may use it in the same command.
  const movesDirectory =
    edit.destination !== undefined && files.some((file) => judged.place.isDirectory(file));
  if (movesDirectory && judged.analysis.commands.length > 1) return false;
  return edit.destination === undefined || acceptsDestination(judged, files, resolve(cwd, edit.destination));
}

/** The files that a known program names must lie where it may go: a rule for the program is not one for every file. */
export function filesOfRule(
  judged: Judged,
  part: SimpleCommand,
  words: readonly ShellWord[],
  inner: Stripped,
): Allowance | undefined {
  const values = words.map((word) => word.value);
  const { known, unsure, uses: plain } = fileUses(values);
  const more = alsoNamed(values);
  const uses = more.length === 0 ? plain : [...plain, ...more];
  const globs = globsAmong(words);
  const option = [...globs].find((glob) => mayBecomeOption(values[0] ?? '', glob, part.cwds, judged.place));
  if (option !== undefined)
    return no(`The pattern ${quoted(option)} may stand for an option of ${quoted(textOf(words))}`);
  const outside = (readOnlyCall(values, false)?.files ?? startsOfFind(values)).find(
    (file) => !mayUse(judged, 'read', file, globs.has(file), part.cwds),
  );
  if (outside !== undefined) return no(notCovered(outside, words));
  if (unsure) return no(`The options of ${quoted(textOf(words))} are not understood, or run something`);
  if (namesFilesInList(values)) return no(`The files of ${quoted(textOf(words))} are named in a list`);
  if (!known && uses.length === 0) return undefined;
  if (inner.wrappers.includes('xargs'))
    return no(`The files of ${quoted(textOf(words))} come from its input`);
  if (globs.size > 0 && CHANGES_WHAT_IT_NAMES.has(values[0] ?? ''))
    return no(`The pattern in ${quoted(textOf(words))} stands for files that nobody has named`);
  const last = values[values.length - 1];
  const writesLast = uses.some(({ access, word }) => access === 'write' && word === last);
  for (const use of uses) {
    if (use.pathspec !== undefined) continue;
    if (use.access === 'write' && part.cwds.length > 1)
      return no(`${quoted(textOf(words))} writes after a change of directory`);
    // What a copy or a change goes to need not be free to read.
    if (use.access === 'read' && use.word === last && writesLast) continue;
    if (!mayUse(judged, use.access, use.word, globs.has(use.word), part.cwds))
      return no(notCovered(use.word, words));
  }
  return undefined;
}

function globsAmong(words: readonly ShellWord[]): ReadonlySet<string> {
  const globs = words.filter(({ kind }) => kind === 'glob');
  return globs.length === 0 ? NONE : new Set(globs.map(({ value }) => value));
}

const NONE: ReadonlySet<string> = new Set();

const notCovered = (file: string, words: readonly ShellWord[]): string =>
  `${quoted(file)} in ${quoted(textOf(words))} is outside the workspace and not covered by an allow rule`;

function onlyReads(
  judged: Judged,
  part: SimpleCommand,
  words: readonly ShellWord[],
  inner: Stripped,
): boolean {
  const name = words[0]?.value;
  if (words[0]?.kind !== 'static' || part.timed || !part.assignments.every(isLocale)) return false;
  // What xargs appends may only go to a command that has no files, unless it is known.
  const unwrapped = inner.wrappers.every(
    (one) =>
      READS_THROUGH.has(one) ||
      (one === 'xargs' &&
        (name === 'echo' || getsNoNames(part, name) || readsPipedNames(judged, part, name ?? ''))),
  );
  if (!unwrapped) return false;
  const globs = globsAmong(words);
  for (const glob of globs) if (mayBecomeOption(name ?? '', glob, part.cwds, judged.place)) return false;
  const values = words.map((word) => word.value);
  const call = readOnlyCall(values, globs.size > 0);
  if (call === undefined || reachesTooFar(judged, part, call)) return false;
  return call.files.every((file) => mayUse(judged, 'read', file, globs.has(file), part.cwds));
}

/** `xargs grep x` alone: a command has nothing on its stdin unless the text gives it something. */
const getsNoNames = ({ piped, redirects, stdin }: SimpleCommand, name: string | undefined): boolean =>
  name === 'grep' && !piped && redirects.length === 0 && stdin === undefined;

/** What lies below a directory is free only where hookd's own directory is not among it, and no links are followed. */
function reachesTooFar({ place }: Judged, { cwds }: SimpleCommand, call: ReadOnlyCall): boolean {
  if (!call.recursive && !call.noDirectories) return false;
  const files = call.recursive && call.files.length === 0 ? ['.'] : call.files;
  const paths = files.flatMap((file) => pathsNamed(file, cwds, place));
  return (
    (call.recursive && paths.some((path) => place.holdsHookdHome(path))) ||
    (call.noDirectories && paths.some((path) => place.isDirectory(path)))
  );
}

/** Wrappers that leave a command that only reads what it is. */
const READS_THROUGH = new Set(['timeout', 'command', 'builtin']);

export const textOf = (words: readonly ShellWord[]): string => words.map((word) => word.text).join(' ');
