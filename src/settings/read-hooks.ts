/**
 * Turns the `hooks` of one settings file into hooks, or into what is wrong with them. A fault on a gate event refuses
 * the file; elsewhere Claude Code skips the entry and goes on, and so do we, but never silently.
 */
import type { ErrorObject } from 'ajv';
import { isObject } from '../core/json.ts';
import { HOOK_EVENTS, type HookEvent, isHookEvent } from '../hooks/events.ts';
import type { Handler, Hook } from '../hooks/hook.ts';
import { checkEventName, checkGroup, checkHandler, checkNames } from './check-hooks.ts';
import type { WrittenGroup, WrittenHandler } from './hook-schema.ts';
import type { JsonDocument, JsonPath } from './json.ts';
import type { SettingsOrigin } from './origin.ts';
import { keyText, type SettingsProblem } from './problem.ts';
import { factsOfFault, isEcho, pathOfFault } from './schema-fault.ts';

export interface ReadHooks {
  /** In the order of the file. */
  readonly hooks: readonly Hook[];
  readonly problems: readonly SettingsProblem[];
}

/** `errors` are those of the schema for the whole file. */
export function readHooks(
  origin: SettingsOrigin,
  document: JsonDocument,
  errors: readonly ErrorObject[],
): ReadHooks {
  const written = isObject(document.value) ? document.value['hooks'] : undefined;
  // Of an untrusted file no hook counts, whatever is wrong with it; that it is ignored is told with the key.
  if (written === undefined || !origin.isTrusted) return { hooks: [], problems: [] };
  const faults = errors.filter((error) => pathOfFault(error)[0] === 'hooks' && !isEcho(error));
  const skipped = new Set(faults.flatMap((error) => entryOf(pathOfFault(error)) ?? []));
  const problems = faults.map((error) => problemOfFault(origin, document, error));
  const hooks: Hook[] = [];
  for (const [event, groups] of isObject(written) ? Object.entries(written) : []) {
    const file = { origin, document };
    problems.push(...checkEventName(file, event, groups));
    if (!isHookEvent(event) || !Array.isArray(groups)) continue;
    // The schema has judged every group and handler; those that do not fit are passed over here.
    for (const [index, group] of (groups as readonly WrittenGroup[]).entries()) {
      const path = ['hooks', event, index];
      if (skipped.has(keyText(path))) {
        problems.push(...checkNames(file, path, group));
        continue;
      }
      problems.push(...checkGroup(file, event, path, group));
      for (const [place, handler] of group.hooks.entries()) {
        const here = [...path, 'hooks', place];
        if (skipped.has(keyText(here))) {
          problems.push(...checkNames(file, here, handler));
          continue;
        }
        problems.push(...checkHandler(file, event, here, handler));
        hooks.push(hookOf(origin, document, event, here, group.matcher, handler));
      }
    }
  }
  return { hooks, problems };
}

/** `hooks.Stop[0].hooks[1]`, or the group where that is what does not fit; undefined for what is larger than an entry. */
function entryOf(path: JsonPath): string | undefined {
  if (path.length >= 5) return keyText(path.slice(0, 5));
  return path.length >= 3 ? keyText(path.slice(0, 3)) : undefined;
}

function problemOfFault(origin: SettingsOrigin, document: JsonDocument, error: ErrorObject): SettingsProblem {
  const path = pathOfFault(error);
  const [, event] = path;
  const isFatal = entryOf(path) === undefined || (isHookEvent(String(event)) && isGate(event as HookEvent));
  const { message, ...facts } = factsOfFault(error);
  return {
    severity: isFatal ? 'error' : 'warning',
    file: origin.file,
    ...document.placeOf(path),
    key: keyText(path),
    message: isFatal ? message : `${message}; this entry is left out`,
    ...facts,
    ...flatListAdvice(path, error),
  };
}

/** The list of a group is often forgotten: `"Stop": [{"type": "command", …}]`. */
function flatListAdvice(path: JsonPath, { keyword, data }: ErrorObject): Partial<SettingsProblem> {
  const isHandler = keyword === 'required' && path.length === 3 && isObject(data) && 'type' in data;
  return isHandler ? { advice: 'Put what runs into a list: {"hooks": [{"type": …}]}.' } : {};
}

const isGate = (event: HookEvent): boolean => HOOK_EVENTS[event].isGate;

function hookOf(
  { file, scope, dialect }: SettingsOrigin,
  document: JsonDocument,
  event: HookEvent,
  path: JsonPath,
  matcher: string | undefined,
  written: WrittenHandler,
): Hook {
  return Object.freeze({
    event,
    matcher,
    handler: handlerOf(written),
    timeoutMs: written.timeout === undefined ? undefined : inMs(written.timeout),
    // An empty condition is none.
    condition: written.if === '' ? undefined : written.if,
    isAsync: written.async === true,
    onFailure: written.onFailure,
    statusMessage: written.statusMessage,
    source: Object.freeze({ file, ...document.placeOf(path), scope, dialect }),
  });
}

function handlerOf({ type, command, args, shell, url, headers, allowedEnvVars }: WrittenHandler): Handler {
  switch (type) {
    case 'command': {
      const exec = args === undefined ? {} : { args: Object.freeze([...args]) };
      return Object.freeze({ type, command: command ?? '', ...exec, shell: shell ?? 'bash' });
    }
    case 'http':
      return Object.freeze({
        type,
        url: url ?? '',
        headers: Object.freeze({ ...headers }),
        allowedEnvVars: Object.freeze([...(allowedEnvVars ?? [])]),
      });
    default:
      return Object.freeze({ type: 'unsupported', name: type });
  }
}

function inMs(seconds: number): number {
  return Math.min(Math.max(1, Math.round(seconds * 1000)), Number.MAX_SAFE_INTEGER);
}
