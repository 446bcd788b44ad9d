/**
 * How much of what a hook says goes on to the model and to those who watch. Refusals are whole, as in Claude Code; the
 * record of a run holds what it held.
 */
import { firstCharacters, withoutMiddle } from '../lib/kept-output.ts';

/** A hook must not fill the model's context. */
const LONGEST_CONTEXT = 10_000;
const LONGEST_MESSAGE = 10_000;
/** As much as of what a command prints. */
const LONGEST_STREAM = 50_000;

/** What is added for the model. */
export function limitedContext(text: string): string {
  if (text.length <= LONGEST_CONTEXT) return text;
  const kept = firstCharacters(text, LONGEST_CONTEXT);
  return `${kept}\n... (${text.length - kept.length} more characters of this hook were left out)`;
}

/** A message or a warning for people. */
export function limitedMessage(text: string): string {
  return withoutMiddle(text, LONGEST_MESSAGE);
}

/** stdout or stderr, for programs that watch. */
export function limitedStream(text: string): string {
  return withoutMiddle(text, LONGEST_STREAM);
}
