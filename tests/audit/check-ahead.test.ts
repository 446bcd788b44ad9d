/** A log that is checked in pieces, by several threads, gets the very report that reading it line after line gives. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_PREVIOUS, sealLine } from '../../src/audit/chain.ts';
import { type How, startWorker } from '../../src/audit/check-ahead.ts';
import { type Errand, type Finding, PieceList } from '../../src/audit/piece-list.ts';
import { type ChainReport, verifyAll, verifyFile } from '../../src/audit/verify.ts';
import { Random } from '../support/random.ts';
import { damage, writeLog } from './random-log.ts';

const SEEDS = 60;
const root = mkdtempSync(join(tmpdir(), 'hookd-ahead-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LINE_BY_LINE: How = { threads: 0 };
const BUILT = pathToFileURL(resolve(import.meta.dirname, '../../dist/check-worker.js'));
const listOf = ({ files, pieceBytes, shared }: Errand) => new PieceList(files, pieceBytes, shared);

/** A chain of one file, with `count` records of 500 bytes. */
function plainLog(count: number) {
  const audit = mkdtempSync(join(root, 'plain-'));
  const file = join(audit, 'w', '000001.jsonl');
  mkdirSync(join(audit, 'w'));
  const lines = sealed(count);
  writeFileSync(file, lines.slice(0, count).join(''));
  return { audit, file };
}

/** The first lines of always the same chain. */
function sealed(count: number): readonly string[] {
  const lines: string[] = [];
  let previous = NO_PREVIOUS;
  for (let seq = 1; seq <= count; seq++) {
    const body = JSON.stringify({ time: 't', kind: 'prompt', text: 'x'.repeat(270) });
    const { line, hash } = sealLine(seq, previous, body);
    lines.push(`${line}\n`);
    previous = hash;
  }
  return lines;
}

/** What a test of random logs was about. */
function count(seen: Record<'sound' | 'faulty' | 'noted' | 'held', number>, reports: readonly ChainReport[]) {
  seen.sound += Number(reports.every(({ problem }) => problem === undefined));
  seen.faulty += Number(reports.some(({ problem }) => (problem?.line ?? 0) > 1));
  seen.noted += Number(reports.some(({ notes }) => notes.length > 0));
  seen.held += Number(reports.some(({ holdsHead }) => holdsHead === true));
}

/** Another thread, played: it takes pieces, tells of some in any order, of some that there is nothing to say, of some never. */
function playedThread(random: Random): Pick<How, 'threads' | 'patienceMs' | 'help'> {
  const help = (errand: Errand) => {
    const pieces = listOf(errand);
    const findings: Finding[] = [];
    for (let left = random.below(pieces.length + 1); left > 0; left--) {
      const index = pieces.take();
      const finding = { index, stretch: random.chance(0.95) ? pieces.check(index) : undefined };
      if (random.chance(0.95)) findings.splice(random.below(findings.length + 1), 0, finding);
    }
    for (const finding of findings) {
      errand.port.postMessage(finding);
      pieces.finish();
    }
  };
  return { threads: 2, patienceMs: 0, help };
}

describe('checking in pieces', () => {
  it(`says what reading line after line says, of ${SEEDS} random logs, most of them damaged`, () => {
    const seen = { sound: 0, faulty: 0, noted: 0, held: 0 };
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new Random(seed);
      const audit = join(root, String(seed));
      const log = writeLog(random, audit);
      damage(random, log.files);
      const head = random.pick(['f'.repeat(64), ...log.hashes.filter(() => random.chance(0.1)), undefined]);
      const expected = verifyAll(audit, head, LINE_BY_LINE);
      for (const pieceBytes of [100 + random.below(200), 700, 3000, 1024 * 1024])
        for (const how of [{ threads: 1 }, playedThread(random)]) {
          const reports = verifyAll(audit, head, { ...how, pieceBytes });
          expect({ seed, pieceBytes, reports }).toEqual({ seed, pieceBytes, reports: expected });
        }
      for (const name of readdirSync(join(audit, 'a')))
        expect(verifyFile(join(audit, 'a', name), head, { threads: 1, pieceBytes: 200 })).toEqual(
          verifyFile(join(audit, 'a', name), head, LINE_BY_LINE),
        );
      count(seen, expected);
    }
    // It was about something.
    for (const [what, times] of Object.entries(seen)) expect([what, times > 5]).toEqual([what, true]);
  });

  const later = sealed(25).slice(20).join('');
  it.each<[string, (file: string) => void]>([
    ['grows', (file) => appendFileSync(file, later)],
    ['grows by half a line', (file) => appendFileSync(file, later.slice(0, -10))],
    ['is cut', (file) => truncateSync(file, 5000)],
    [
      'is changed',
      (file) => writeFileSync(file, readFileSync(file, 'latin1').replace('xxx', 'xyx'), 'latin1'),
    ],
    ['disappears', (file) => rmSync(file)],
  ])('is about what was read where a file %s after its size was looked at', (_, change) => {
    const { audit, file } = plainLog(20);
    const how = { threads: 2, pieceBytes: 1000, help: () => change(file), patienceMs: 0 };
    const [report] = verifyAll(audit, undefined, how);
    expect([report]).toEqual(verifyAll(audit, undefined, LINE_BY_LINE));
    expect(report).not.toMatchObject({ records: 20, problem: undefined, notes: [] });
  });

  it('leaves a line that is longer than many pieces to who reads lines', () => {
    const { audit, file } = plainLog(3);
    appendFileSync(file, `${'x'.repeat(100_000)}\n{}\n`);
    const [report] = verifyAll(audit, undefined, { threads: 1, pieceBytes: 500 });
    expect([report]).toEqual(verifyAll(audit, undefined, LINE_BY_LINE));
    expect(report?.problem).toMatchObject({ line: 4 });
  });

  it('looks no further into a hole than a line can reach', () => {
    const { audit, file } = plainLog(3);
    truncateSync(file, 2 ** 40);
    const [report] = verifyAll(audit, undefined, { threads: 1 });
    expect(report).toMatchObject({ records: 3, problem: { file } });
  });

  it('goes over a sound line that is longer than many pieces', () => {
    const { audit, file } = plainLog(3);
    const after = { seq: 3, hash: sealed(3)[2]?.slice(-67, -3) ?? '' };
    const body = JSON.stringify({ time: 't', kind: 'prompt', text: 'x'.repeat(300_000) });
    const { line, hash } = sealLine(after.seq + 1, after.hash, body);
    appendFileSync(file, `${line}\n${sealLine(5, hash, body).line}\n`);
    const [report] = verifyAll(audit, undefined, { threads: 1, pieceBytes: 500 });
    expect(report).toMatchObject({ records: 5, problem: undefined });
  });
});

describe('another thread', () => {
  it('that is a real one finds what this one would find', () => {
    const { audit, file } = plainLog(400);
    let hasHelped = false;
    const help = (errand: Errand) => {
      startWorker(BUILT, errand);
      // Its first piece is done.
      hasHelped = listOf(errand).wait(0, 60_000);
    };
    const how = { threads: 2, pieceBytes: 1000, help };
    expect(verifyAll(audit, undefined, how)).toEqual(verifyAll(audit, undefined, LINE_BY_LINE));
    expect(hasHelped).toBe(true);
    writeFileSync(file, readFileSync(file, 'latin1').replace(/(?<="seq":350,.*)xxx/, 'xyx'), 'latin1');
    expect(verifyAll(audit, undefined, how)).toEqual(verifyAll(audit, undefined, LINE_BY_LINE));
    expect(verifyAll(audit, undefined, how)[0]).toMatchObject({ records: 349, problem: { line: 350 } });
  });

  it.each<[string, (errand: Errand) => void]>([
    ['cannot be started', (errand) => startWorker(pathToFileURL(join(root, 'none.js')), errand)],
    [
      'is refused by the system',
      () => {
        throw new Error('no threads left');
      },
    ],
    ['dies with the piece that it has taken', startDying],
  ])('is not needed: one that %s changes nothing', (_, help) => {
    const { audit, file } = plainLog(50);
    const how = { threads: 2, pieceBytes: 1000, help, patienceMs: 1 };
    expect(verifyAll(audit, undefined, how)).toMatchObject([{ records: 50, problem: undefined }]);
    writeFileSync(file, readFileSync(file, 'latin1').replace('xxx', 'xyx'), 'latin1');
    expect(verifyAll(audit, undefined, how)).toMatchObject([{ records: 0, problem: { line: 1 } }]);
  });
});

/** Returns when the thread has taken its piece. */
function startDying(errand: Errand): void {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const program = `const { shared, begun } = require('node:worker_threads').workerData;
    Atomics.add(new Int32Array(shared), 0, 1);
    Atomics.store(begun, 0, 1);
    Atomics.notify(begun, 0);
    throw new Error('dies');`;
  const thread = new Worker(program, { eval: true, workerData: { shared: errand.shared, begun } });
  thread.on('error', () => undefined);
  expect(Atomics.wait(begun, 0, 0, 60_000)).not.toBe('timed-out');
}
