/** Remembers which settings of a project a person did not trust, so that the same question is not put twice. */
import { isObject } from '../core/json.ts';
import { type ProjectState, writePrivate } from './project-state.ts';
import { readWhole } from './read-file.ts';

/** The digest of what was declined last. */
export function readDeclined({ declined }: ProjectState): string | undefined {
  const content = readWhole(declined);
  if (content.kind !== 'content') return undefined;
  try {
    const value = JSON.parse(Buffer.from(content.bytes).toString('utf8')) as unknown;
    return isObject(value) && typeof value['content'] === 'string' ? value['content'] : undefined;
  } catch {
    return undefined;
  }
}

/** Throws a system error. */
export function writeDeclined({ declined }: ProjectState, content: string): void {
  writePrivate(declined, { version: 1, content });
}
