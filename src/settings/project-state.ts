/** Where $HOOKD_HOME keeps what a person decided about one project: outside of it, so that the project cannot. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROJECTS_FOLDER = 'projects';
export const TRUST_FILE = 'trust.json';

export interface ProjectState {
  readonly directory: string;
  /** Says that a person trusts the project; see trust-file.ts. */
  readonly trust: string;
  /** Says what a person would not trust, so that they are asked once. */
  readonly declined: string;
  /** One file for each settings file of which a part waits for a person; see held-file.ts. */
  readonly held: string;
}

/** `project`: absolute, links resolved: a project that is moved, or another one in its place, is another project. */
export function projectState(hookdHome: string, project: string): ProjectState {
  const directory = join(hookdHome, PROJECTS_FOLDER, digestOf(project));
  return {
    directory,
    trust: join(directory, TRUST_FILE),
    declined: join(directory, 'declined.json'),
    held: join(directory, 'held'),
  };
}

/** A name for a file that stands for a path. */
export function digestOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** Whole or not at all, durable, 0600 in a 0700 directory. Throws a system error. */
export function writePrivate(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}
