/**
 * All hooks that the settings files hold, those that do not count too, with the reason: for people who look at them.
 * What is in force is for the store to say; here files are read as if they were trusted, and nothing is put in force.
 */
import { isObject } from '../core/json.ts';
import { isHookEvent, NEVER_FIRES } from '../hooks/events.ts';
import type { Hook } from '../hooks/hook.ts';
import { WAITS } from './holding.ts';
import { type HooksOfFile, joinHooks } from './hooks-in-force.ts';
import { parseStrictJson } from './json.ts';
import { type LoadedSettings, loadSettings } from './load.ts';
import type { SettingsOrigin } from './origin.ts';
import type { SettingsProblem } from './problem.ts';
import { readWhole } from './read-file.ts';
import { restrictHttp } from './restrictions.ts';
import type { SettingsPlace } from './scopes.ts';

/** A hook of an event that has no moment here. */
export interface SilentHook {
  readonly event: string;
  readonly file: string;
  readonly line: number;
}

export interface ConfiguredFile {
  /** As a session would see it: `isTrusted` may be false. */
  readonly origin: SettingsOrigin;
  readonly hooks: readonly Hook[];
  readonly silent: readonly SilentHook[];
  /** Why nothing of the file counts, or what is doubtful in it; of all keys. */
  readonly problems: readonly SettingsProblem[];
  readonly disablesHooks: LoadedSettings['values']['disablesHooks'];
  /** What it sets PATH to. */
  readonly path: string | undefined;
}

/**
 * Files that are not there are left out, but for those that somebody named. What may restrict their http hooks stands in
 * the files themselves and in those `around` them.
 */
export function configuredHooks(
  places: readonly SettingsPlace[],
  around: readonly SettingsPlace[] = [],
): readonly ConfiguredFile[] {
  const read = places.flatMap(readPlace);
  const restricting = [...read, ...around.flatMap(readPlace)].flatMap(({ loaded }) => loaded ?? []);
  return read.map(({ loaded: _, ...file }) => ({
    ...file,
    hooks: restrictHttp({ hooks: file.hooks }, restricting).hooks,
  }));
}

type ReadPlace = ConfiguredFile & { readonly loaded?: LoadedSettings };

function readPlace(place: SettingsPlace): readonly ReadPlace[] {
  const bytes = place.kind === 'inline' ? Buffer.from(place.text) : bytesOf(place);
  if (bytes === undefined) return [];
  if ('message' in bytes) return [fileWith(place.origin, { problems: [bytes] })];
  const result = loadSettings({ ...place.origin, isTrusted: true }, bytes, 'start');
  const silent = silentHooks(place.origin, bytes);
  if (!result.ok) return [fileWith(place.origin, { problems: result.problems, silent })];
  const { loaded } = result;
  const { hooks, warnings, values } = loaded;
  return [
    {
      ...fileWith(place.origin, {
        hooks,
        silent,
        problems: warnings,
        disablesHooks: values.disablesHooks,
        path: values.env?.['PATH'],
      }),
      loaded,
    },
  ];
}

function fileWith(origin: SettingsOrigin, parts: Partial<ConfiguredFile>): ConfiguredFile {
  return { origin, hooks: [], silent: [], problems: [], disablesHooks: undefined, path: undefined, ...parts };
}

function bytesOf({
  origin,
  isNamed,
}: SettingsPlace & { readonly kind: 'file' }): Uint8Array | SettingsProblem | undefined {
  const content = readWhole(origin.file);
  if (content.kind === 'content') return content.bytes;
  if (content.kind === 'missing' && !isNamed && !content.isDanglingLink) return undefined;
  const why = content.kind === 'missing' ? 'it does not exist' : content.why;
  const message = `the settings file cannot be used: ${why}`;
  return { severity: 'error', file: origin.file, line: 1, column: 1, key: '', message };
}

function silentHooks({ file }: SettingsOrigin, bytes: Uint8Array): readonly SilentHook[] {
  const parsed = parseStrictJson(file, new TextDecoder().decode(bytes));
  if (!parsed.ok || !isObject(parsed.document.value)) return [];
  const { value, placeOfKey } = parsed.document;
  const events = isObject(value['hooks']) ? Object.keys(value['hooks']) : [];
  return events
    .filter((event) => !isHookEvent(event) && NEVER_FIRES.some((known) => known === event))
    .map((event) => ({ event, file, line: placeOfKey(['hooks', event]).line }));
}

export interface HookOff {
  readonly hook: Hook;
  readonly why: string;
}

/** The hooks of these files that are not among those in force, in the order of their files; of `waiting` ones something waits for a person. */
export function hooksOff(
  files: readonly ConfiguredFile[],
  inForce: readonly Hook[],
  waiting: ReadonlyMap<string, string>,
): readonly HookOff[] {
  const place = ({ source: { file, line, column } }: Hook): string => `${line}:${column}:${file}`;
  const counted = new Set(inForce.map(place));
  const trusted = files.filter(({ origin }) => origin.isTrusted);
  const joined = new Set(joinHooks(trusted.map(forJoining)).inForce.hooks);
  const switches = trusted.filter(({ disablesHooks }) => disablesHooks !== undefined);
  const whyNot = (file: ConfiguredFile, hook: Hook): string => {
    if (!file.origin.isTrusted) return NOT_TRUSTED;
    if (!joined.has(hook)) return switchedOffBy(file, switches);
    return waiting.has(file.origin.file) ? WAITS : PINNED;
  };
  return files.flatMap((file) =>
    file.hooks.filter((hook) => !counted.has(place(hook))).map((hook) => ({ hook, why: whyNot(file, hook) })),
  );
}

const PINNED = 'managed settings reserve hooks to themselves';

const NOT_TRUSTED =
  'the project is not trusted (see hookd trust; --trust-project lets its hooks run, this time)';

function forJoining({ origin, hooks, disablesHooks }: ConfiguredFile): HooksOfFile {
  return { origin, hooks, ...(disablesHooks === undefined ? {} : { disablesHooks }) };
}

/** The switch that reaches this hook: joined with its file alone, it leaves nothing of it in force. */
function switchedOffBy(own: ConfiguredFile, switches: readonly ConfiguredFile[]): string {
  const reaching = switches.find(
    (file) =>
      joinHooks([
        { ...forJoining(file), hooks: [] },
        { origin: own.origin, hooks: own.hooks },
      ]).inForce.hooks.length === 0,
  );
  if (reaching === undefined) return 'it is switched off';
  return `disableAllHooks is set at ${reaching.origin.file}:${reaching.disablesHooks?.line}`;
}
