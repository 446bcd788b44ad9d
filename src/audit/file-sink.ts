/** A sink that is a file: lines are appended, and taken when they are durable there. Somebody may rotate it away. */
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { SinkTarget } from './sink.ts';

const NEWLINE = 0x0a;

/** Creates the file (0600) where there is none. A link at its place is not followed. */
export async function openFileSink(path: string): Promise<SinkTarget> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a regular file');
    await endLastLine(handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    async take(lines) {
      await assertInPlace(handle, path);
      await writeAll(handle, lines);
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}

/** What an earlier writer left half written must not run into our first line. */
async function endLastLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] !== NEWLINE) await writeAll(handle, Buffer.from('\n'));
}

/** In one call of the system: others may append to the same file. */
async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

async function assertInPlace(handle: FileHandle, path: string): Promise<void> {
  const [ours, there] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)]);
  if (there === undefined || there.ino !== ours.ino || there.dev !== ours.dev)
    throw new Error('the file was removed or replaced; the records go on in a new one');
}
