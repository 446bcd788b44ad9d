/** What people and the model are told about a refusal: the hook's own words, unchanged, in a short frame. */
import { eventRow, type HookEvent } from './events.ts';
import { type Hook, type HookOutcome, hookRef } from './hook.ts';

const STOCK = { block: 'Blocked by hook', ask: 'A hook asks for confirmation' } as const;

/** `subject` is what the matcher was compared with. Nothing where there is no opinion. */
export function framedReason(
  event: HookEvent,
  hook: Hook,
  { verdict, reason }: Pick<HookOutcome, 'verdict' | 'reason'>,
  subject: string | undefined,
): string | undefined {
  if (verdict === 'none') return undefined;
  if (verdict === 'allow') return reason;
  const words = reason || `${STOCK[verdict]}: [${hookName(hook)}]`;
  if (verdict === 'ask') return words;
  const label = subject === undefined ? event : `${event}:${subject}`;
  switch (eventRow(event).exit2) {
    case 'deny':
      return `${label} hook error: ${words}`;
    case 'feedback':
      return `${label} hook blocking error from command: "${hookName(hook)}": ${words}`;
    case 'goOn':
      return `${label} hook feedback:\n${words}`;
    default:
      return words;
  }
}

/** The text of a call that did not run because a hook ended its turn. */
export function endedTurn(said: string | undefined): string {
  return `A hook ended the turn before this call ran.${said === undefined ? '' : ` It said: ${said}`}`;
}

export function hookName(hook: Hook): string {
  return hookRef(hook).name;
}

/** The end of a sentence: what was written to stderr, if anything was. */
export function afterColon(stderr: string): string {
  const text = stderr.trim();
  return text === '' ? '' : `: ${text}`;
}
