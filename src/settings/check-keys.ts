/**
 * Judges the keys of a settings file by name: unknown, misspelt, misplaced, not supported, not counted here.
 * A name whose loss could loosen what the writer relies on is an error, every other oddity a warning.
 */
import { isObject } from '../core/json.ts';
import { isHookEvent } from '../hooks/events.ts';
import { nearMiss } from '../lib/near-miss.ts';
import type { JsonDocument, JsonPath } from './json.ts';
import { isOfProject, type SettingsOrigin } from './origin.ts';
import { keyText, type SettingsProblem } from './problem.ts';
import { countsInProjects, isOnlyManaged, PERMISSION_KEYS, TOP_LEVEL_KEYS } from './schema.ts';
import { UNSUPPORTED_PERMISSIONS, UNSUPPORTED_TOP_LEVEL, type UnsupportedKey } from './unsupported.ts';

/** Words that people write for one of the three lists. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ...[
    'denied',
    'denies',
    'disallow',
    'disallowed',
    'block',
    'blocked',
    'forbid',
    'forbidden',
    'blacklist',
  ].map((word) => [word, 'deny'] as const),
  ...['allowed', 'allows', 'allowlist', 'whitelist'].map((word) => [word, 'allow'] as const),
  ...['confirm', 'prompt'].map((word) => [word, 'ask'] as const),
]);

/** Keys of `permissions` that stand beside it, where they do nothing. */
const MISPLACED: ReadonlyMap<string, string> = new Map([
  ...[...PERMISSION_KEYS, ...keysThatGuard(UNSUPPORTED_PERMISSIONS)].map((key) => [key, key] as const),
  ['allowedTools', 'allow'],
  ['disallowedTools', 'deny'],
]);

/** Names are compared with each other: a stranger's file must not make that slow. */
const MOST_KEYS = 1000;

interface FileInHand {
  readonly origin: SettingsOrigin;
  readonly document: JsonDocument;
}

export function checkKeys(file: FileInHand): readonly SettingsProblem[] {
  const { value } = file.document;
  if (!isObject(value)) return [];
  const { permissions, hooks } = value;
  const crowd = [
    { path: [], keys: value },
    { path: ['permissions'], keys: permissions },
    { path: ['hooks'], keys: hooks },
  ].find(({ keys }) => isObject(keys) && Object.keys(keys).length > MOST_KEYS);
  if (crowd !== undefined) {
    return [
      problem(file, crowd.path, 'error', { message: `more than ${MOST_KEYS} keys; these are no settings` }),
    ];
  }
  return [
    ...Object.keys(value).flatMap((key) => checkTopLevel(file, key, value[key])),
    ...(isObject(permissions)
      ? Object.keys(permissions).flatMap((key) => checkPermission(file, key, permissions[key]))
      : []),
  ];
}

function checkTopLevel(file: FileInHand, key: string, value: unknown): readonly SettingsProblem[] {
  const path = [key];
  if (TOP_LEVEL_KEYS.includes(key)) return notCounted(file, path);
  const unsupported = UNSUPPORTED_TOP_LEVEL.get(key);
  if (unsupported !== undefined) return notSupported(file, path, unsupported, value);
  const placed = MISPLACED.get(key);
  if (placed !== undefined) return [misplaced(file, path, 'permissions', placed)];
  if (isHookEvent(key)) return [misplaced(file, path, 'hooks', key)];
  const guards = ['permissions', 'hooks', ...keysThatGuard(UNSUPPORTED_TOP_LEVEL)];
  const near = nearMiss(key, [...TOP_LEVEL_KEYS, ...UNSUPPORTED_TOP_LEVEL.keys()]);
  return near === undefined ? unknown(file, path) : misspelt(file, path, near, guards.includes(near));
}

function checkPermission(file: FileInHand, key: string, value: unknown): readonly SettingsProblem[] {
  const path = ['permissions', key];
  if (PERMISSION_KEYS.includes(key)) return notCounted(file, path);
  const unsupported = UNSUPPORTED_PERMISSIONS.get(key);
  if (unsupported !== undefined) return notSupported(file, path, unsupported, value);
  const near =
    permissionKeyFor(key) ?? nearMiss(key, [...PERMISSION_KEYS, ...UNSUPPORTED_PERMISSIONS.keys()]);
  return near === undefined ? unknown(file, path) : misspelt(file, path, near, true);
}

/** The list that a key was surely meant to be: its own name, another word for it, or its name with something behind. */
function permissionKeyFor(key: string): string | undefined {
  if (PERMISSION_KEYS.includes(key)) return key;
  const word = key.toLowerCase();
  const longer = ['deny', 'ask'].find((list) =>
    new RegExp(`^${list}(?:[-_ ]?(?:list|rules?|ed)|s)$`).test(word),
  );
  return OTHER_WORDS.get(word) ?? longer;
}

function keysThatGuard(keys: ReadonlyMap<string, UnsupportedKey>): readonly string[] {
  return [...keys].filter(([, row]) => row.guards !== undefined).map(([key]) => key);
}

const NEVER = { message: 'ignored: a project cannot set this, trusted or not' };

function notCounted(file: FileInHand, path: JsonPath): readonly SettingsProblem[] {
  const { origin } = file;
  if (isOnlyManaged(path)) {
    if (origin.scope === 'managed') return [];
    return [problem(file, path, 'warning', { message: 'ignored: it counts in managed settings only' })];
  }
  if (!isOfProject(origin) || countsInProjects(path, origin.isTrusted)) return [];
  // Claude Code's names for models are not ours, in no file of it.
  if (origin.dialect === 'claude' && keyText(path) === 'model') return [];
  if (!countsInProjects(path, true)) {
    return [problem(file, path, 'warning', NEVER)];
  }
  const what = keyText(path) === 'hooks' ? 'none of these hooks runs' : 'ignored';
  return [problem(file, path, 'warning', { message: `${what} until this project is trusted (hookd trust)` })];
}

/** Of a key that guards the reader is always told what is lost; of Claude Code's own keys, in its own files, only then. */
function notSupported(
  file: FileInHand,
  path: JsonPath,
  row: UnsupportedKey,
  value: unknown,
): readonly SettingsProblem[] {
  const { origin } = file;
  if (row.guards?.(value) !== true) {
    if (origin.dialect === 'claude') return [];
    return [problem(file, path, 'warning', { message: 'not supported yet, ignored' })];
  }
  const message = `not supported yet: ${row.loss ?? ''}`;
  if (origin.dialect === 'claude' || !origin.isTrusted)
    return [problem(file, path, 'warning', { message: `${message}; ignored` })];
  return [problem(file, path, 'error', { message, advice: 'Remove it to go on without it.' })];
}

/** Claude Code passes over what it does not know: its files may hold anything, but a lost guard is told. */
function misplaced(file: FileInHand, path: JsonPath, home: string, key: string): SettingsProblem {
  return problem(file, path, file.origin.dialect === 'claude' ? 'warning' : 'error', {
    message: `this key belongs inside "${home}", where it would count`,
    advice: `Move it to ${home}.${key}.`,
  });
}

function misspelt(
  file: FileInHand,
  path: JsonPath,
  near: string,
  isGuard: boolean,
): readonly SettingsProblem[] {
  const isOurs = file.origin.dialect === 'hookd';
  if (!isOurs && !isGuard) return [];
  if (!isOurs || !isGuard)
    return [problem(file, path, 'warning', { message: 'unknown key, ignored', nearMiss: near })];
  return [
    problem(file, path, 'error', {
      message: 'unknown key, so near a known one that its loss would be an accident',
      nearMiss: near,
      advice: 'Correct or remove it.',
    }),
  ];
}

function unknown(file: FileInHand, path: JsonPath): readonly SettingsProblem[] {
  if (file.origin.dialect === 'claude') return [];
  if (DAMAGED.test(String(path.at(-1)))) {
    const message = 'a key with characters that no key has: the file may be damaged';
    return [problem(file, path, 'error', { message, advice: 'Correct or remove it.' })];
  }
  return [problem(file, path, 'warning', { message: 'unknown key, ignored' })];
}

/** `"deny"` of which one byte becomes a backslash is `"d\ny"`, which is near to nothing. */
const DAMAGED = /[\u0000-\u001f\ufffd]/;

function problem(
  { origin, document }: FileInHand,
  path: JsonPath,
  severity: SettingsProblem['severity'],
  facts: Pick<SettingsProblem, 'message' | 'nearMiss' | 'advice'>,
): SettingsProblem {
  return { severity, file: origin.file, ...document.placeOfKey(path), key: keyText(path), ...facts };
}
