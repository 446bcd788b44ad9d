/**
 * Changing a file that was judged: in its opened directory, one change at a time, and whole or not at all.
 * A reader sees the old content or the new, never a part, and so does whoever comes after a crash.
 */
import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { access, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCode } from '../core/errors.ts';
import type { JsonObject } from '../core/vocabulary.ts';
import { changedSinceDecision, fileFault, notRegular } from './file-fault.ts';
import { withFileLock } from './file-lock.ts';
import { failed, type RunContext, type RunOutcome, succeeded } from './run-context.ts';
import { leadsTo, type OpenDirectory, openDirectory } from './safe-open.ts';
import { sameState } from './seen-files.ts';

/** The file to change: `name` in the opened directory. `before` is undefined when there is no such file yet. */
export interface JudgedFile {
  readonly directory: OpenDirectory;
  readonly name: string;
  readonly before: BigIntStats | undefined;
}

/** What to write, with what the model and hooks are told of it; or why not. */
export type Change =
  | { readonly ok: true; readonly content: Buffer; readonly text: string; readonly response?: JsonObject }
  | { readonly ok: false; readonly why: string };

interface ChangeRequest {
  /** As the model named the file. */
  readonly path: string;
  readonly context: RunContext;
  readonly createParents: boolean;
  readonly change: (file: JudgedFile) => Promise<Change>;
}

/** Replaces the file's content by what `change` makes of it. */
export async function changeFile(request: ChangeRequest): Promise<RunOutcome> {
  const target = request.context.target ?? request.path;
  return withFileLock(target, async () => {
    try {
      if (await isLink(request.path)) return failed(whyNotThroughLink(request.path, target));
      const opened = await openDirectory(dirname(target), request.createParents);
      if (!opened.ok) return failed(opened.why);
      try {
        return await changeIn(opened.value, target, request);
      } finally {
        await opened.value.close();
      }
    } catch (error) {
      return failed(fileFault(error, request.path));
    }
  });
}

async function changeIn(
  directory: OpenDirectory,
  target: string,
  { path, context, change }: ChangeRequest,
): Promise<RunOutcome> {
  if (!(await leadsTo(dirname(path), directory.path))) return failed(changedSinceDecision(path));
  const name = basename(target);
  const before = await stateOf(directory, name);
  if (before?.isSymbolicLink()) return failed(changedSinceDecision(path));
  if (before !== undefined && !before.isFile()) return failed(notRegular(path, before));
  // A file that is gone holds nothing that could be lost.
  if (before === undefined) context.seen.forget(target);
  if (context.seen.changedSinceSeen(target, before)) {
    return failed(
      `${path} changed since it was read. Nothing was written. Read it again, then repeat the change.`,
    );
  }
  // A rename does not ask whether the file itself may be written.
  if (before !== undefined) await access(directory.at(name), constants.W_OK);

  const made = await change({ directory, name, before });
  if (!made.ok) return failed(made.why);
  if (context.signal.aborted) return failed(`The user interrupted the call; ${path} was not changed.`);
  const after = await replaceContent({ directory, name, before }, made.content);
  if (after === undefined)
    return failed(`${path} changed while it was being written. Nothing was written. Try again.`);
  context.seen.remember(target, after);
  return succeeded(made.text + otherNamesNote(before), made.response);
}

/** Another name of the file may lie anywhere: only the one that was judged is changed. */
function otherNamesNote(before: BigIntStats | undefined): string {
  if (before === undefined || before.nlink < 2n) return '';
  const others = before.nlink === 2n ? '1 more name' : `${before.nlink - 1n} more names`;
  return ` (the file has ${others}, by hard links, with the old content)`;
}

/** The new state; undefined when the file or its directory is no longer as it was, and nothing was changed. */
async function replaceContent(file: JudgedFile, content: Buffer): Promise<BigIntStats | undefined> {
  const { directory, name, before } = file;
  const temporary = directory.at(`.hookd-${randomBytes(8).toString('hex')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, before === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    if (before !== undefined) await keepOwnerAndMode(handle, before);
    await handle.sync();
    const now = await stateOf(directory, name);
    if (!sameState(before, now) || !(await directory.isInPlace())) {
      await rm(temporary, { force: true });
      return undefined;
    }
    await rename(temporary, directory.at(name));
    await directory.sync();
    return await handle.stat({ bigint: true });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Where the owner cannot be kept, set-user and set-group bits must not pass to us. */
async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  let mode = Number(before.mode) & 0o7777;
  if (own.uid !== before.uid || own.gid !== before.gid) {
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {
      mode &= 0o777;
    });
  }
  await handle.chmod(mode);
}

async function stateOf(directory: OpenDirectory, name: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(directory.at(name), { bigint: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() === true;
}

function whyNotThroughLink(path: string, target: string): string {
  if (path === target) return changedSinceDecision(path);
  return `${path} is a link to ${target}. Nothing is written through a link: name ${target} itself.`;
}
