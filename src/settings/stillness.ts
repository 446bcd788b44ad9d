/**
 * Whether a look at the settings would find anything new, told by as few questions to the file system as can tell. It is
 * asked before every call and every event, and almost always nothing stirs: a look whose answer is known is spared, never
 * a question on which it depends.
 */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ManagedScope } from './drop-ins.ts';
import { heldPath } from './held-file.ts';
import { isMature, type Layer } from './layer.ts';
import { directoryOf } from './managed.ts';
import { isOfProject } from './origin.ts';
import type { ProjectState } from './project-state.ts';
import { lookAt, readWhole } from './read-file.ts';
import type { Trust } from './trust-file.ts';

/** What stands on the disk while nothing stirs. */
export interface Stillness {
  /** Not there: a directory, where it is missing with all that could lie in it. */
  readonly missing: readonly string[];
  /** There, by path: what `lookAt` says as long as the content that is known is the file's. */
  readonly present: ReadonlyMap<string, string>;
}

export interface Surveyed {
  readonly layers: readonly Layer[];
  readonly managed: ManagedScope;
  readonly state: ProjectState;
  readonly trust: Trust;
}

/**
 * After a look that found `surveyed`. Undefined where another look may say something else although no file changes: a
 * file is missing that was there, or unreadable, or so young that it may be written again unseen, something waits for a
 * person, or the administrator's directory exists, whose owner and mode count too.
 */
export function stillnessAfter(
  { layers, managed, state, trust }: Surveyed,
  now: number,
): Stillness | undefined {
  const absent = managed.dialects.map((dialect) => directoryOf(managed.place, dialect));
  const present = new Map<string, string>();
  for (const { place, inForce, known, refused, missingSince, accepted } of layers) {
    if (place.kind === 'inline') continue;
    const { file } = place.origin;
    if (missingSince !== undefined || accepted !== undefined) return undefined;
    if (known !== undefined) present.set(file, known);
    else if (inForce === undefined && refused === undefined) absent.push(file);
    else return undefined;
    if (isOfProject(place.origin)) absent.push(heldPath(state, file));
  }
  if (trust.kind === 'unusable') return undefined;
  if (trust.kind === 'none') absent.push(state.trust);
  else {
    const content = readWhole(state.trust);
    const isSame = content.kind === 'content' && Buffer.from(content.bytes).toString('utf8') === trust.text;
    if (!isSame || !isMature(content.state, now)) return undefined;
    present.set(state.trust, content.state.fingerprint);
  }
  const missing = absent.map(missingFrom);
  if (!missing.every((path) => path !== undefined)) return undefined;
  return { missing: [...new Set(missing)], present };
}

export function isStill({ missing, present }: Stillness): boolean {
  for (const path of missing) if (!isMissing(path)) return false;
  for (const [path, fingerprint] of present) {
    const state = lookAt(path);
    if (state.kind !== 'present' || state.fingerprint !== fingerprint) return false;
  }
  return true;
}

/** The outermost directory on the way to `path` that is missing; undefined where `path` exists. */
function missingFrom(path: string): string | undefined {
  if (!isMissing(path)) return undefined;
  const parent = dirname(path);
  return parent === path ? path : (missingFrom(parent) ?? path);
}

/** A link that leads nowhere is there. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
