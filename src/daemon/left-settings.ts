/**
 * Settings of a project that changed while a call ran whose end nobody saw, because hookd was killed: as after any other
 * call, what they loosen waits for a person. What they said before stands in the audit log.
 */
import { join } from 'node:path';
import type { StoredRecord } from '../audit/chain.ts';
import { listSegments, readRecords } from '../audit/read.ts';
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

const FILES = { project: 'settings.json', local: 'settings.local.json' } as const;

/** `open`: the calls whose outcome nobody knows. Throws a system error where the change cannot be kept from counting. */
export function holdLeftSettings(
  hookdHome: string,
  auditDirectory: string,
  open: readonly Pick<UnknownOutcome, 'writer' | 'session'>[],
): void {
  const sessions = new Map(open.map((one) => [`${one.writer} ${one.session}`, one]));
  for (const { writer, session } of sessions.values()) {
    const seen = lastSeen(join(auditDirectory, writer), session);
    if (seen === undefined) continue;
    for (const origin of originsIn(seen)) holdBackIn(realPath(hookdHome), seen, origin);
  }
}

function holdBackIn(hookdHome: string, { project, sources }: LastSeen, origin: SettingsOrigin): void {
  const { file } = origin;
  const state = projectState(hookdHome, project);
  if (readHeld(state, file) !== undefined) return;
  const before = sources.find(({ path }) => path === file);
  const content = readWhole(file);
  if (content.kind === 'unreadable') return;
  const bytes = content.kind === 'content' ? content.bytes : undefined;
  if (before?.sha256 === (bytes === undefined ? undefined : sha256(bytes))) return;
  const accepted = before?.text ?? null;
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

function lastSeen(chain: string, session: string): LastSeen | undefined {
  let project: string | undefined;
  let sources: readonly Source[] = [];
  for (const { path } of listSegments(chain)) {
    for (const record of readRecords(path)) {
      if (record.session !== session) continue;
      if (record.kind === 'session_started') project = projectOf(record);
      if (record.kind === 'settings_loaded' || record.kind === 'settings_changed')
        sources = sourcesOf(record);
    }
  }
  return project === undefined ? undefined : { project, sources };
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
