/** Reads a settings file so that what was read is what stands there: `stat` tells whether it changed since. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { LONGEST_FILE } from './decode.ts';

export type FileState =
  | { readonly kind: 'missing'; readonly isDanglingLink: boolean }
  /**
   * `fingerprint` differs whenever the file was written or replaced; of what was read before `settledAtMs` (ms since 1970)
   * this is not certain: another change may have got the same time.
   */
  | { readonly kind: 'present'; readonly fingerprint: string; readonly settledAtMs: number }
  | { readonly kind: 'unreadable'; readonly why: string };

export type FileContent =
  | {
      readonly kind: 'content';
      readonly bytes: Uint8Array;
      readonly state: FileState & { readonly kind: 'present' };
    }
  | Exclude<FileState, { readonly kind: 'present' }>;

/** File times come in steps of some milliseconds: within this time two writes may look like one. */
const YOUNG_MS = 50;
/** Of whole seconds on some file systems (ext4 with small inodes, ext3, HFS+), of two on FAT: none has longer ones. */
const LONGEST_STEP_MS = 2000;

/** What a few microseconds tell. Follows links, as reading does. */
export function lookAt(path: string): FileState {
  try {
    // No exception for a file that is not there: that is the usual case, and this runs before every call.
    const own = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (own === undefined) return { kind: 'missing', isDanglingLink: false };
    const stats = own.isSymbolicLink() ? statSync(path, { bigint: true, throwIfNoEntry: false }) : own;
    return stats === undefined ? { kind: 'missing', isDanglingLink: true } : stateOf(stats);
  } catch (error) {
    return failure(path, error);
  }
}

const MOST_ATTEMPTS = 20;

/** Reads until nothing changed while it was reading. */
export function readWhole(path: string): FileContent {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const content = readOnce(path);
    if (content !== 'changed') return content;
  }
  return { kind: 'unreadable', why: 'it changes without pause' };
}

function readOnce(path: string): FileContent | 'changed' {
  let descriptor: number;
  try {
    // Not blocking: opening a FIFO would wait for its writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return failure(path, error);
  }
  try {
    const before = stateOf(fstatSync(descriptor, { bigint: true }));
    if (before.kind !== 'present') return before;
    const bytes = readUpTo(descriptor, LONGEST_FILE + 1);
    const after = stateOf(fstatSync(descriptor, { bigint: true }));
    if (after.kind !== 'present' || after.fingerprint !== before.fingerprint) return 'changed';
    return { kind: 'content', bytes, state: after };
  } catch (error) {
    return failure(path, error);
  } finally {
    closeSync(descriptor);
  }
}

function readUpTo(descriptor: number, most: number): Uint8Array {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, most - length));
    const count = readSync(descriptor, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  return Buffer.concat(chunks);
}

function stateOf(stats: BigIntStats): Extract<FileState, { kind: 'present' | 'unreadable' }> {
  if (stats.isDirectory()) return { kind: 'unreadable', why: 'it is a directory' };
  if (!stats.isFile()) return { kind: 'unreadable', why: 'it is not a regular file' };
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return {
    kind: 'present',
    fingerprint: [dev, ino, size, mtimeNs, ctimeNs].join(':'),
    settledAtMs: settledAt(ctimeNs),
  };
}

/**
 * From when on, in ms since 1970, what is read of a file that changed at `changed` (in ns) is known by its times alone.
 * Not mtime: that one can be set to anything.
 */
export function settledAt(changed: bigint): number {
  const stepMs = changed % 1_000_000_000n === 0n ? LONGEST_STEP_MS : 0;
  return Number(changed / 1_000_000n) + stepMs + YOUNG_MS;
}

function failure(path: string, error: unknown): Exclude<FileState, { kind: 'present' }> {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing(path);
  const why = REASONS[code ?? ''] ?? `it cannot be read (${code ?? String(error)})`;
  return { kind: 'unreadable', why };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to read it',
  EPERM: 'there is no permission to read it',
  ELOOP: 'its links lead in a circle',
};

function missing(path: string): FileState & { readonly kind: 'missing' } {
  return { kind: 'missing', isDanglingLink: isLink(path) };
}

/** A directory on the way that is a file is no reason to throw. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
