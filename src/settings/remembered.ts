/**
 * The allow rules that a person approved for good: a settings file of the user's authority in $HOOKD_HOME, one for each
 * start directory, because a command means what it does only where it runs.
 */
import { join } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { namesIn } from '../lib/names-in.ts';
import { loadSettings } from './load.ts';
import type { SettingsOrigin } from './origin.ts';
import { describeProblem, isError } from './problem.ts';
import { digestOf, PROJECTS_FOLDER, writePrivate } from './project-state.ts';
import { readWhole } from './read-file.ts';

const FILE_NAME = 'settings.json';
/** Says which directory the digest stands for. */
const DIRECTORY_FILE = 'directory.json';

export interface Remembered {
  /** The start directory, absolute, links resolved. */
  readonly directory: string;
  readonly file: string;
  readonly rules: readonly string[];
}

export type RememberedContent =
  | { readonly ok: true; readonly rules: readonly string[] }
  | { readonly ok: false; readonly problem: string };

export function rememberedFile(hookdHome: string, directory: string): string {
  return join(hookdHome, PROJECTS_FOLDER, digestOf(directory), FILE_NAME);
}

/** `root` of `/p` patterns is the start directory; hookd itself writes whole paths only. */
export function rememberedOrigin(hookdHome: string, directory: string): SettingsOrigin {
  const file = rememberedFile(hookdHome, directory);
  return { scope: 'user', dialect: 'hookd', isTrusted: true, file, root: directory };
}

/** Returns why it was not written: the file stays as it is then. A rule that is there already is not added again. */
export function addRemembered(hookdHome: string, directory: string, rule: string): string | undefined {
  const before = contentOf(hookdHome, directory);
  if (!before.ok) return before.problem;
  if (rulesIn(before.settings).includes(rule)) return undefined;
  return write(hookdHome, directory, withRules(before.settings, [...rulesIn(before.settings), rule]));
}

/** True when it was there. Throws nothing: a file that cannot be used is a problem. */
export function removeRemembered(
  hookdHome: string,
  directory: string,
  rule: string,
): { readonly removed: boolean } | { readonly problem: string } {
  const before = contentOf(hookdHome, directory);
  if (!before.ok) return { problem: before.problem };
  const rules = rulesIn(before.settings);
  if (!rules.includes(rule)) return { removed: false };
  const rest = rules.filter((one) => one !== rule);
  const problem = write(hookdHome, directory, withRules(before.settings, rest));
  return problem === undefined ? { removed: true } : { problem };
}

export function readRemembered(hookdHome: string, directory: string): RememberedContent {
  const content = contentOf(hookdHome, directory);
  return content.ok ? { ok: true, rules: rulesIn(content.settings) } : content;
}

/** Of all start directories, in the order of their paths; those without a rule are left out. */
export function allRemembered(hookdHome: string): readonly Remembered[] {
  const projects = join(hookdHome, PROJECTS_FOLDER);
  return namesIn(projects)
    .flatMap((name): readonly Remembered[] => {
      const directory = directoryIn(join(projects, name, DIRECTORY_FILE));
      if (directory === undefined || digestOf(directory) !== name) return [];
      const content = readRemembered(hookdHome, directory);
      const rules = content.ok ? content.rules : [];
      return rules.length === 0 ? [] : [{ directory, file: rememberedFile(hookdHome, directory), rules }];
    })
    .sort((one, other) => (one.directory < other.directory ? -1 : 1));
}

type Settings = Readonly<Record<string, unknown>>;

function contentOf(
  hookdHome: string,
  directory: string,
): { readonly ok: true; readonly settings: Settings } | { readonly ok: false; readonly problem: string } {
  const origin = rememberedOrigin(hookdHome, directory);
  const content = readWhole(origin.file);
  if (content.kind === 'missing') return { ok: true, settings: {} };
  if (content.kind === 'unreadable') return { ok: false, problem: `${origin.file}: ${content.why}` };
  const result = loadSettings(origin, content.bytes, 'running');
  if (!result.ok)
    return { ok: false, problem: result.problems.filter(isError).map(describeProblem).join('; ') };
  const value: unknown = JSON.parse(
    Buffer.from(content.bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
  return { ok: true, settings: isObject(value) ? value : {} };
}

function rulesIn({ permissions }: Settings): readonly string[] {
  const allow = isObject(permissions) ? permissions['allow'] : undefined;
  return Array.isArray(allow) ? allow.filter((rule): rule is string => typeof rule === 'string') : [];
}

function withRules(settings: Settings, allow: readonly string[]): Settings {
  const { permissions } = settings;
  return { ...settings, permissions: { ...(isObject(permissions) ? permissions : {}), allow } };
}

function write(hookdHome: string, directory: string, settings: Settings): string | undefined {
  const file = rememberedFile(hookdHome, directory);
  try {
    writePrivate(join(hookdHome, PROJECTS_FOLDER, digestOf(directory), DIRECTORY_FILE), { directory });
    writePrivate(file, settings);
    return undefined;
  } catch (error) {
    return `${file}: ${messageOf(error)}`;
  }
}

function directoryIn(path: string): string | undefined {
  const content = readWhole(path);
  if (content.kind !== 'content') return undefined;
  try {
    const value = JSON.parse(Buffer.from(content.bytes).toString('utf8')) as unknown;
    return isObject(value) && typeof value['directory'] === 'string' ? value['directory'] : undefined;
  } catch {
    return undefined;
  }
}
