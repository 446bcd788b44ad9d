/** A session's transcript as the beginning of another one's: the old file stays as it is. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isJsonObject } from '../core/json.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { type StoredTranscript, wholeLines } from './read-transcript.ts';

/** The lines that were read, for session `id`; each says whose it was. Whole or not at all. Throws a system error. */
export function copyTranscript(
  { path, bytes }: StoredTranscript,
  from: SessionId,
  to: string,
  id: SessionId,
): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const fresh = `${to}.${process.pid}.new`;
  const fd = openSync(fresh, 'wx', 0o600);
  try {
    for (const line of wholeLines(readFileSync(path).subarray(0, bytes))) {
      const text = `${ofSession(line.toString('utf8'), from, id)}\n`;
      for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest));
    }
    fsyncSync(fd);
    renameSync(fresh, to);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

function ofSession(text: string, from: SessionId, sessionId: SessionId): string {
  const line: unknown = JSON.parse(text);
  if (!isJsonObject(line)) return text;
  const forkedFrom = { sessionId: from, messageUuid: line['uuid'] };
  return JSON.stringify({ ...line, sessionId, forkedFrom });
}
