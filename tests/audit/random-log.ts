/** Random audit logs of the documented format: chains that name each other, rotated and left segments, damage. */
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Link, NO_PREVIOUS, sealLine } from '../../src/audit/chain.ts';
import type { Random } from '../support/random.ts';

export interface Log {
  readonly files: readonly string[];
  readonly hashes: readonly string[];
}

interface Written extends Link {
  readonly line: string;
  readonly body: string;
}

const BEGINNING: Link = { seq: 0, hash: NO_PREVIOUS };
const segmentName = (number: number) => `${String(number).padStart(6, '0')}.jsonl`;

/** Writes chains `a`, `b` and `c`, or the first of them, under `audit`. */
export function writeLog(random: Random, audit: string): Log {
  const files: string[] = [];
  const known: (Link & { writer: string })[] = [];
  for (const writer of ['a', 'b', 'c'].slice(0, 1 + random.below(3))) {
    const heads = known.filter(() => random.chance(0.1));
    if (random.chance(0.1)) heads.push({ writer: 'a', seq: 3, hash: 'e'.repeat(64) });
    if (random.chance(0.05)) heads.push({ writer: 'gone', seq: 1, hash: 'e'.repeat(64) });
    const first = JSON.stringify({ time: 't', kind: 'daemon_started', writer, heads });
    mkdirSync(join(audit, writer), { recursive: true });
    for (const [index, records] of segmentsOf(random, first).entries()) {
      const file = join(audit, writer, segmentName(index + 1));
      writeFileSync(file, records.map(({ line }) => `${line}\n`).join(''));
      files.push(file);
      known.push(...records.map(({ seq, hash }) => ({ writer, seq, hash })));
    }
  }
  return { files, hashes: known.map(({ hash }) => hash) };
}

function segmentsOf(random: Random, first: string): readonly (readonly Written[])[] {
  const segments: Written[][] = [extended([], BEGINNING, [first, ...bodies(random)])];
  for (let more = random.below(4); more > 0; more--) {
    const before = segments.at(-1) ?? [];
    const left = random.chance(0.4) ? 1 + random.below(before.length) : before.length;
    const [after = BEGINNING, repeated] = [before[left - 1], before.slice(left).map(({ body }) => body)];
    const isRotated = repeated.length === 0 && random.chance(0.7);
    const opening = isRotated
      ? { kind: 'segment_rotated', after: after.hash }
      : { kind: 'segment_started', abandoned: segmentName(segments.length), repeated: repeated.length };
    // Its writer may have ended before it had repeated all, or have repeated all but what was never acknowledged.
    const again = random.chance(0.9) ? repeated : repeated.slice(1);
    const begun = [JSON.stringify({ time: 't', ...opening, after: after.hash }), ...again];
    segments.push(extended([], after, [...begun, ...bodies(random)]));
  }
  return segments;
}

function extended(records: Written[], after: Link, bodies: readonly string[]): Written[] {
  let last = after;
  for (const body of bodies) {
    const { line, hash } = sealLine(last.seq + 1, last.hash, body);
    const record = { seq: last.seq + 1, hash, line, body };
    records.push(record);
    last = record;
  }
  return records;
}

function bodies(random: Random): readonly string[] {
  return random.several(0, 12, () => {
    const text = 'ü\\" x'.repeat(random.below(random.pick([4, 4, 60, 60, 900])));
    const body = JSON.stringify({ time: 't', kind: 'prompt', text, list: [1, { a: null }] });
    // As another program could write it: sound as well.
    return random.chance(0.01) ? body.replace('"list":', '"list": ') : body;
  });
}

/** Does something to one of the files, or nothing. */
export function damage(random: Random, files: readonly string[]): void {
  const file = files[random.below(files.length)] ?? '';
  const bytes = readFileSync(file);
  const lines = bytes.toString('utf8').split(/(?<=\n)/);
  const at = random.below(lines.length);
  const place = random.below(bytes.length);
  const put = (...parts: readonly (string | Buffer)[]) =>
    writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))));
  const [one = '', next = ''] = lines.slice(at);
  const spliced = (...instead: readonly string[]) =>
    put(lines.toSpliced(at, 2, ...instead.filter((line) => line !== '')).join(''));
  random.weighted<unknown>([
    [4, () => undefined],
    [4, () => put(bytes.subarray(0, place), String(random.below(10)), bytes.subarray(place + 1))],
    [1, () => spliced(next)],
    [1, () => spliced(one, one, next)],
    [1, () => spliced(next, one)],
    [1, () => spliced(one, '{}\n', next)],
    [1, () => put(bytes.subarray(0, place), 'x'.repeat(random.below(9000)), bytes.subarray(place))],
    [2, () => truncateSync(file, place)],
    [1, () => put(bytes, 'torn')],
    [1, () => put(bytes, 'written by somebody else\n')],
    [1, () => rmSync(file)],
    [0.5, () => truncateSync(file, 0)],
  ]);
}
