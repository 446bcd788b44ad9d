/**
 * Checks one file into which several chains were copied, side by side: what a sink holds. Each record must follow one
 * that stands before it. A record that stands there again was sent again, after a failure: that is in order.
 */
import { NO_PREVIOUS, openLine, type StoredRecord } from './chain.ts';
import { readLines } from './read.ts';
import type { ChainReport } from './verify.ts';

interface Copy {
  writer: string;
  records: number;
  head: string;
  holdsHead: boolean;
}

/** True when more than one chain begins here, or one of them twice. */
export function holdsChains(path: string): boolean {
  let beginnings = 0;
  for (const { bytes } of readLines(path)) {
    if (isBeginning(bytes)) beginnings += 1;
    if (beginnings > 1) return true;
  }
  return false;
}

const BEGINNING = Buffer.from(`{"v":1,"seq":1,"prev":"${NO_PREVIOUS}",`);

function isBeginning(line: Buffer): boolean {
  return line.subarray(0, BEGINNING.length).equals(BEGINNING);
}

export function verifyCopies(path: string, head?: string): readonly ChainReport[] {
  const walk = new CopyWalk(path, head);
  const lines = readLines(path);
  let next = lines.next();
  for (; !next.done; next = lines.next()) walk.take(next.value.bytes, next.value.number);
  return walk.reports(next.value.torn);
}

class CopyWalk {
  readonly #path: string;
  readonly #wanted: string | undefined;
  /** By the hash of each record: the chain that holds it. */
  readonly #seen = new Map<string, Copy>();
  readonly #copies = new Set<Copy>();
  #problem: ChainReport['problem'];
  #repeated = 0;
  #foreign = 0;

  constructor(path: string, wanted: string | undefined) {
    this.#path = path;
    this.#wanted = wanted;
  }

  take(bytes: Buffer, line: number): void {
    if (this.#problem !== undefined) return;
    const opened = openLine(bytes);
    if (opened.ok) this.#place(opened.record, line);
    // Half a line, from a writer that ended while it wrote; what has the end of a record was changed.
    else if (/,"hash":"[0-9a-f]{64}"\}$/.test(bytes.subarray(-75).toString('latin1')))
      this.#fault(line, opened.problem);
    else this.#foreign += 1;
  }

  #place(record: StoredRecord, line: number): void {
    const { seq, prev, hash } = record;
    if (this.#seen.has(hash)) {
      this.#repeated += 1;
      return;
    }
    const before = this.#seen.get(prev);
    const isFirst = seq === 1 && prev === NO_PREVIOUS;
    const copy = isFirst ? this.#begin(record) : before;
    if (copy === undefined || (!isFirst && (copy.head !== prev || copy.records + 1 !== seq))) {
      this.#fault(line, 'does not follow any record before it: records are missing, or out of order');
      return;
    }
    copy.records = seq;
    copy.head = hash;
    if (hash === this.#wanted) copy.holdsHead = true;
    this.#seen.set(hash, copy);
  }

  #begin(record: StoredRecord): Copy {
    const writer = String(record['writer'] ?? `chain ${this.#copies.size + 1}`);
    const copy = { writer, records: 0, head: NO_PREVIOUS, holdsHead: false };
    this.#copies.add(copy);
    return copy;
  }

  #fault(line: number, message: string): void {
    this.#problem = { file: this.#path, line, message };
  }

  reports(torn: number): readonly ChainReport[] {
    const notes = [
      ...(torn > 0 ? [`${torn} bytes after the last newline, not a record`] : []),
      ...(this.#repeated > 0 ? [`${this.#repeated} records stand there again`] : []),
      ...(this.#foreign > 0 ? [`${this.#foreign} lines that are no records`] : []),
    ].map((note) => `${this.#path}: ${note}`);
    return [...this.#copies].map(({ writer, records, head, holdsHead }, index) => ({
      ...{ writer, records, head, segments: 1 },
      problem: index === 0 ? this.#problem : undefined,
      notes: index === 0 ? notes : [],
      ...(this.#wanted === undefined ? {} : { holdsHead }),
    }));
  }
}
