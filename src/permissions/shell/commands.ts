/** A command text taken apart: every simple command that bash may run, and what stands in the way of judging them one by one. */
import { type Evaluated, evaluatedBy, NOTHING_EVALUATED } from './evaluated.ts';
import type { Input } from './inputs.ts';
import { onlyWords, parseCommand } from './parse.ts';
import type { ShellAssignment, ShellRedirect } from './pieces.ts';
import { Walk } from './walk.ts';
import type { ShellWord } from './word.ts';

export interface SimpleCommand {
  /** Empty for assignments or redirections alone. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  /** Why rules for parts cannot allow it, whatever its words are. */
  readonly obstacle: string | undefined;
  /** Run under the keyword `time`. */
  readonly timed: boolean;
  /** What it reads on stdin: a text that is in the command, `undefined` when it comes from elsewhere. */
  readonly stdin: string | undefined;
  /** `stdin` is that text to the letter; else expansions make something else of it. */
  readonly stdinSure: boolean;
  readonly piped: boolean;
  /** Where it may run: the start directory, and where a `cd` before it may have led. */
  readonly cwds: readonly string[];
  /** It stands where rules for parts may allow it; else it is inside something that they cannot. */
  readonly isPart: boolean;
}

export interface Analysis {
  readonly text: string;
  /** Why the text as a whole was not understood; `commands` is then only what could be seen. */
  readonly why: string | undefined;
  /** Constructs that rules for parts cannot allow. */
  readonly obstacles: readonly string[];
  readonly commands: readonly SimpleCommand[];
  /** What rules that restrict cannot see through: variables that change what commands mean. */
  readonly unclear: readonly string[];
  readonly evaluated: Evaluated;
  /** A `cd` whose goal is not known. */
  readonly lostCwd: boolean;
  /** More words, or changes of the directory, than are looked at. */
  readonly endless: boolean;
}

export interface ShellStart {
  readonly cwd: string;
  readonly home: string;
  /** All directories that it may start in, where there are more than `cwd`. */
  readonly cwds?: readonly string[] | undefined;
  readonly variables?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Variables that are empty for certain, all through this text. */
  readonly unset?: ReadonlySet<string> | undefined;
  /** The text is run by bash as it starts: lists in braces are words. */
  readonly braces?: boolean;
  /** What its commands find on stdin. */
  readonly input?: Input | undefined;
}

export function analyseCommand(text: string, start: ShellStart): Analysis {
  const words = text.length <= LONGEST_PLAIN ? onlyWords(text) : undefined;
  if (words === undefined) return analyseByGrammar(text, start);
  const walk = new Walk(start, start.cwds ?? [start.cwd]);
  walk.plain(words);
  return analysisOf(text, walk, undefined, false);
}

/** Beyond this the limits of the grammar come into sight. */
const LONGEST_PLAIN = 1000;

/** The same for any text, without a short way for plain commands. */
export function analyseByGrammar(text: string, start: ShellStart): Analysis {
  let walk = new Walk(start, start.cwds ?? [start.cwd]);
  let why: string | undefined;
  let refused: true | undefined;
  let evaluated = NOTHING_EVALUATED;
  try {
    const parsed = parseCommand(text);
    if (!parsed.ok) ({ why, endless: refused } = parsed);
    if (parsed.script !== undefined) {
      if (parsed.ok) evaluated = evaluatedBy(text, parsed.script);
      walk.visit(parsed.script, true);
      // Where commands run more than once, or later, each may run wherever a later `cd` leads, and with an input.
      const moves = walk.repeats && walk.where.moves > 0;
      const fedLater = walk.inputs.fedLater(walk.repeats);
      if ((moves || fedLater !== undefined) && !walk.endless) {
        walk = new Walk(start, moves ? walk.where.cwds : (start.cwds ?? [start.cwd]), fedLater);
        walk.visit(parsed.script, true);
      }
    }
  } catch {
    // The parser reads words when they are asked for, and may give up as late as that.
    why = 'it cannot be parsed';
  }
  return analysisOf(text, walk, why, refused === true, evaluated);
}

function analysisOf(
  text: string,
  { obstacles, commands, unclear, where, endless, cut }: Walk,
  why: string | undefined,
  refused: boolean,
  evaluated: Evaluated = NOTHING_EVALUATED,
): Analysis {
  return {
    text,
    why,
    obstacles: [...obstacles],
    commands,
    unclear: [...unclear],
    evaluated,
    lostCwd: where.lost,
    endless: endless || cut.is || refused,
  };
}
