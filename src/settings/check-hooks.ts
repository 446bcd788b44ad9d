/** Judges what the schema cannot know of hooks: names that were meant to be others, and guards that would never run. */
import { isObject } from '../core/json.ts';
import { eventRow, HOOK_EVENTS, type HookEvent, isHookEvent, NEVER_FIRES } from '../hooks/events.ts';
import { deadMatcher } from '../hooks/match.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { conditionProblem } from '../permissions/condition.ts';
import { TOOLS } from '../tools/registry.ts';
import { GROUP_FIELDS, HANDLER_FIELDS, type WrittenGroup, type WrittenHandler } from './hook-schema.ts';
import type { JsonDocument, JsonPath } from './json.ts';
import type { SettingsOrigin } from './origin.ts';
import { describeValue, keyText, type SettingsProblem } from './problem.ts';
import { alternatives } from './schema-fault.ts';

interface FileInHand {
  readonly origin: SettingsOrigin;
  readonly document: JsonDocument;
}

const EVENTS = Object.keys(HOOK_EVENTS);
const KNOWN_TOOLS: ReadonlySet<string> = new Set(TOOLS.map(({ name }) => name));

/** Fields that Claude Code knows and we do not act on. */
const UNSUPPORTED_FIELDS = new Set(['asyncRewake', 'rewakeMessage', 'rewakeSummary']);

export function checkEventName(file: FileInHand, event: string, value: unknown): readonly SettingsProblem[] {
  const path = ['hooks', event];
  if (isHookEvent(event) || isNote(event)) return [];
  if (NEVER_FIRES.some((known) => known === event)) {
    return [atKey(file, path, 'warning', { message: 'this event never fires here: its hooks do not run' })];
  }
  const near = nearMiss(event, [...EVENTS, ...NEVER_FIRES]);
  // A text holds no hooks that could be missed.
  if (near === undefined && typeof value === 'string') return [];
  return [misnamed(file, path, near, 'event, its hooks do not run')];
}

/** JSON has no comments: people write them as keys of their own, and take a key out by a dash before its name. */
function isNote(key: string): boolean {
  return key.startsWith('_') || key.startsWith('//') || key === 'description' || key === 'comment';
}

export function checkGroup(
  file: FileInHand,
  event: HookEvent,
  path: JsonPath,
  group: WrittenGroup,
): readonly SettingsProblem[] {
  const problem = deadMatcher(event, group.matcher);
  return [
    ...checkFields(file, path, group, GROUP_FIELDS),
    ...(problem === undefined
      ? []
      : [atValue(file, [...path, 'matcher'], { message: problem, found: describeValue(group.matcher) })]),
  ];
}

/** Of a group or hook that does not fit: a misspelt name may be all that is wrong with it. */
export function checkNames(file: FileInHand, path: JsonPath, value: unknown): readonly SettingsProblem[] {
  const known = path.length === 3 ? GROUP_FIELDS : HANDLER_FIELDS;
  const found = isObject(value) ? checkFields(file, path, value, known) : [];
  return found.filter(({ nearMiss }) => nearMiss !== undefined);
}

export function checkHandler(
  file: FileInHand,
  event: HookEvent,
  path: JsonPath,
  handler: WrittenHandler,
): readonly SettingsProblem[] {
  const at = (field: string, facts: Facts): SettingsProblem => atValue(file, [...path, field], facts);
  if (handler.type !== 'command' && handler.type !== 'http') {
    const near = nearMiss(handler.type, ['command', 'http']);
    const effect = eventRow(event).isGate ? 'each run counts as failed' : 'it does nothing';
    const message = `hooks of type ${JSON.stringify(handler.type)} are not supported: ${effect}`;
    const told = at('type', { message, ...(near === undefined ? {} : { nearMiss: near }) });
    const isSlip = near !== undefined && file.origin.dialect === 'hookd';
    return [isSlip ? { ...told, severity: 'error' } : told];
  }
  const { command, onFailure } = handler;
  const { failureCan } = eventRow(event);
  return [
    ...checkFields(file, path, handler, HANDLER_FIELDS),
    ...(command !== undefined && command.trim() === ''
      ? [at('command', { message: 'an empty command does nothing' })]
      : []),
    ...(onFailure !== undefined && !failureCan.includes(onFailure)
      ? [
          at('onFailure', {
            message: `${JSON.stringify(onFailure)} has no effect on ${event}`,
            expected: alternatives(failureCan.map((can) => JSON.stringify(can))),
          }),
        ]
      : []),
    ...(handler.once === true
      ? [at('once', { message: 'no effect in settings: the hook runs every time' })]
      : []),
    ...checkCondition(file, event, [...path, 'if'], handler.if),
  ];
}

/** A condition that no call can fit switches its hook off. */
function checkCondition(
  file: FileInHand,
  event: HookEvent,
  path: JsonPath,
  condition: string | undefined,
): readonly SettingsProblem[] {
  if (condition === undefined || condition === '') return [];
  if (!eventRow(event).hasCondition) {
    return [atValue(file, path, { message: `on ${event} there is no call to judge: this hook never runs` })];
  }
  const problem = conditionProblem(condition, KNOWN_TOOLS);
  return problem === undefined
    ? []
    : [atValue(file, path, { message: `${stopped(problem)}; this hook never runs` })];
}

const stopped = (sentence: string): string => sentence.replace(/\.$/, '');

function checkFields(
  file: FileInHand,
  path: JsonPath,
  value: object,
  known: readonly string[],
): readonly SettingsProblem[] {
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .flatMap((field): readonly SettingsProblem[] => {
      const here = [...path, field];
      const misplaced = misplacedField(known, field);
      if (misplaced !== undefined) return [atKey(file, here, 'warning', misplaced)];
      if (known === HANDLER_FIELDS && UNSUPPORTED_FIELDS.has(field)) {
        if (field === 'asyncRewake' && !isOn(value, field)) return [];
        return [atKey(file, here, 'warning', { message: 'not supported, the hook runs as without it' })];
      }
      const near = nearMiss(field, known);
      // Claude Code passes such fields over, and people leave notes of their own in them.
      if (near === undefined && file.origin.dialect === 'claude') return [];
      return [misnamed(file, here, near, 'field, ignored')];
    });
}

/** Of a hook on its group, or the other way round. Claude Code passes over it, too. */
function misplacedField(known: readonly string[], field: string): Facts | undefined {
  if (known === GROUP_FIELDS && HANDLER_FIELDS.includes(field)) {
    const message = field === 'if' ? 'its hooks run for calls that do not fit it, too' : 'it is ignored';
    return { message: `it belongs into each hook: here ${message}`, advice: 'Move it beside "type".' };
  }
  if (known === HANDLER_FIELDS && field === 'matcher') {
    const message = 'it belongs beside "hooks": here the hook runs for what does not fit it, too';
    return { message, advice: 'Give the hook a group of its own.' };
  }
  return undefined;
}

function isOn(value: object, field: string): boolean {
  return Object.entries(value).some(([key, set]) => key === field && set !== false);
}

/** In a file of our own a near miss is an error; Claude Code's files have lived with it. */
function misnamed(file: FileInHand, path: JsonPath, near: string | undefined, what: string): SettingsProblem {
  if (near === undefined) return atKey(file, path, 'warning', { message: `unknown ${what}` });
  if (file.origin.dialect === 'claude')
    return atKey(file, path, 'warning', { message: `unknown ${what}`, nearMiss: near });
  return atKey(file, path, 'error', {
    message: `unknown ${what.split(',')[0]}, so near a known one that its loss would be an accident`,
    nearMiss: near,
    advice: 'Correct or remove it.',
  });
}

type Facts = Pick<SettingsProblem, 'message' | 'expected' | 'found' | 'nearMiss' | 'advice'>;

function atKey(
  { origin, document }: FileInHand,
  path: JsonPath,
  severity: SettingsProblem['severity'],
  facts: Facts,
): SettingsProblem {
  return { severity, file: origin.file, ...document.placeOfKey(path), key: keyText(path), ...facts };
}

function atValue({ origin, document }: FileInHand, path: JsonPath, facts: Facts): SettingsProblem {
  return {
    severity: 'warning',
    file: origin.file,
    ...document.placeOf(path),
    key: keyText(path),
    ...facts,
  };
}
