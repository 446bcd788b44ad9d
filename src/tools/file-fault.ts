/** What went wrong with a file, in words that tell the model what to do next. */
import { messageOf, systemCode } from '../core/errors.ts';

export function fileFault(error: unknown, path: string): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return `${path} does not exist. Glob lists the files that do.`;
    case 'ENOTDIR':
      return `${path} is not a directory, or leads through a file as if it were one.`;
    case 'EACCES':
    case 'EPERM':
      return `The system does not permit access to ${path}.`;
    case 'ELOOP':
      return `${path} goes through too many links, or through a link where none is followed.`;
    case 'ENAMETOOLONG':
      return `The name ${path} is longer than the system allows.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space is left on the disk of ${path}; it is as it was before.`;
    case 'EROFS':
      return `${path} is on a read-only file system.`;
    case 'ERR_INVALID_ARG_VALUE':
      return 'The path holds a NUL character, which no file name can.';
    default:
      return `${path} could not be used: ${messageOf(error)}`;
  }
}

export function changedSinceDecision(path: string): string {
  return `${path} changed between the decision and its use: it is not the file that was judged. Nothing was done. Try again.`;
}

/** What a path names, when it names no regular file. */
export function notRegular(path: string, stats: KindOfFile): string {
  if (stats.isDirectory()) return `${path} is a directory, not a file. Glob lists the files in it.`;
  if (stats.isFIFO()) return `${path} is a named pipe, not a file.`;
  if (stats.isSocket()) return `${path} is a socket, not a file.`;
  return `${path} is a device, not a file.`;
}

interface KindOfFile {
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}
