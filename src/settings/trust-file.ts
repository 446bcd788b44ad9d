/**
 * Which projects a person trusts: one file a project in $HOOKD_HOME, bound to the path of the project. Trust is for the
 * directory; the digests tell what its settings were at the time.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../core/json.ts';
import { namesIn } from '../lib/names-in.ts';
import { sha256 } from './load.ts';
import {
  PROJECTS_FOLDER,
  type ProjectState,
  projectState,
  TRUST_FILE,
  writePrivate,
} from './project-state.ts';
import { lookAt, readWhole } from './read-file.ts';

export interface TrustRecord {
  /** Absolute, links resolved. */
  readonly project: string;
  /** When it was trusted, ISO 8601. */
  readonly since: string;
  /** SHA-256 of each of its settings files at that time, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export type Trust =
  | { readonly kind: 'trusted'; readonly record: TrustRecord; readonly text: string }
  | { readonly kind: 'none' }
  /** Counts as none. */
  | { readonly kind: 'unusable'; readonly why: string };

export function readTrust({ trust }: ProjectState, project: string): Trust {
  // Usually there is none, and this runs before every call.
  const content = lookAt(trust).kind === 'missing' ? ({ kind: 'missing' } as const) : readWhole(trust);
  if (content.kind === 'missing') return { kind: 'none' };
  if (content.kind === 'unreadable') return { kind: 'unusable', why: content.why };
  const text = Buffer.from(content.bytes).toString('utf8');
  const record = recordIn(text);
  if (record === undefined) return { kind: 'unusable', why: 'it is not what "hookd trust" writes' };
  if (record.project !== project) return { kind: 'unusable', why: `it is about ${record.project}` };
  return { kind: 'trusted', record, text };
}

/** Throws a system error. */
export function writeTrust(state: ProjectState, record: TrustRecord): void {
  writePrivate(state.trust, { version: 1, ...record });
}

/** False when it was not trusted. */
export function removeTrust({ trust }: ProjectState): boolean {
  const isThere = readWhole(trust).kind !== 'missing';
  rmSync(trust, { force: true });
  return isThere;
}

/** In the order of their paths. */
export function trustedProjects(hookdHome: string): readonly TrustRecord[] {
  const projects = join(hookdHome, PROJECTS_FOLDER);
  return namesIn(projects)
    .flatMap((name) => {
      const content = readWhole(join(projects, name, TRUST_FILE));
      const record =
        content.kind === 'content' ? recordIn(Buffer.from(content.bytes).toString('utf8')) : undefined;
      return record === undefined ||
        projectState(hookdHome, record.project).directory !== join(projects, name)
        ? []
        : [record];
    })
    .sort((one, other) => (one.project < other.project ? -1 : 1));
}

/** What stands at each of these paths now; files that are not there are left out. */
export function digestsOf(files: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap((file) => {
      const content = readWhole(file);
      return content.kind === 'content' ? [[file, sha256(content.bytes)] as const] : [];
    }),
  );
}

function recordIn(text: string): TrustRecord | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    if (!isObject(value) || value['version'] !== 1) return undefined;
    const { project, since, files } = value;
    if (typeof project !== 'string' || typeof since !== 'string' || !isObject(files)) return undefined;
    const digests = Object.entries(files).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { project, since, files: Object.fromEntries(digests) };
  } catch {
    return undefined;
  }
}
