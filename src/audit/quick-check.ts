/**
 * The quick way to know that a line is the next record of its chain: no object is made of it. It only ever says yes to
 * what `openLine` takes for a record at this place; about everything else it has no opinion. Verifying is made of this.
 */
import { hash } from 'node:crypto';
import { TAIL_BYTES } from './chain.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Fields that a reader takes from a record's top: where one comes a second time, the last one would count. */
const TOP_FIELDS: ReadonlySet<string> = new Set(['v', 'seq', 'prev', 'time', 'kind', 'hash']);
const LONGEST_TOP_FIELD = 4;

/** The hash of the line, when it is a sound record with this number after the one with that hash. */
export function quickCheck(line: Buffer, seq: number, prev: string): string | undefined {
  const end = line.length - TAIL_BYTES;
  let at = after(line, 0, '{"v":1,"seq":');
  at = after(line, at, String(seq));
  at = after(line, at, ',"prev":"');
  at = after(line, at, prev);
  at = after(line, at, '","time":"');
  if (at === -1 || at >= end) return undefined;
  at = after(line, stringEnd(line, at, end), ',"kind":"');
  if (at === -1) return undefined;
  at = stringEnd(line, at, end);
  if (at === -1 || !isMembers(line, at, end)) return undefined;
  const claimed = after(line, end, ',"hash":"');
  if (claimed === -1 || after(line, line.length - 2, '"}') === -1) return undefined;
  const digest = hash('sha256', line.subarray(0, end));
  return after(line, claimed, digest) === -1 ? undefined : digest;
}

/** The place behind `text`, which stands at `at`; -1 where it does not. Without a string of the bytes: this is the hot path. */
function after(line: Buffer, at: number, text: string): number {
  if (at === -1) return -1;
  for (let index = 0; index < text.length; index++)
    if (line[at + index] !== text.charCodeAt(index)) return -1;
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
  return to - from <= LONGEST_TOP_FIELD && TOP_FIELDS.has(line.toString('latin1', from, to));
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
