/** Keys of an answer that are nearly known ones: they have no effect, and a guard that prints one says nothing. */
import { asObject } from '../core/json.ts';
import type { JsonObject } from '../core/vocabulary.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { eventRow, type HookEvent } from './events.ts';

/** Short names have neighbours that are other words (`region`, `reason`), and what they say is no verdict. */
const TOP = ['continue', 'stopReason', 'systemMessage', 'suppressOutput', 'hookSpecificOutput'];
const OF_REQUEST = ['behavior', 'interrupt', 'updatedInput'];

/** `specific` is what counts of `hookSpecificOutput`. */
export function nearKeys(event: HookEvent, object: JsonObject, specific: JsonObject): string[] {
  const { answers } = eventRow(event);
  const ofRequest = answers.includes('decision.behavior');
  const inside = [
    'hookEventName',
    ...answers.flatMap((field) => INSIDE[field] ?? []),
    ...(ofRequest ? ['decision'] : answers.filter((field) => field === 'updatedInput')),
  ];
  const top = [...TOP, ...answers.filter((field) => field === 'decision')];
  const within = '"hookSpecificOutput"';
  return [
    ...Object.keys(object).flatMap((key) =>
      nearMiss(key, top) === undefined && !top.includes(key)
        ? told(key, inside, ` in ${within}`)
        : told(key, top, ''),
    ),
    ...Object.keys(specific).flatMap((key) => told(key, inside, '')),
    ...(ofRequest
      ? Object.keys(asObject(specific['decision'])).flatMap((key) => told(key, OF_REQUEST, ''))
      : []),
  ];
}

const INSIDE: Partial<Record<string, readonly string[]>> = {
  permissionDecision: ['permissionDecision', 'permissionDecisionReason'],
  additionalContext: ['additionalContext'],
  updatedToolOutput: ['updatedToolOutput', 'updatedMCPToolOutput'],
};

function told(key: string, known: readonly string[], where: string): string[] {
  const meant = nearMiss(key, known);
  // A word that begins with another letter is another word (`revision`, `decision`).
  if (meant === undefined || meant[0] !== key[0]?.toLowerCase()) return [];
  return [`"${key}" was ignored: no key is called so; "${meant}"${where} would have an effect`];
}
