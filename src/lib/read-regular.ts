/** Reads a whole file that others may have put something else in place of: a named pipe would hold us until somebody writes. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A larger one is not what we expect there: it is not read into memory. */
const LONGEST_BYTES = 64 * 1024 * 1024;

/** Follows links. Throws a system error, or an error for what is no regular file or too large. */
export function readRegular(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    if (stats.size > LONGEST_BYTES)
      throw new Error(`${path} has ${stats.size} bytes; at most ${LONGEST_BYTES} are read`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
