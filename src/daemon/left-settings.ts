/**
 * Settings of a project that changed while a call ran whose end nobody saw, because hookd was killed: as after any other
 * call, what they loosen waits for a person. What they said before stands in the audit log.
 */
import { join } from 'node:path';
import { openLine, type StoredRecord } from '../audit/chain.ts';
import { listSegments, readLines } from '../audit/read.ts';
import type { UnknownOutcome } from '../audit/unfinished.ts';
import { isJsonObject } from '../core/json.ts';
import { readHeld, writeHeld } from '../settings/held-file.ts';
import { waitingIn } from '../settings/holding.ts';
import { sha256 } from '../settings/load.ts';
import type { SettingsOrigin } from '../settings/origin.ts';
import { CLAUDE_FOLDER, PROJECT_FOLDER } from '../settings/project.ts';
import { projectState } from '../settings/project-state.ts';
import { readWhole } from '../settings/read-file.ts';
import { realPath } from '../settings/scopes.ts';

/** A file as it counted, as the log has it; its text may be masked, its digest is not. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
}

/** Where a session was, and its settings as they counted last. */
interface LastSeen {
  readonly project: string;
  readonly sources: readonly Source[];
}

/** How the records look in the log that say it. */
const KINDS = ['session_started', 'settings_loaded', 'settings_changed'].map((kind) =>
  Buffer.from(`"kind":"${kind}"`),
);
const FILES = { project: 'settings.json', local: 'settings.local.json' } as const;

/** `open`: the calls whose outcome nobody knows. Throws a system error where the change cannot be kept from counting. */
export function holdLeftSettings(
  hookdHome: string,
  auditDirectory: string,
  open: readonly Pick<UnknownOutcome, 'writer' | 'session'>[],
): void {
  for (const writer of new Set(open.map((one) => one.writer))) {
    const sessions = new Set(open.filter((one) => one.writer === writer).map(({ session }) => session));
    for (const seen of lastSeen(join(auditDirectory, writer), sessions))
      for (const origin of originsIn(seen)) holdBackIn(realPath(hookdHome), seen, origin);
  }
}

function holdBackIn(hookdHome: string, { project, sources }: LastSeen, origin: SettingsOrigin): void {
  const { file } = origin;
  const state = projectState(hookdHome, project);
  if (readHeld(state, file) !== undefined) return;
  const before = sources.find(({ path }) => path === file);
  const accepted = before?.text ?? null;
  const content = readWhole(file);
  if (content.kind === 'unreadable' || (content.kind === 'missing' && content.isDanglingLink)) {
    // Whatever it says once it can be read.
    writeHeld(state, { file, accepted });
    return;
  }
  const bytes = content.kind === 'content' ? content.bytes : undefined;
  if (before?.sha256 === (bytes === undefined ? undefined : sha256(bytes))) return;
  const found = bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
  if (waitingIn(origin, accepted, found).length > 0) writeHeld(state, { file, accepted });
}

/** The files of the project that the session read, or would have if they had been there. */
function originsIn({ project, sources }: LastSeen): readonly SettingsOrigin[] {
  const flags = parsed(sources.find(({ path }) => path === 'flags')?.text);
  const { settingSources, claudeSettings } = flags;
  const isRead = (scope: string) =>
    typeof settingSources !== 'string' || settingSources.split(',').some((one) => one.trim() === scope);
  const folders = [
    { folder: PROJECT_FOLDER, dialect: 'hookd' } as const,
    ...(claudeSettings === true ? [{ folder: CLAUDE_FOLDER, dialect: 'claude' } as const] : []),
  ];
  return folders.flatMap(({ folder, dialect }) =>
    (['project', 'local'] as const).filter(isRead).map((scope) => {
      const file = join(project, folder, FILES[scope]);
      return { scope, dialect, isTrusted: true, file, root: project };
    }),
  );
}

/** The same for all sessions that are asked for, of a chain that is read once: it can be a large one. */
function lastSeen(chain: string, sessions: ReadonlySet<string>): readonly LastSeen[] {
  const projects = new Map<string, string>();
  const sources = new Map<string, readonly Source[]>();
  for (const { path } of listSegments(chain)) {
    for (const { bytes } of readLines(path)) {
      if (!KINDS.some((kind) => bytes.includes(kind))) continue;
      const opened = openLine(bytes);
      if (!opened.ok) continue;
      const { record } = opened;
      const { session = '' } = record;
      if (!sessions.has(session)) continue;
      if (record.kind === 'session_started') {
        const project = projectOf(record);
        if (project !== undefined) projects.set(session, project);
      } else if (record.kind === 'settings_loaded' || record.kind === 'settings_changed')
        sources.set(session, sourcesOf(record));
    }
  }
  return [...projects].map(([session, project]) => ({ project, sources: sources.get(session) ?? [] }));
}

function projectOf({ workplace }: StoredRecord): string | undefined {
  const project = isJsonObject(workplace) ? workplace['project'] : undefined;
  return typeof project === 'string' ? project : undefined;
}

/** Of a change that was withheld what counted before; of it no more than what tightens did. */
function sourcesOf({ sources }: StoredRecord): readonly Source[] {
  if (!Array.isArray(sources)) return [];
  return sources.flatMap((source: unknown) => {
    if (!isJsonObject(source) || source['onlyTightens'] === true) return [];
    const { path, text, sha256: digest } = source;
    if (typeof path !== 'string' || typeof digest !== 'string') return [];
    return [{ path, text: typeof text === 'string' ? text : '', sha256: digest }];
  });
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
