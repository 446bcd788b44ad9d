/**
 * Judges what stands in a segment after the record where its successor goes on. An honest file can hold there: records
 * that the successor repeats; one last record that was never acknowledged; and what somebody else has written, which
 * is no record. Any other sound record was dropped: that is a fault.
 */
import { bodyDigest, type Link, looksLikeRecord, openLine, type StoredRecord } from './chain.ts';
import type { Line } from './read.ts';
import type { Successor } from './successor.ts';

/** `counts`: the chain holds the record, here or again in the successor. */
export type Verdict =
  | { readonly kind: 'counts'; readonly record: StoredRecord }
  | { readonly kind: 'fault'; readonly line: number; readonly message: string }
  | { readonly kind: 'left out' };

const LEFT_OUT: Verdict = { kind: 'left out' };

const RECORD_START = Buffer.from('{"v":1,"seq":');

export class LeftBehind {
  readonly #successor: Successor;
  readonly #link: Link;
  /** The last sound record: the next one must follow it. */
  #last: Link;
  #lines = 0;
  #repeated = 0;
  #foreign = 0;
  /** Where to look on among the repeated bodies. */
  #next = 0;
  #lacking: number;
  /** A record that is not repeated: in order only as the last one. */
  #unacknowledged: number | undefined;

  constructor(successor: Successor, link: Link) {
    this.#successor = successor;
    this.#link = link;
    this.#last = link;
    this.#lacking = successor.lacking;
  }

  take(line: Line): Verdict {
    this.#lines += 1;
    const sound = soundPart(line.bytes);
    if (sound === undefined) {
      if (looksLikeRecord(line.bytes)) return { kind: 'fault', line: line.number, message: 'was changed' };
      this.#foreign += 1;
      return LEFT_OUT;
    }
    if (this.#unacknowledged !== undefined) return this.#dropped(this.#unacknowledged);
    const { record, bytes } = sound;
    const follows = record.seq === this.#last.seq + 1 && record.prev === this.#last.hash;
    const isOpening =
      record.kind === 'segment_started' && record.prev === this.#link.hash && this.#lines === 1;
    this.#last = record;
    const place = this.#successor.repeated.indexOf(bodyDigest(bytes), this.#next);
    if (place !== -1) {
      this.#next = place + 1;
      this.#repeated += 1;
      return { kind: 'counts', record };
    }
    // The opening of a segment that was left before anything in it counted.
    if (isOpening) return LEFT_OUT;
    if (!follows) return this.#dropped(line.number);
    if (this.#lacking > 0) {
      this.#lacking -= 1;
      return { kind: 'counts', record };
    }
    this.#unacknowledged = line.number;
    return LEFT_OUT;
  }

  notes(): readonly string[] {
    const kept = this.#successor.lacking - this.#lacking;
    return [
      ...(this.#repeated > 0
        ? [`the last ${this.#repeated} lines were written again in the next segment`]
        : []),
      ...(kept > 0 ? [`${kept} records stand here only: hookd ended while it wrote them again`] : []),
      ...(this.#unacknowledged === undefined
        ? []
        : ['the last record was never acknowledged: nothing relied on it']),
      ...(this.#foreign > 0 ? [`${this.#foreign} lines that are no records, written by somebody else`] : []),
    ];
  }

  #dropped(line: number): Verdict {
    const message = `is sound, and ${this.#successor.path} goes on before it without repeating it`;
    return { kind: 'fault', line, message };
  }
}

/** A line's record; also behind what somebody else has written without a newline before it. */
function soundPart(bytes: Buffer): { record: StoredRecord; bytes: Buffer } | undefined {
  const start = bytes.lastIndexOf(RECORD_START);
  for (const part of start > 0 ? [bytes, bytes.subarray(start)] : [bytes]) {
    const opened = openLine(part);
    if (opened.ok) return { record: opened.record, bytes: part };
  }
  return undefined;
}
