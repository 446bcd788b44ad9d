/** What a JSON answer says in a place, on an event or in a word that has no effect: for the user, so that no guard stays dumb. */
import { asObject } from '../core/json.ts';
import type { JsonObject } from '../core/vocabulary.ts';
import { eventRow, type HookEvent } from './events.ts';
import { nearKeys } from './near-keys.ts';

const INSIDE_ONLY = ['permissionDecision', 'additionalContext', 'updatedInput', 'updatedToolOutput'];
const TOP_ONLY = ['systemMessage', 'stopReason'];
const NOT_SUPPORTED = ['retry', 'sessionTitle', 'initialUserMessage', 'watchPaths', 'updatedMCPToolOutput'];

/** `specific` is what counts of `hookSpecificOutput`. */
export function withoutEffect(event: HookEvent, object: JsonObject, specific: JsonObject): string[] {
  return [
    ...misplacedKeys(event, object, specific),
    ...misplacedDecisions(event, object, specific),
    ...wrongWords(event, object, specific),
    ...nearKeys(event, object, specific),
  ];
}

function misplacedKeys(event: HookEvent, object: JsonObject, specific: JsonObject): string[] {
  const { answers } = eventRow(event);
  const warnings: string[] = [];
  for (const key of INSIDE_ONLY) {
    if (has(object, key)) warnings.push(`"${key}" was ignored: it belongs into "hookSpecificOutput"`);
    if (has(specific, key) && !answers.some((name) => name === key))
      warnings.push(`"${key}" was ignored: it has no effect on ${event}`);
  }
  for (const key of TOP_ONLY)
    if (has(specific, key))
      warnings.push(`"${key}" was ignored: it belongs beside "hookSpecificOutput", not into it`);
  for (const key of NOT_SUPPORTED)
    if (has(specific, key)) warnings.push(`"${key}" was ignored: it is not supported`);
  if (has(asObject(specific['decision']), 'updatedPermissions'))
    warnings.push('"updatedPermissions" was ignored: it is not supported');
  if (answers.includes('decision.behavior') && has(specific, 'updatedInput'))
    warnings.push(
      '"updatedInput" was ignored: on PermissionRequest it belongs into "decision" in "hookSpecificOutput"',
    );
  return warnings;
}

/** One word for two things: at the top most events have a `decision`, inside only PermissionRequest has. */
function misplacedDecisions(event: HookEvent, object: JsonObject, specific: JsonObject): string[] {
  const { answers } = eventRow(event);
  const ofRequest = answers.includes('decision.behavior');
  const warnings: string[] = [];
  if (has(object, 'decision') && !answers.includes('decision'))
    warnings.push(
      ofRequest
        ? `"decision" was ignored: it has no effect on ${event} but in "hookSpecificOutput", as {"behavior": …}`
        : `"decision" was ignored: it has no effect on ${event}`,
    );
  if (has(specific, 'decision') && !ofRequest)
    warnings.push(
      `"decision" in "hookSpecificOutput" was ignored: there it has an effect on PermissionRequest only${insteadOf(event)}`,
    );
  if (has(object, 'behavior') || has(specific, 'behavior'))
    warnings.push(
      '"behavior" was ignored: it belongs into "decision" in "hookSpecificOutput", on PermissionRequest',
    );
  return warnings;
}

function insteadOf(event: HookEvent): string {
  const { answers } = eventRow(event);
  if (answers.includes('permissionDecision')) return `; on ${event} "permissionDecision" has`;
  return answers.includes('decision') ? `; on ${event} "decision": "block" at the top has` : '';
}

function wrongWords(event: HookEvent, object: JsonObject, specific: JsonObject): string[] {
  const { answers } = eventRow(event);
  const warnings: string[] = [];
  if (object['continue'] === false && !answers.includes('continue'))
    warnings.push(`"continue": false has no effect on ${event}`);
  if (specific['continue'] === false)
    warnings.push('"continue" was ignored: it belongs beside "hookSpecificOutput", not into it');
  if (object['decision'] === 'allow')
    warnings.push('"decision": "allow" says nothing; "permissionDecision" in "hookSpecificOutput" would');
  if (specific['permissionDecision'] === 'approve' && answers.includes('permissionDecision'))
    warnings.push('"permissionDecision": "approve" says nothing; "allow" would');
  if (object['async'] === true)
    warnings.push('it was waited for: "async": true counts in the settings, not on stdout');
  return warnings;
}

/** `null` is as good as absent. */
function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== null;
}
