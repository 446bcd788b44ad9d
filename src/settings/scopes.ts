/** Says which settings a session reads, and where it works. Looked up once, when the session starts. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../core/errors.ts';
import type { Workplace } from '../core/vocabulary.ts';
import { realFiles } from '../permissions/files-view.ts';
import { isInside } from '../permissions/path-rule.ts';
import type { CommandLine } from './command-line.ts';
import type { ManagedScope } from './drop-ins.ts';
import { type ManagedPlace, managedFiles, SYSTEM_MANAGED } from './managed.ts';
import { INLINE, type SettingsOrigin } from './origin.ts';
import type { SettingsProblem } from './problem.ts';
import { CLAUDE_FOLDER, findProject, PROJECT_FOLDER } from './project.ts';
import { type ProjectState, projectState } from './project-state.ts';
import { rememberedOrigin } from './remembered.ts';
import { noticeOfLeftOut, readSources, type SettingSource } from './sources.ts';
import { readTrust, type Trust } from './trust-file.ts';
import { noticeOfUnread } from './unread-claude.ts';

const FILE_NAME = 'settings.json';
const LOCAL_FILE_NAME = 'settings.local.json';

/** Links need not be resolved, and only the start directory must exist. */
export interface Whereabouts {
  readonly startDirectory: string;
  readonly home: string;
  readonly hookdHome: string;
  /** $CLAUDE_CONFIG_DIR, where Claude Code looks for the user's settings; by default `~/.claude`. */
  readonly claudeHome?: string | undefined;
  /** A file to be judged as if it stood in the place of the user's own. */
  readonly userFile?: string | undefined;
  /** By default the system's. For those who put hookd together: nothing that a user can set may lead here. */
  readonly managed?: ManagedPlace | undefined;
}

export type SettingsPlace =
  | {
      readonly kind: 'file';
      readonly origin: SettingsOrigin;
      /** Somebody named this very file, so that it must exist. */
      readonly isNamed: boolean;
      /** The user who alone, besides root, may be able to write it; undefined where that does not matter. */
      readonly owner?: number;
    }
  | { readonly kind: 'inline'; readonly origin: SettingsOrigin; readonly text: string };

export type Located =
  | {
      readonly ok: true;
      /** Without additional directories: those are settings. */
      readonly workplace: Workplace;
      /** The highest precedence first. */
      readonly places: readonly SettingsPlace[];
      readonly managed: ManagedScope;
      /** What a person decided about the project. */
      readonly state: ProjectState;
      readonly trust: Trust;
      /** What people should know of files that are there and not read. */
      readonly notices: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

export function locateSettings(whereabouts: Whereabouts, flags: CommandLine): Located {
  const cwd = realPath(resolve(whereabouts.startDirectory));
  const notADirectory = whyNoDirectory(cwd);
  if (notADirectory !== undefined) {
    const at = { file: whereabouts.startDirectory, line: 1, column: 1, key: '' };
    return {
      ok: false,
      problems: [{ severity: 'error', ...at, message: `the start directory ${notADirectory}` }],
    };
  }
  const home = realPath(resolve(whereabouts.home));
  const hookdHome = realPath(resolve(cwd, whereabouts.hookdHome));
  const claudeHome = realPath(resolve(cwd, whereabouts.claudeHome ?? join(home, CLAUDE_FOLDER)));
  const readsClaude = flags.claudeSettings === true;
  const find = (reads: boolean): string =>
    findProject({
      ...{ start: cwd, home, hookdHome, user: process.getuid?.() },
      claudeHome: reads ? claudeHome : undefined,
    });
  const project = find(readsClaude);

  const named = flags.settings ?? [];
  const problems = named.filter((value) => value.trim() === '').map(emptyFlag);
  const read = readSources(flags.settingSources);
  if (!read.ok) problems.push(...read.problems);
  const { managed = SYSTEM_MANAGED } = whereabouts;
  const dialects = readsClaude ? DIALECTS : OURS;
  const ofAdministrator = dialects.map((dialect) => managedFiles(managed, dialect));
  problems.push(...ofAdministrator.flatMap((files) => (files.ok ? [] : [files.problem])));
  if (!read.ok || problems.length > 0) return { ok: false, problems };
  const { sources } = read;
  const state = projectState(hookdHome, project);
  const trust = readTrust(state, project);
  const isTrusted = flags.trustProject === true || trust.kind === 'trusted';
  const ours = { project, home: hookdHome, folder: PROJECT_FOLDER, dialect: 'hookd' } as const;
  const claudes = { project, home: claudeHome, folder: CLAUDE_FOLDER, dialect: 'claude' } as const;
  const families = readsClaude ? [ours, claudes] : [ours];
  const usual = [
    ...families.flatMap((family) => projectPlace(family, 'local', isTrusted)),
    rememberedPlace(hookdHome, cwd),
    ...families.flatMap((family) => projectPlace(family, 'project', isTrusted)),
    ...families.map((family) => userPlace(family, family === ours ? whereabouts.userFile : undefined)),
  ];
  const places = [
    ...ofAdministrator.flatMap((files) => (files.ok ? files.places : [])),
    // Of a flag that is given twice the last one counts.
    ...named.map((value) => placeOfFlag(value, cwd, project)).reverse(),
    ...usual.flatMap((place) => fromSources(place, sources)),
  ];
  const unread = readsClaude ? [] : filesOf({ ...claudes, project: find(true) });
  return {
    ok: true,
    workplace: { project, cwd, home, hookdHome, directories: [] },
    places,
    managed: { place: managed, dialects },
    state,
    trust,
    notices: [
      ...noticeOfTrust(state, trust),
      ...noticeOfUnread(unread),
      ...noticeOfLeftOut(leftOut(usual, sources)),
    ],
  };
}

const OURS = ['hookd'] as const;
const DIALECTS = ['hookd', 'claude'] as const;

/**
 * Whoever types the command has authority over a project, and may leave its files out altogether. Of the user's own files
 * deny and ask rules stay: no flag of a script that somebody else wrote takes them away.
 */
function fromSources(place: SettingsPlace, sources: ReadonlySet<SettingSource>): readonly SettingsPlace[] {
  const { origin } = place;
  if (sources.has(sourceOf(place))) return [place];
  return origin.scope === 'user' ? [{ ...place, origin: { ...origin, isTrusted: false } }] : [];
}

function sourceOf({ origin }: SettingsPlace): SettingSource {
  return origin.scope === 'project' || origin.scope === 'local' ? origin.scope : 'user';
}

function leftOut(places: readonly SettingsPlace[], sources: ReadonlySet<SettingSource>) {
  return places
    .filter((place) => !sources.has(sourceOf(place)) && existsSync(place.origin.file))
    .map(({ origin }) => ({ file: origin.file, tightens: origin.scope === 'user' }));
}

function noticeOfTrust(state: ProjectState, trust: Trust): readonly string[] {
  if (trust.kind !== 'unusable') return [];
  return [`${state.trust}: ${trust.why}; the project is not trusted.`];
}

/** What a person approved for good: theirs, not the project's. */
function rememberedPlace(hookdHome: string, cwd: string): SettingsPlace {
  return { kind: 'file', origin: rememberedOrigin(hookdHome, cwd), isNamed: false };
}

/** Files of one program: ours, or Claude Code's. */
interface Family {
  readonly project: string;
  readonly home: string;
  readonly folder: string;
  readonly dialect: SettingsOrigin['dialect'];
}

function filesOf(family: Family): readonly string[] {
  const places = [
    ...projectPlace(family, 'local', false),
    ...projectPlace(family, 'project', false),
    userPlace(family),
  ];
  return places.map(({ origin }) => origin.file);
}

function placeOfFlag(value: string, cwd: string, project: string): SettingsPlace {
  const typed = { scope: 'command-line', dialect: 'hookd', isTrusted: true } as const;
  if (value.trimStart().startsWith('{')) {
    return { kind: 'inline', origin: { ...typed, file: INLINE, root: cwd }, text: value };
  }
  const file = resolve(cwd, value);
  const root = realPath(dirname(file));
  const rootIsAway = !isInside(root, project) && !isInside(project, root);
  return { kind: 'file', origin: { ...typed, file, root, rootIsAway }, isNamed: true };
}

function projectPlace(
  { project, home, folder: name, dialect }: Family,
  scope: 'project' | 'local',
  isTrusted: boolean,
): readonly SettingsPlace[] {
  const folder = join(project, name);
  // Started at home, the project's folder is the user's own.
  if (realPath(folder) === home) return [];
  const file = join(folder, scope === 'local' ? LOCAL_FILE_NAME : FILE_NAME);
  return [{ kind: 'file', origin: { scope, dialect, isTrusted, file, root: project }, isNamed: false }];
}

function userPlace({ home, dialect }: Family, instead?: string): SettingsPlace {
  const file = instead ?? join(home, FILE_NAME);
  return {
    kind: 'file',
    origin: { scope: 'user', dialect, isTrusted: true, file, root: home, rootIsAway: true },
    isNamed: instead !== undefined,
  };
}

function emptyFlag(): SettingsProblem {
  const at = { file: INLINE, line: 1, column: 1, key: '' };
  return {
    severity: 'error',
    ...at,
    message: 'no value',
    expected: 'a file or a JSON object',
    found: 'nothing',
  };
}

/** Links resolved as far as the path exists. Where they lead nowhere, the path as it is written. */
export function realPath(path: string): string {
  return realFiles.realPath(path) ?? path;
}

/** Why a path cannot serve as a directory; `undefined` when it can. */
export function whyNoDirectory(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'is not a directory';
  } catch (error) {
    return systemCode(error) === 'ENOENT'
      ? 'does not exist'
      : `cannot be used (${systemCode(error) ?? 'error'})`;
  }
}
