/**
 * Programs that start others in ways of their own. Rules cannot be checked for what they run (`opaque.ts`); what can be seen
 * of it is looked at all the same, for what is forbidden without a rule.
 */
import { type InnerCall, type Inside, NOTHING_INSIDE } from './programs/inside-call.ts';
import { nameOf } from './programs/program-name.ts';
import { possibleCalls } from './programs/wrappers.ts';
import type { Reach } from './reach.ts';
import type { SimpleCommand } from './shell/commands.ts';

/** Their words are another command, behind so many operands. */
const STARTS: ReadonlyMap<string, number> = new Map([
  ...'busybox toybox systemd-run runuser proxychains proxychains4 srun entr reptyr start-stop-daemon'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'faketime dtach abduco batch'.split(' ').map((name) => [name, 1] as const),
]);

/** Any of their words may begin a command, or hold one for a shell. */
const ANYWHERE = new Set(['tmux', 'screen', 'byobu', 'expect', 'qsub']);
/** What they read is run later, some of it behind five words for the time. */
const LATER = new Set(['at', 'batch', 'crontab']);
const MOST_PLACES = 32;

const LAUNCHERS = new Set([...STARTS.keys(), ...ANYWHERE, ...LATER, 'parallel', 'sem']);

/** What launchers among the calls start, as one text for a shell. */
export function launchedText(commands: readonly SimpleCommand[], { readings }: Reach): string | undefined {
  const texts: string[] = [];
  const add = (name: string, args: readonly string[], stdin: string | undefined): void => {
    const inside = startedBy(name, args, stdin);
    if (inside === undefined) return;
    for (const { words } of inside.calls) if (words.length > 0) texts.push(words.map(quote).join(' '));
    texts.push(...inside.code);
  };
  for (const { name, words } of readings) if (LAUNCHERS.has(name)) add(name, words.slice(1), undefined);
  for (const { words, stdin } of commands) {
    const name = stdin === undefined ? '' : nameOf(words[0]?.value ?? '');
    if (LATER.has(name)) add(name, [], stdin);
  }
  return texts.length === 0 ? undefined : texts.join('\n');
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** `undefined`: no such program. */
function startedBy(name: string, args: readonly string[], stdin: string | undefined): Inside | undefined {
  if (name === 'parallel' || name === 'sem') return inParallel(args);
  if (LATER.has(name)) {
    const lines = stdin?.split('\n') ?? [];
    const times = /^\s*(?:@\w+|(?:[\w*,/-]+\s+){5})/;
    return {
      ...NOTHING_INSIDE,
      code: lines.map((line) => (name === 'crontab' ? line.replace(times, '') : line)),
    };
  }
  if (ANYWHERE.has(name)) {
    const calls = args
      .slice(0, MOST_PLACES)
      .flatMap((arg, index): readonly InnerCall[] =>
        arg.startsWith('-') ? [] : [{ words: args.slice(index), openEnded: false }],
      );
    const code = args.flatMap((arg) => (/\s/.test(arg) ? [arg.replace(/^spawn\s+/, '')] : []));
    return { ...NOTHING_INSIDE, calls, code };
  }
  const before = STARTS.get(name);
  return before === undefined ? undefined : { ...NOTHING_INSIDE, calls: possibleCalls(args, before) };
}

/** `parallel rm -rf ::: a b` runs a shell for each; without a command what follows `:::` are commands. */
function inParallel(args: readonly string[]): Inside {
  const end = args.findIndex((arg) => /^:::/.test(arg));
  const items = end < 0 ? [] : args.slice(end + 1);
  const commands = possibleCalls(end < 0 ? args : args.slice(0, end), 0).filter(
    ({ words }) => words.length > 0,
  );
  if (commands.length === 0) return { ...NOTHING_INSIDE, code: items };
  return { ...NOTHING_INSIDE, code: commands.map(({ words }) => [...words, ...items].join(' ')) };
}
