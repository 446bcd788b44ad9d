/**
 * The form of one audit line. The last 75 bytes are `,"hash":"<64 hex>"}`; the hash is SHA-256 over the bytes before
 * them; `prev` is the hash of the record before. So a chain can be checked in fifteen lines of any language.
 */
import { createHash, hash as digestAtOnce } from 'node:crypto';

const FORMAT_VERSION = 1;
/** `prev` of a chain's first record. */
export const NO_PREVIOUS = '0'.repeat(64);

export const TAIL_BYTES = 75;
const TAIL = /^,"hash":"([0-9a-f]{64})"\}$/;

export interface Link {
  readonly seq: number;
  readonly hash: string;
}

/** `body` is a JSON object text with at least one member. Returns the line without its newline, and its hash. */
export function sealLine(seq: number, previous: string, body: string): { line: string; hash: string } {
  const content = `{"v":${FORMAT_VERSION},"seq":${seq},"prev":"${previous}",${body.slice(1, -1)}`;
  const hash = digestAtOnce('sha256', content, 'hex');
  return { line: `${content},"hash":"${hash}"}`, hash };
}

/** The same with its newline, as the bytes that are written; they are in a buffer that the next call uses again. */
export function sealBytes(seq: number, previous: string, body: string): { bytes: Buffer; hash: string } {
  const content = `{"v":${FORMAT_VERSION},"seq":${seq},"prev":"${previous}",${body.slice(1, -1)}`;
  // UTF-8 takes at most three bytes for one of JavaScript's characters.
  const most = 3 * content.length + TAIL_BYTES + 1;
  if (reused.length < most && most <= LARGEST_REUSED) reused = Buffer.allocUnsafe(LARGEST_REUSED);
  const line = most <= reused.length ? reused : Buffer.allocUnsafe(most);
  const length = line.write(content, 'utf8');
  const hash = digestAtOnce('sha256', line.subarray(0, length), 'hex');
  const end = length + line.write(`,"hash":"${hash}"}\n`, length, 'latin1');
  return { bytes: line.subarray(0, end), hash };
}

const LARGEST_REUSED = 64 * 1024;
let reused = Buffer.alloc(0);

/** What a line begins with: the place in the chain. What stands between it and the hash is the body. */
const PLACE = /^\{"v":1,"seq":\d+,"prev":"[0-9a-f]{64}",/;
const PLACE_BYTES = 128;

/** SHA-256 of a line's body: the same for a record that was written again at another place. */
export function bodyDigest(line: Buffer): string {
  const place = PLACE.exec(line.subarray(0, PLACE_BYTES).toString('latin1'))?.[0] ?? '';
  const body = line.subarray(place.length, Math.max(place.length, line.length - TAIL_BYTES));
  return createHash('sha256').update(body).digest('hex');
}

/** True when a line has the outer form of a record, whatever its hash says. */
export function looksLikeRecord(line: Buffer): boolean {
  return (
    PLACE.test(line.subarray(0, PLACE_BYTES).toString('latin1')) &&
    TAIL.test(line.subarray(-TAIL_BYTES).toString('latin1'))
  );
}

/** The hash that a line says it has; whatever stands there, when it is no record. */
export function hashOf(line: Buffer): string {
  return line.subarray(-66, -2).toString('latin1');
}

export interface StoredRecord {
  readonly v: number;
  readonly seq: number;
  readonly prev: string;
  readonly time: string;
  readonly kind: string;
  readonly session?: string;
  readonly turn?: number;
  readonly tool_use_id?: string;
  readonly hash: string;
  readonly [field: string]: unknown;
}

/** Reads one line (no newline) and checks its own hash; the place in the chain is the reader's to check. */
export function openLine(bytes: Buffer): { ok: true; record: StoredRecord } | { ok: false; problem: string } {
  const content = bytes.subarray(0, Math.max(0, bytes.length - TAIL_BYTES));
  const claimed = TAIL.exec(bytes.subarray(content.length).toString('latin1'))?.[1];
  if (claimed === undefined) return { ok: false, problem: 'does not end in a hash' };
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== claimed)
    return {
      ok: false,
      problem: `was changed: its bytes hash to ${actual.slice(0, 12)}…, it says ${claimed.slice(0, 12)}…`,
    };
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { ok: false, problem: 'is not JSON' };
  }
  return isRecord(parsed)
    ? { ok: true, record: parsed }
    : { ok: false, problem: 'lacks the fields of a record' };
}

function isRecord(value: unknown): value is StoredRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === FORMAT_VERSION &&
    'seq' in value &&
    typeof value.seq === 'number' &&
    'prev' in value &&
    typeof value.prev === 'string' &&
    'time' in value &&
    typeof value.time === 'string' &&
    'kind' in value &&
    typeof value.kind === 'string'
  );
}

/** A record of another chain, as records name it. */
export interface NamedRecord {
  readonly writer: string;
  readonly seq: number;
  readonly hash: string;
}

export function isNamedRecord(value: unknown): value is NamedRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'writer' in value &&
    typeof value.writer === 'string' &&
    'seq' in value &&
    typeof value.seq === 'number' &&
    'hash' in value &&
    typeof value.hash === 'string'
  );
}
