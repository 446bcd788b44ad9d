/** Keys of an answer that a program seems to print where they have no effect. A guess from its words, as in lint-script.ts. */
import { eventRow } from './events.ts';
import type { Found, ScriptInHand } from './lint-script.ts';

export function keysInTheWrongPlace(script: ScriptInHand): readonly Found[] {
  return [...outside(script), ...requestOutside(script), ...onOtherEvents(script), ...decisionInside(script)];
}

const INSIDE = 'permissionDecision|updatedInput|updatedToolOutput|additionalContext';
const ANY_KEY = new RegExp(`\\\\?["']?\\b(${INSIDE})\\\\?["']?\\s*(?::|=>)`);
/** Printed as the first key of an object. */
const PRINTED = new RegExp(
  `\\b(?:echo|printf|print|console\\.log|puts)\\b(?!.*hookSpecificOutput).*\\{\\s*\\\\?["'](${INSIDE})\\\\?["']`,
);

/** What another file of the author prints cannot be told from this one. */
const PRINTS_ELSEWHERE = /\b(?:from|require\(|import)\s*['"]\.|^\s*(?:source|\.)\s/m;

function outside({ text }: ScriptInHand): readonly Found[] {
  const fits = /hookSpecificOutput/.test(text)
    ? PRINTED.exec(text)
    : PRINTS_ELSEWHERE.test(text)
      ? null
      : ANY_KEY.exec(text);
  if (fits === null) return [];
  const key = fits[1] ?? '';
  return [
    {
      rule: 'key-in-wrong-place',
      at: fits.index,
      what: `"${key}" seems to be printed outside of "hookSpecificOutput"`,
      why: 'there it has no effect: the hook then says nothing',
      fix: `Print {"hookSpecificOutput": {"hookEventName": "EVENT", "${key}": …}}.`,
    },
  ];
}

/** What a PermissionRequest hook says stands inside: at the top only other events have a decision. */
function requestOutside({ text, uses }: ScriptInHand): readonly Found[] {
  const isOfRequests = uses.length > 0 && uses.every(({ event }) => event === 'PermissionRequest');
  const fits = /\\?["']?\b(decision|behavior)\\?["']?\s*(?::|=>)/.exec(text);
  const mayBeInside = /hookSpecificOutput/.test(text) || PRINTS_ELSEWHERE.test(text);
  if (!isOfRequests || fits === null || mayBeInside) return [];
  return [
    {
      rule: 'key-in-wrong-place',
      at: fits.index,
      what: `"${fits[1]}" seems to be printed outside of "hookSpecificOutput"`,
      why: 'on PermissionRequest it has no effect there: the hook then says nothing',
      fix: REQUEST_FIX,
    },
  ];
}

/** A name of the event that it is for may be one of several that the program answers. */
function onOtherEvents({ text, uses }: ScriptInHand): readonly Found[] {
  const [first] = uses;
  const fits = /\\?["']?\bpermissionDecision\\?["']?\s*(?::|=>)/.exec(text);
  const isFit = uses.some(({ event }) => eventRow(event).answers.includes('permissionDecision'));
  const isInside = /hookSpecificOutput/.test(text);
  if (first === undefined || fits === null || isFit || !isInside || /PreToolUse/.test(text)) return [];
  return [
    {
      rule: 'key-in-wrong-place',
      at: fits.index,
      what: `"permissionDecision" seems to be printed on ${first.event}`,
      why: 'it has an effect on PreToolUse only: the hook then says nothing',
      fix: first.event === 'PermissionRequest' ? REQUEST_FIX : 'See the table of events in docs/hooks.md.',
    },
  ];
}

const REQUEST_FIX =
  'Print {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny"}}}.';

const INSIDE_DECISION =
  /hookSpecificOutput\\?["']?\]?\s*(?::|=>?)\s*\{([^{}]*?)(?<![\w-])\\?["']?decision\\?["']?\s*(?::|=>)/;

function decisionInside({ text, uses }: ScriptInHand): readonly Found[] {
  const fits = INSIDE_DECISION.exec(text);
  if (fits === null) return [];
  const [, named] = /hookEventName\\?["']?\s*(?::|=>)\s*\\?["'](\w+)/.exec(fits[1] ?? '') ?? [];
  const isOfRequests =
    named === undefined
      ? /PermissionRequest/.test(text) || uses.every(({ event }) => event === 'PermissionRequest')
      : named === 'PermissionRequest';
  if (isOfRequests) return [];
  return [
    {
      rule: 'key-in-wrong-place',
      at: fits.index,
      what: `"decision" seems to be printed inside of "hookSpecificOutput"${named === undefined ? '' : ` on ${named}`}`,
      why: 'there it has an effect on PermissionRequest only: the hook then says nothing',
      fix: 'On PreToolUse write "permissionDecision" ("deny", "ask", "allow"); elsewhere put "decision": "block" at the top.',
    },
  ];
}
