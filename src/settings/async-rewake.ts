/**
 * `asyncRewake`: Claude Code runs such a hook behind the conversation and wakes the model when it exits with 2. Waking is
 * not supported; it runs behind all the same, for days if it likes, where no answer of it could have held anything back.
 */
import { eventRow, type HookEvent } from '../hooks/events.ts';

/** True where hooks of the event are told, or give their opinion, of what has happened: nothing waits for their yes. */
export function mayRunBehind(event: HookEvent): boolean {
  const { isGate, exit2 } = eventRow(event);
  return !isGate && (exit2 === 'nothing' || exit2 === 'feedback' || exit2 === 'goOn');
}

export function runsBehind(event: HookEvent, written: object): boolean {
  return mayRunBehind(event) && 'asyncRewake' in written && written.asyncRewake === true;
}
