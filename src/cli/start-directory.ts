/** The directory that hookd was started in. It may be gone, or never have been readable: not every command needs it. */
import { isAbsolute } from 'node:path';
import { HookdError, messageOf } from '../core/errors.ts';

let gone: string | undefined;

/** To be called first: packages ask for the working directory as soon as they are loaded, so there must be one. */
export function leaveMissingDirectory(): void {
  try {
    process.cwd();
  } catch (error) {
    gone = messageOf(error);
    process.chdir('/');
  }
}

/** Throws USAGE when it does not exist any more. */
export function startDirectory(): string {
  if (gone !== undefined)
    throw new HookdError(
      'USAGE',
      `The directory that hookd was started in cannot be used (${gone}). Change to one that exists.`,
    );
  return process.cwd();
}

/** Throws USAGE for a relative path that begins nowhere. */
export function givenPath(path: string): string {
  if (!isAbsolute(path)) startDirectory();
  return path;
}
