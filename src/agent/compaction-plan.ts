/** What of a conversation goes and what stays when it is shortened, and the words around a summary. Pure. */
import type { CutOutput, Message } from '../core/vocabulary.ts';
import { firstCharacters } from '../lib/kept-output.ts';
import { cutNote, holdsResults } from './shorten.ts';

export interface Measured {
  readonly messages: readonly Message[];
  /** Of each message, in bytes. */
  readonly sizes: readonly number[];
  /** Where a turn begins. */
  readonly starts: readonly number[];
}

/** In bytes. */
export interface Room {
  /** For turns that are over, word for word. */
  readonly turns: number;
  /** For the last turn: a longer one is not kept whole. */
  readonly lastTurn: number;
}

/**
 * The first message that stays: of a turn, as long as whole turns fit; else, in the last turn, of the model, after all the
 * results before it. Undefined where nothing is gained.
 */
export function keepFrom({ messages, sizes, starts }: Measured, room: Room): number | undefined {
  const bytesFrom = suffixSums(sizes);
  const size = (index: number): number => bytesFrom[index] ?? 0;
  const gains = (index: number): boolean => messages.slice(0, index).some(({ role }) => role === 'assistant');
  const turns = starts.filter(gains);
  const last = starts.at(-1);
  const fitting = turns.find((index) => size(index) <= room.turns);
  if (fitting !== undefined) return fitting;
  if (last !== undefined && gains(last) && size(last) <= room.lastTurn) return last;
  const steps = messages.flatMap((message, index) => {
    const isStep = message.role === 'assistant' && messages[index - 1]?.role === 'user';
    return isStep && index > (last ?? 0) && gains(index) ? [index] : [];
  });
  return steps.find((index) => size(index) <= room.turns) ?? steps.at(-1) ?? turns.at(-1);
}

function suffixSums(sizes: readonly number[]): readonly number[] {
  const sums: number[] = [];
  let sum = 0;
  for (let index = sizes.length - 1; index >= 0; index -= 1) {
    sum += sizes[index] ?? 0;
    sums[index] = sum;
  }
  return sums;
}

/** A shorter output is not worth a line that says it is gone. */
const SHORT_CHARACTERS = 400;

/** The outputs of tools before message `before` that are worth it. */
export function outputsToCut(messages: readonly Message[], before: number): readonly CutOutput[] {
  return messages.slice(0, before).flatMap((message) => {
    if (!holdsResults(message)) return [];
    return message.content.flatMap((block) => {
      if (block.type !== 'tool_result' || block.content.length <= SHORT_CHARACTERS) return [];
      return [{ tool_use_id: block.tool_use_id, characters: block.content.length }];
    });
  });
}

/** About how many bytes that saves. */
export function savedBy(outputs: readonly CutOutput[]): number {
  return outputs.reduce((saved, output) => saved + output.characters - cutNote(output).length, 0);
}

/** What the model is asked. `wishes`: of the user, and of hooks. */
export function summaryRequest(wishes: readonly string[]): string {
  return [
    'Stop here and write a summary of this conversation. It takes the place of what was said until now: you go on from it alone. Do not call a tool: no call of this answer runs.',
    'In plain text: what the user asked for, word for word where it matters, and what they refused or corrected; what was found out (files with their paths, facts, errors and what solved them); what was changed, and what of it was checked; what is left to do, and the very next step.',
    ...wishes.map((wish) => `Keep this in particular: ${wish}`),
  ].join('\n\n');
}

const LONGEST_PROMPT = 20_000;

/** The message that stands for what is gone; `prompt` is the one that is worked on, where that is gone too. */
export function summaryMessage(summary: string, prompt: string | undefined): string {
  const lead = 'The conversation until here was shortened. This summary stands for it:';
  if (prompt === undefined) return `${lead}\n\n${summary}`;
  const kept = firstCharacters(prompt, LONGEST_PROMPT);
  const rest = prompt.length - kept.length;
  const shown = rest > 0 ? `${kept}\n... (${rest} more characters)` : prompt;
  return `${lead}\n\n${summary}\n\nThe prompt of the user that you are working on, word for word:\n\n${shown}`;
}
