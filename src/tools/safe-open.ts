/**
 * What is opened is what was judged: a file or directory is opened first, and only then is its place compared with
 * the links-resolved path of the decision. A link that is swapped in between changes the place, and the call fails.
 * The place of a descriptor is what /proc says. Without /proc (macOS) the path is resolved again after opening and
 * names are used as they are: that leaves a moment in which a swap goes unseen.
 */
import { constants, existsSync, readlinkSync, statSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../core/errors.ts';
import { changedSinceDecision, fileFault, notRegular } from './file-fault.ts';
import { isOnDisk, OpenedFile } from './opened-file.ts';

const HAS_PROC = existsSync('/proc/self/fd');

export type Opened<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** Opens a regular file for reading. `path` is what the model named, `target` what was judged. */
export async function openFile(path: string, target: string): Promise<Opened<OpenedFile>> {
  let file: OpenedFile | undefined;
  try {
    // Looked at before it is opened, because opening alone can have an effect on a device. It cannot hold us any longer
    // than it held the gate, which has just looked at the same names.
    const before = statSync(path);
    if (!before.isFile()) return { ok: false, why: notRegular(path, before) };
    // Without blocking, should a named pipe have taken the file's place.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    file = await OpenedFile.open(path, flags, !isOnDisk(before.dev));
    if (!file.stats.isFile() || (await placeOf(file.descriptor, path)) !== target) {
      await file.close();
      return { ok: false, why: changedSinceDecision(path) };
    }
    return { ok: true, value: file };
  } catch (error) {
    await file?.close();
    if (systemCode(error) === 'ENOENT' && path !== target)
      return { ok: false, why: `${path} leads through a link to ${target}, which does not exist.` };
    return { ok: false, why: fileFault(error, path) };
  }
}

/** A directory that is held open: names in it mean this directory, wherever its path leads by now. */
export class OpenDirectory {
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** The path by which an entry is reached through the open directory; without `name` the directory itself. */
  at(name = ''): string {
    return HAS_PROC ? join(`/proc/self/fd/${this.#handle.fd}`, name) : join(this.path, name);
  }

  async isInPlace(): Promise<boolean> {
    return (await placeOf(this.#handle.fd, this.path)) === this.path;
  }

  /** Makes a rename in it durable. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Whether the path that the model named still leads to the directory that was judged. */
export async function leadsTo(path: string, place: string): Promise<boolean> {
  return (await realpath(path).catch(() => undefined)) === place;
}

/** Opens a directory by its judged path. With `create`, missing ones are made, each in its opened parent. */
export async function openDirectory(path: string, create: boolean): Promise<Opened<OpenDirectory>> {
  try {
    return await judged(path, path);
  } catch (error) {
    if (await isLink(path)) return { ok: false, why: changedSinceDecision(path) };
    if (!create || systemCode(error) !== 'ENOENT') return { ok: false, why: fileFault(error, path) };
  }
  const parent = await openDirectory(dirname(path), true);
  if (!parent.ok) return parent;
  try {
    const name = parent.value.at(basename(path));
    await mkdir(name).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    return await judged(name, path);
  } catch (error) {
    return { ok: false, why: fileFault(error, path) };
  } finally {
    await parent.value.close();
  }
}

async function judged(path: string, place: string): Promise<Opened<OpenDirectory>> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const directory = new OpenDirectory(place, handle);
  if (await directory.isInPlace()) return { ok: true, value: directory };
  await directory.close();
  return { ok: false, why: changedSinceDecision(place) };
}

async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() === true;
}

/** Where an open file or directory is now; undefined when its path is gone. */
async function placeOf(descriptor: number, openedAs: string): Promise<string | undefined> {
  try {
    return HAS_PROC ? readlinkSync(`/proc/self/fd/${descriptor}`) : await realpath(openedAs);
  } catch {
    return undefined;
  }
}
