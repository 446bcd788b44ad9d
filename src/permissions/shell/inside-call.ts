/** What a command gets besides its words, and what it runs. */
import type { SimpleCommand } from './commands.ts';
import { isOpen } from './word.ts';

export interface Handed {
  readonly stdin: string | undefined;
  /** `stdin` is that text to the letter. */
  readonly stdinSure: boolean;
  readonly piped: boolean;
  readonly produced: readonly string[];
  /** One of its words is a process substitution. */
  readonly substituted: boolean;
  /** Some of its words are known only when it runs. */
  readonly dynamic: boolean;
}

/** What is handed to words that stand alone. */
export const NOTHING_HANDED: Handed = {
  stdin: undefined,
  stdinSure: true,
  piped: false,
  produced: [],
  substituted: false,
  dynamic: false,
};

const NONE: readonly string[] = [];

/** None: a fragment of text that nobody could parse. */
export function handedTo(command: SimpleCommand | undefined): Handed {
  if (command === undefined) return { ...NOTHING_HANDED, dynamic: true };
  const { stdin, stdinSure, redirects, words } = command;
  const piped = command.piped || redirects.some(({ operator }) => operator === '<');
  const dynamic = words.some(isOpen);
  if (!dynamic) return { stdin, stdinSure, piped, produced: NONE, substituted: false, dynamic };
  const open = words.filter(isOpen);
  const produced = open.flatMap((word) => word.produced ?? []);
  return {
    stdin,
    stdinSure,
    piped,
    produced,
    substituted: open.some(({ text }) => text.startsWith('<(')),
    dynamic,
  };
}

/** The commands of the pipe that end before this one; none where it is unknown. */
export function pipedInto(
  commands: readonly SimpleCommand[],
  command: SimpleCommand | undefined,
): readonly SimpleCommand[] {
  const end = command === undefined ? -1 : commands.indexOf(command);
  let from = end;
  while (from > 0 && commands[from]?.piped === true) from--;
  return end < 0 ? NONE_BEFORE : commands.slice(from, end);
}

const NONE_BEFORE: readonly SimpleCommand[] = [];

export interface InnerCall {
  /** None: the command is still to come, where the outer call is open; or there is more than is looked at, where this one is. */
  readonly words: readonly string[];
  /** It gets further operands that cannot be seen. */
  readonly openEnded: boolean;
  /** How many words come before the first that the wrapper makes; `undefined` when it makes none. */
  readonly sure?: number;
  /** How many words of the wrapper come before it, where it does not end as the wrapper does. */
  readonly before?: number;
}

export interface Inside {
  readonly calls: readonly InnerCall[];
  /** Texts that are run as shell code. */
  readonly code: readonly string[];
  readonly unresolved: string | undefined;
}

export const NOTHING_INSIDE: Inside = { calls: [], code: [], unresolved: undefined };
