/**
 * The quick way to know that a line is the next record of its chain: no object is made of it. It only ever says yes to
 * what `openLine` takes for a record at this place; about everything else it has no opinion. Verifying is made of this.
 */
import { hash } from 'node:crypto';
import { TAIL_BYTES } from './chain.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE] = [0x30, 0x39];
const SEQ = Buffer.from('{"v":1,"seq":');
const PREV = Buffer.from(',"prev":"');
const TIME = Buffer.from('","time":"');
const KIND = Buffer.from(',"kind":"');
const HASH = Buffer.from(',"hash":"');
const LAST = Buffer.from('"}');
/** Characters of a hash: SHA-256 in hex. */
const DIGEST = 64;
/** Of more digits a number could be another one than is written. */
const MOST_DIGITS = 15;
/** Fields that a reader takes from a record's top: where one comes a second time, the last one would count. */
const TOP_FIELDS = ['v', 'seq', 'prev', 'time', 'kind', 'hash'].map((name) => Buffer.from(name));

/**
 * The hash of the line from `from` to `to`, without its newline, when it is a sound record with this number after the
 * one whose hash stands, in hex, at `previous` of the same bytes.
 */
export function quickCheck(
  bytes: Buffer,
  from: number,
  to: number,
  seq: number,
  previous: number,
): string | undefined {
  const end = to - TAIL_BYTES;
  const place = placeAt(bytes, from, seq);
  if (place === -1 || !isSame(bytes, place, previous)) return undefined;
  let at = after(bytes, place + DIGEST, TIME);
  if (at === -1 || at >= end) return undefined;
  at = after(bytes, stringEnd(bytes, at, end), KIND);
  if (at === -1) return undefined;
  at = stringEnd(bytes, at, end);
  if (at === -1 || !isMembers(bytes, at, end)) return undefined;
  const claimed = after(bytes, end, HASH);
  if (claimed === -1 || after(bytes, to - LAST.length, LAST) === -1) return undefined;
  // A plain view is made in half the time of a Buffer.
  const digest = hash('sha256', new Uint8Array(bytes.buffer, bytes.byteOffset + from, end - from));
  return bytes.toString('latin1', claimed, claimed + DIGEST) === digest ? digest : undefined;
}

/** What the line that begins at `from` says of its place: its number, and where the hash of the record before stands. */
export function claimedPlace(bytes: Buffer, from: number): { seq: number; previous: number } | undefined {
  const digits = after(bytes, from, SEQ);
  if (digits === -1) return undefined;
  const seq = Number(bytes.toString('latin1', digits, bytes.indexOf(COMMA, digits)));
  const previous = placeAt(bytes, from, seq);
  return previous === -1 ? undefined : { seq, previous };
}

/** Where the hash of the record before stands, in a line with this number; -1 where it has another one. */
function placeAt(bytes: Buffer, from: number, seq: number): number {
  const digits = after(bytes, from, SEQ);
  if (digits === -1 || bytes[digits] === ZERO) return -1;
  let number = 0;
  let at = digits;
  for (const most = digits + MOST_DIGITS; at < most; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) break;
    number = 10 * number + byte - ZERO;
  }
  return number === seq ? after(bytes, at, PREV) : -1;
}

/** Whether the same hash stands at both places. */
function isSame(bytes: Buffer, one: number, other: number): boolean {
  for (let index = 0; index < DIGEST; index++) if (bytes[one + index] !== bytes[other + index]) return false;
  return true;
}

/** The place behind `text`, which stands at `at`; -1 where it does not. Without a string of the bytes: this is the hot path. */
function after(line: Buffer, at: number, text: Buffer): number {
  if (at === -1) return -1;
  for (let index = 0; index < text.length; index++) if (line[at + index] !== text[index]) return -1;
  return at + text.length;
}

/** The place after a string's closing quote; `at` is behind its opening one. -1 where it is none. */
function stringEnd(line: Buffer, at: number, end: number): number {
  for (let index = at; index < end; index++) {
    const byte = line[index] ?? 0;
    if (byte === QUOTE) return index + 1;
    if (byte < 0x20) return -1;
    if (byte !== BACKSLASH) continue;
    index += 1;
    const escaped = line[index] ?? 0;
    if (escaped === 0x75) {
      for (const last = index + 4; index < last; ) if (!isHex(line[++index] ?? 0)) return -1;
    } else if (!isEscape(escaped)) return -1;
  }
  return -1;
}

const isHex = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
/** One of `"\/bfnrt`. */
const isEscape = (byte: number) =>
  byte === 0x22 ||
  byte === 0x5c ||
  byte === 0x2f ||
  byte === 0x62 ||
  byte === 0x66 ||
  byte === 0x6e ||
  byte === 0x72 ||
  byte === 0x74;

/** Whether `,"key":value …` stands from `at` to `end`, in JSON without blanks, as records are written. */
function isMembers(line: Buffer, at: number, end: number): boolean {
  /** True for each open object, false for each open list. */
  const open: boolean[] = [true];
  let index = at;
  for (;;) {
    // After a value: what is open ends, or its next member follows.
    const byte = line[index];
    if (index === end) return open.length === 1;
    const isObject = open[open.length - 1] === true;
    if (byte === (isObject ? CLOSE_OBJECT : CLOSE_LIST) && open.length > 1) {
      open.pop();
      index += 1;
      continue;
    }
    if (byte !== COMMA) return false;
    index = beginValue(line, index + 1, end, isObject, open);
    if (index === -1) return false;
  }
}

/** Goes to the end of a member's value, or into it to the end of its first one; -1 where there is none. */
function beginValue(line: Buffer, from: number, end: number, inObject: boolean, open: boolean[]): number {
  let index = from;
  let isMember = inObject;
  for (;;) {
    if (isMember) {
      index = keyEnd(line, index, end, open.length === 1);
      if (index === -1) return -1;
    }
    const byte = line[index];
    if (byte === QUOTE) return stringEnd(line, index + 1, end);
    if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) return atomEnd(line, index, end);
    isMember = byte === OPEN_OBJECT;
    index += 1;
    if (line[index] === (isMember ? CLOSE_OBJECT : CLOSE_LIST)) return index + 1;
    open.push(isMember);
  }
}

/** The place after `"key":`. */
function keyEnd(line: Buffer, at: number, end: number, isTop: boolean): number {
  if (line[at] !== QUOTE) return -1;
  const behind = stringEnd(line, at + 1, end);
  if (behind === -1 || line[behind] !== COLON) return -1;
  return isTop && mayBeTopField(line, at + 1, behind - 1) ? -1 : behind + 1;
}

/** An escaped name could be any. */
function mayBeTopField(line: Buffer, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (line[index] === BACKSLASH) return true;
  for (const field of TOP_FIELDS)
    if (field.length === to - from && after(line, from, field) !== -1) return true;
  return false;
}

const ATOM = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** A longer number is one that no record holds. */
const LONGEST_ATOM = 32;

function atomEnd(line: Buffer, at: number, end: number): number {
  let index = at;
  let isDigits = true;
  for (const last = Math.min(end, at + LONGEST_ATOM); index < last; index++) {
    const byte = line[index] ?? 0;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) break;
    isDigits &&= byte >= 0x30 && byte <= 0x39;
  }
  const isSimple = isDigits && index > at && (line[at] !== 0x30 || index === at + 1);
  return isSimple || ATOM.test(line.toString('latin1', at, index)) ? index : -1;
}
