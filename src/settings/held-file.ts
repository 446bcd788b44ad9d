/**
 * What a project's settings file said before it changed while a tool call ran: kept in $HOOKD_HOME until a person has
 * accepted the change, also over the end of the session, so that no later session takes it over unseen.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../core/json.ts';
import { digestOf, type ProjectState, writePrivate } from './project-state.ts';
import { lookAt, readWhole } from './read-file.ts';

export interface Held {
  /** The settings file that changed. */
  readonly file: string;
  /** Its last accepted content; null where there was no file. */
  readonly accepted: string | null;
}

/** Undefined where nothing of the file waits. Of an entry that cannot be read nothing was accepted. */
export function readHeld(state: ProjectState, file: string): Held | undefined {
  // Usually there is none, and this runs before every call.
  if (lookAt(state.held).kind === 'missing') return undefined;
  return heldIn(heldPath(state, file), file);
}

/** Throws a system error. */
export function writeHeld(state: ProjectState, held: Held): void {
  writePrivate(heldPath(state, held.file), { version: 1, ...held });
}

export function removeHeld(state: ProjectState, file: string): void {
  rmSync(heldPath(state, file), { force: true });
}

export function allHeld({ held }: ProjectState): readonly Held[] {
  let names: readonly string[];
  try {
    names = readdirSync(held).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.toSorted().flatMap((name) => {
    const entry = heldIn(join(held, name), undefined);
    return entry === undefined ? [] : [entry];
  });
}

export function heldPath({ held }: ProjectState, file: string): string {
  return join(held, `${digestOf(file)}.json`);
}

function heldIn(path: string, file: string | undefined): Held | undefined {
  const content = readWhole(path);
  if (content.kind === 'missing') return undefined;
  const text = content.kind === 'content' ? Buffer.from(content.bytes).toString('utf8') : '';
  try {
    const value = JSON.parse(text) as unknown;
    if (isObject(value) && typeof value['file'] === 'string' && (file ?? value['file']) === value['file']) {
      const { accepted } = value;
      return { file: value['file'], accepted: typeof accepted === 'string' ? accepted : null };
    }
  } catch {
    // as any other content that we did not write
  }
  return file === undefined ? undefined : { file, accepted: null };
}
