/** What a deny or ask rule may mean although nobody can say so: it asks, whatever is allowed. */
import { basename, resolve } from 'node:path';
import type { Decision } from '../core/vocabulary.ts';
import { openedDirectory } from './below-descriptor.ts';
import { coveredBelow, mayCoverSomethingBelow } from './below-directory.ts';
import { keysOfCall, textsOf } from './call-texts.ts';
import { ruleForWord, type Understood } from './command-restriction.ts';
import { hitsCommand, mayHitCommand } from './command-rule.ts';
import { byBuiltin, quoted } from './context.ts';
import { madeAndRun } from './made-and-run.ts';
import { type FileUse, MOST_PIECES } from './programs/file-uses.ts';
import { takesNamesFromList } from './programs/listed-names.ts';
import { MOST_PLACES, mentionedCalls } from './programs/mentioned-calls.ts';
import { readOnlyCall } from './programs/read-only.ts';
import { Reading } from './programs/reading.ts';
import { mayNameFiles } from './programs/unknown-files.ts';
import type { Reach } from './reach.ts';
import { firstWord, keysOfCommand } from './rule-index.ts';
import { commandRule } from './rule-set.ts';
import { isGlob, matchesSegment } from './shell/glob.ts';
import { hasTooManyMatches, pathsNamed } from './shell/paths.ts';
import { stretchesOf } from './stretches.ts';

const ask = (why: string): Decision =>
  byBuiltin('ask', 'unresolved-command', `The deny and ask rules cannot be checked: ${why}.`);

/** With deny or ask rules in force, what cannot be resolved may be what they mean: it asks, whatever is allowed. */
export function doubt(understood: Understood): Decision | undefined {
  const { permissions, reach } = understood;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  const paths = lists.some(
    (list) => list.paths.length > 0 || list.bare.some((rule) => /^(?:Read|Edit|Write)$/.test(rule.tool)),
  );
  const commands = lists.some((list) => list.commands.length > 0);
  if (!paths && !commands) return undefined;
  const [unresolved] = reach.unresolved;
  if (unresolved !== undefined) return ask(unresolved);
  const pattern = reach.patternCalls.find((call) => mayBeAnyProgram(understood, call));
  if (pattern !== undefined) return ask(`its command word ${pattern.text} is known only when it runs`);
  const open = commands ? reach.readings.find((reading) => mayBeMeant(understood, reading)) : undefined;
  if (open !== undefined) return ask(`${said(open.words)} has words that are known only when it runs`);
  const mentioned = commands
    ? firstOf(reach.readings, (reading) => ruleMentioned(understood, reading))
    : undefined;
  if (mentioned !== undefined) return ask(mentioned);
  if (lists.some((list) => list.joined.length > 0) && stretchesOf(understood.command, reach).isCut)
    return ask('it has more parts than are looked at for a rule about several commands');
  const made = madeAndRun(understood);
  if (made !== undefined) return ask(`${quoted(made)} runs what the same command writes`);
  return paths ? pathDoubt(understood) : undefined;
}

const said = (words: readonly string[]): string => quoted(words.join(' '));

/** A pattern that fits no file is itself the command word; not so where the same text may make the file. */
function mayBeAnyProgram(
  { analysis, place, permissions }: Understood,
  { text, cwds }: Reach['patternCalls'][number],
): boolean {
  if (analysis.commands.length > 1) return true;
  if (cwds.some((cwd) => place.expand(resolve(cwd, text))?.length !== 0)) return true;
  // What comes to lie there in the meantime: at least no program that a rule names.
  return [permissions.rules.deny, permissions.rules.ask].some((list) =>
    list.commands.some(({ pattern }) => {
      const names = keysOfCommand(pattern);
      return names === undefined || names.some((name) => matchesSegment(basename(text), basename(name)));
    }),
  );
}

/** What comes before the first unknown word leaves room for a rule to fit. */
function mayBeMeant({ permissions, call }: Understood, { words, sure }: Reading): boolean {
  if (sure === undefined) return false;
  if (sure <= 0) return true;
  const [name = '', ...rest] = words.slice(0, Math.max(sure, 0));
  const begins = [[name, ...rest].join(' '), [basename(name), ...rest].join(' ')];
  return [permissions.rules.deny, permissions.rules.ask].some(
    (list) =>
      commandRule(list, call.tool.name, begins.map(firstWord), (pattern) =>
        begins.some((begin) => mayHitCommand(pattern, begin)),
      ) !== undefined,
  );
}

/** A program that is not known is given words that a rule is about: it may run them. */
function ruleMentioned({ permissions, call }: Understood, reading: Reading): string | undefined {
  const { words, cwds } = reading;
  const { workplace } = permissions;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  // What begins a call that has too many words may be meant, whatever it is.
  const mentions = mentionedCalls(words, (begin) => {
    const keys = keysOfCall({ words: begin, assignments: NONE, cwds }, workplace);
    return words.length > MOST_PLACES || lists.some((list) => list.index.commands.mayFit(keys));
  });
  if (mentions.length > 0 && words.length > MOST_PLACES)
    return `${said(words.slice(0, 3))} … has more words than are looked at`;
  for (const called of mentions) {
    const mentioned = new Reading({ ...reading, words: called, assignments: NONE });
    const keys = keysOfCall(mentioned, workplace);
    const texts = textsOf(mentioned, workplace);
    const all = [...texts.whole, ...texts.withoutOptions];
    for (const list of lists) {
      const rule = commandRule(list, call.tool.name, keys, (pattern) => hitsCommand(pattern, all));
      if (rule !== undefined)
        return `${said(words)} may run ${said(called)}, which rule ${rule.text} is about`;
    }
  }
  return undefined;
}

const NONE: readonly string[] = [];

/** A rule is about something below the directory, or may be about what comes to lie there. */
function mayTouch(
  understood: Understood,
  { access, word, below, from, needs, onlyAsks, pathspec }: FileUse,
  recursive: boolean,
  cwds: readonly string[],
): boolean {
  const { permissions, place } = understood;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  if (onlyAsks && lists.some((list) => ruleForWord(understood, list, access, word, cwds) !== undefined))
    return true;
  if (below === undefined && !recursive) return false;
  if (needs !== undefined && isMissing(understood, needs, cwds)) return false;
  if (from !== undefined && !pathsNamed(from, cwds, place).some((path) => place.isDirectory(path)))
    return false;
  return pathsNamed(word, cwds, place).some((path) =>
    lists.some((list) =>
      below === 'unknown'
        ? mayCoverSomethingBelow(understood, list, access, path)
        : coveredBelow(understood, list, access, path, pathspec).kind !== 'free',
    ),
  );
}

/** Not where the same text may make it; with a colon it may be on another machine. */
function isMissing({ analysis, place }: Understood, file: string, cwds: readonly string[]): boolean {
  return (
    analysis.commands.length === 1 &&
    !/[:*?[]/.test(file) &&
    file !== '-' &&
    pathsNamed(file, cwds, place).every((path) => place.isMissing(path))
  );
}

function firstOf<One, Found>(all: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function pathDoubt(understood: Understood): Decision | undefined {
  const { permissions, reach, place } = understood;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  const writesDenied = lists.some((list) => list.bare.some((rule) => /^(?:Edit|Write)$/.test(rule.tool)));
  for (const reading of reach.readings) {
    const { words, cwds, openEnded, sure, files } = reading;
    const { known, namesFiles, uses, recursive, mentions } = files;
    const many = uses.find(({ word }) => hasTooManyMatches(word, cwds, place));
    if (many !== undefined) return ask(`${quoted(many.word)} names too many files`);
    if (mentions.length >= MOST_PIECES) return ask(`${quoted(words[0] ?? '')} is given too many words`);
    if ((openEnded && (known || namesFiles || mayNameFiles(reading))) || takesNamesFromList(words))
      return ask(`the files of ${said(words)} are known only when it runs`);
    const wide = uses.find((use) => mayTouch(understood, use, recursive, cwds));
    if (wide !== undefined)
      return ask(`${said(words)} may ${wide.access} what is below ${quoted(wide.word)}`);
    if (writesDenied && uses.some((use) => use.access === 'write'))
      return ask(`${said(words)} writes, and a tool that writes is restricted`);
    const isMentioned = (word: string, access: FileUse['access']): boolean =>
      // A pattern stands for many files, and is no word about one of them: only what is denied counts then.
      (isGlob(word) ? [permissions.rules.deny] : lists).some(
        (list) => ruleForWord(understood, list, access, word, cwds) !== undefined,
      );
    let mentioned = mentions.find((word) => isMentioned(word, 'write'));
    // A rule about writing does not concern what only reads.
    if (
      mentioned !== undefined &&
      sure === undefined &&
      !openEnded &&
      readOnlyCall(words, false) !== undefined
    )
      mentioned = mentions.find((word) => isMentioned(word, 'read'));
    if (mentioned !== undefined)
      return ask(`${said(words)} names ${quoted(mentioned)}, which a rule is about`);
  }
  const opened = openedDirectory(understood);
  if (opened !== undefined) return ask(`what lies below ${quoted(opened)} can be named by the descriptor`);
  for (const { writes, resolved, text } of reach.redirects) {
    if (text === '/dev/null') continue;
    if (!resolved) return ask(`the target ${quoted(text)} is known only when it runs`);
    if (writes && writesDenied) return ask(`"> ${text}" writes, and a tool that writes is restricted`);
  }
  return undefined;
}
