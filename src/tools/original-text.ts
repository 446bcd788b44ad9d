/** What a file that is about to be changed holds now. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { JudgedFile } from './change-file.ts';
import { sameState } from './seen-files.ts';

/** Undefined when the file is no longer the one that was looked at. */
export async function bytesOf({ directory, name, before }: JudgedFile): Promise<Buffer | undefined> {
  const handle = await open(
    directory.at(name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    return sameState(before, await handle.stat({ bigint: true })) ? await handle.readFile() : undefined;
  } finally {
    await handle.close();
  }
}

/** Undefined when it is not UTF-8. The byte order mark stays in the text, so that it is written back. */
export function utf8Text(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
