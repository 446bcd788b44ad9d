/** What a command gets besides its words, and what it runs. */
import type { SimpleCommand } from '../shell/commands.ts';
import type { Dialect } from '../shell/dialect.ts';
import type { Input } from '../shell/inputs.ts';
import { isOpen } from '../shell/word.ts';
import type { ReadCall } from './reading.ts';

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
  readonly cwds: readonly string[];
}

/** What is handed to words that stand alone. */
export const NOTHING_HANDED: Handed = {
  stdin: undefined,
  stdinSure: true,
  piped: false,
  produced: [],
  substituted: false,
  dynamic: false,
  cwds: [],
};

const NONE: readonly string[] = [];

/** None: a fragment of text that nobody could parse. */
export function handedTo(command: SimpleCommand | undefined, cwds: readonly string[]): Handed {
  if (command === undefined) return { ...NOTHING_HANDED, dynamic: true, cwds };
  const { stdin, stdinSure, redirects, words } = command;
  const piped = command.piped || redirects.some(({ operator }) => operator.startsWith('<'));
  const dynamic = words.some(isOpen);
  if (!dynamic) return { stdin, stdinSure, piped, produced: NONE, substituted: false, dynamic, cwds };
  const open = words.filter(isOpen);
  const produced = open.flatMap((word) => word.produced ?? []);
  return {
    stdin,
    stdinSure,
    piped,
    produced,
    substituted: open.some(({ text }) => SUBSTITUTED.test(text)),
    dynamic,
    cwds,
  };
}

/** `<(…)`, also as what is glued to an option. */
const SUBSTITUTED = /^(?:-\w|--\w[\w-]*=)?<\(/;

/** What the commands inside find on stdin. */
export const inputOf = ({ piped, stdin }: Handed): Input | undefined =>
  piped || stdin !== undefined ? { text: stdin } : undefined;

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

/** The call inside, as what is known of the words of its wrapper says. */
export function callWithin(
  call: ReadCall,
  { words, openEnded, sure: made, before }: InnerCall,
  fed: ReadCall['fed'],
): ReadCall {
  const at = before ?? call.words.length - words.length;
  const written = call.sure === undefined ? undefined : call.sure - at;
  const sure = written === undefined || made === undefined ? (written ?? made) : Math.min(written, made);
  return { ...call, words, openEnded: openEnded || call.openEnded, made: openEnded || call.made, sure, fed };
}

export interface Inside {
  readonly calls: readonly InnerCall[];
  /** Texts that are run as shell code. */
  readonly code: readonly string[];
  readonly unresolved: string | undefined;
  /** The code is for a shell of this kind; else for the shell that the command itself is for. */
  readonly dialect?: Dialect;
}

export const NOTHING_INSIDE: Inside = { calls: [], code: [], unresolved: undefined };
