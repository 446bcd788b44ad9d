/**
 * Commands that a wrapper runs in a form that is not unwrapped: a rule for the wrapper (`Bash(timeout *)`) says as little
 * about code and files as one for the program itself.
 */
import { type Allowance, filesOfRule, type Judged, no } from './command-part.ts';
import { commandsInside } from './programs/inside.ts';
import { NOTHING_HANDED } from './programs/inside-call.ts';
import { directoriesIn } from './programs/moved-by.ts';
import { nameOf } from './programs/program-name.ts';
import { isWrapper } from './programs/wrappers.ts';
import type { SimpleCommand } from './shell/commands.ts';
import type { ShellWord } from './shell/word.ts';
import { isGivenCode } from './shell-code.ts';

/** Wrappers within wrappers are looked through as far as this. */
const DEEPEST = 4;

/** The calls that the words may wrap, each a tail of them. */
function wrappedCalls(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (!isWrapper(nameOf(words[0]?.value ?? ''))) return [];
  const values = words.map(({ value }) => value);
  return commandsInside(values, NOTHING_HANDED)
    .calls.filter((call) => call.words.length > 0 && call.words.length < words.length)
    .map((call) => words.slice(words.length - call.words.length));
}

/** A wrapped call is given code, at any depth. */
export function wrapsCode(words: readonly ShellWord[], depth = 0): boolean {
  return wrappedCalls(words).some(
    (call) => depth >= DEEPEST || isGivenCode(call.map(({ value }) => value)) || wrapsCode(call, depth + 1),
  );
}

/** What stands in the way of the files that wrapped calls use. */
export function wrappedFiles(
  judged: Judged,
  part: SimpleCommand,
  words: readonly ShellWord[],
  depth = 0,
): Allowance | undefined {
  const calls = wrappedCalls(words);
  if (calls.length === 0) return undefined;
  const values = words.map(({ value }) => value);
  const wrappers = nameOf(values[0] ?? '') === 'xargs' ? ['xargs'] : [];
  const cwds = directoriesIn(values, part.cwds, judged.permissions.workplace.home);
  if (cwds === undefined) return no('The command changes the directory more often than is followed');
  const moved = cwds === part.cwds ? part : { ...part, cwds };
  for (const call of calls) {
    if (depth >= DEEPEST) return no('The command is wrapped more often than is looked through');
    const problem =
      filesOfRule(judged, moved, call, { taken: 0, wrappers }) ??
      wrappedFiles(judged, moved, call, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
