/**
 * A decision that was made before is not made again while everything that it rests on is as it was.
 *
 * Why the answer is the one that a fresh decision would give: deciding is a function of the values that are compared here
 * (rules, workplace and the like are never changed, only replaced: by identity) and of the answers of the world, which is
 * reached through `FilesView` and `isSet` alone; no clock, no environment, no state of ours. So its first question is the
 * same again, and as long as each answer is the one of last time, so is the next question, and with the last answer the
 * decision. All of them are asked anew, in their order, each time: a link that was turned or a file
 * that came is seen by the very next call. The first answer that differs ends it, and the decision is made from the start.
 */
import type { Decision } from '../core/vocabulary.ts';
import type { HookedQuestion } from './decide.ts';
import type { FileEntry, FileKind, FilesView } from './files-view.ts';
import type { RuleSet } from './rule-set.ts';
import type { IsSet } from './shell/unset-variables.ts';

/** Decisions of one rule set; the oldest goes first. */
const MOST_KEPT = 64;
const LONGEST_COMMAND = 1000;
/** A decision that asked for more is made again: looking it all up is then no shorter. */
const MOST_QUESTIONS = 48;
const MOST_NAMES = 200;

type Answer = string | boolean | undefined | readonly FileEntry[];

interface World extends FilesView {
  readonly isSet: IsSet;
}

interface Asked {
  readonly what: keyof World;
  readonly about: string;
  readonly answer: Answer;
}

interface Kept {
  /** The values that it was made from. */
  readonly from: readonly unknown[];
  readonly input: Input;
  readonly asked: readonly Asked[];
  readonly decision: Decision;
}

type Input = HookedQuestion['call']['input'];

/** They go with their rules. */
const keptOf = new WeakMap<RuleSet, Map<string, Kept>>();

/** `decide` is to ask the world only through the question that it is given. */
export function decideOnce(
  question: HookedQuestion,
  decide: (question: HookedQuestion) => Decision,
): Decision {
  const { call, hook, permissions } = question;
  const { specifier, input } = call;
  if (specifier.kind !== 'command' || specifier.command.length > LONGEST_COMMAND || hook !== undefined)
    return decide(question);
  const { command } = specifier;
  const kept = keptOf.get(permissions.rules) ?? new Map<string, Kept>();
  const from = valuesOf(question);
  const known = kept.get(command);
  if (
    known?.from.every((value, index) => value === from[index]) &&
    isSameInput(known.input, input) &&
    known.asked.every((asked) => isAnsweredAsBefore(asked, question))
  )
    return known.decision;
  const notes = new Notes(question);
  const decision = decide(notes.question);
  kept.delete(command);
  if (notes.isFull || !isSmall(input)) return decision;
  for (const oldest of kept.keys()) {
    if (kept.size < MOST_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(command, { from, input, asked: notes.asked, decision });
  keptOf.set(permissions.rules, kept);
  return decision;
}

/** All that a decision about a command is made from, but for its input, its rules and the world. */
function valuesOf({ permissions, call, isSet }: HookedQuestion): readonly unknown[] {
  const { mode, workplace, disabledBuiltins, keptOutputs } = permissions;
  const { name, readOnly } = call.tool;
  return [mode, workplace, disabledBuiltins, keptOutputs, name, readOnly, isSet === undefined];
}

/** Only values that compare by themselves, and no text that would fill the memory. */
const isSmall = (input: Input): boolean =>
  Object.values(input).every((value) => typeof value !== 'object' && String(value).length <= LONGEST_COMMAND);

function isSameInput(one: Input, other: Input): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

function isAnsweredAsBefore({ what, about, answer }: Asked, { files, isSet }: HookedQuestion): boolean {
  switch (what) {
    case 'isSet':
      return isSet?.(about) === answer;
    case 'entries':
      return isSameList(files.entries(about), answer);
    default:
      return files[what](about) === answer;
  }
}

const isSameList = (entries: readonly FileEntry[], before: Answer): boolean =>
  Array.isArray(before) &&
  entries.length === before.length &&
  entries.every(({ name, kind }, index) => name === before[index].name && kind === before[index].kind);

/** A question whose world is written down as it is asked. */
class Notes implements FilesView {
  readonly asked: Asked[] = [];
  readonly question: HookedQuestion;
  readonly #files: FilesView;
  #names = 0;

  constructor(question: HookedQuestion) {
    const { permissions, call, files, isSet } = question;
    this.#files = files;
    this.question = {
      permissions,
      call,
      files: this,
      isSet: isSet && ((name) => this.#note('isSet', name, isSet(name))),
    };
  }

  get isFull(): boolean {
    return this.asked.length > MOST_QUESTIONS || this.#names > MOST_NAMES;
  }

  realPath(path: string): string | undefined {
    return this.#note('realPath', path, this.#files.realPath(path));
  }

  kindOf(path: string): FileKind {
    return this.#note('kindOf', path, this.#files.kindOf(path));
  }

  entries(directory: string): readonly FileEntry[] {
    return this.#note('entries', directory, this.#files.entries(directory));
  }

  #note<Given extends Answer>(what: keyof World, about: string, answer: Given): Given {
    if (Array.isArray(answer)) this.#names += answer.length;
    if (!this.isFull) this.asked.push({ what, about, answer });
    return answer;
  }
}
