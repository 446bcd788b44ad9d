import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OUTPUT_LIMITS, SessionOutputs, WholeOutput } from '../../src/tools/whole-output.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hookd-outputs-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const directoryOf = (session: string) => join(root, 'sessions', session, 'outputs');
const outputsOf = (session: string, limits = {}) =>
  new SessionOutputs(directoryOf(session), { ...OUTPUT_LIMITS, ...limits });

/** What is kept of these chunks, when ten characters are shown. */
function keep(outputs: SessionOutputs, id: string, ...chunks: readonly (string | Uint8Array)[]) {
  const whole = outputs.start(id, 10);
  for (const chunk of chunks) whole.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return whole.finish();
}

test('what is shown whole leaves nothing on the disk, not even the directory', () => {
  expect(keep(outputsOf('s1'), 'toolu_1', 'ten', ' chars', '!')).toBeUndefined();
  expect(keep(outputsOf('s1'), 'toolu_1', '€'.repeat(10))).toBeUndefined();
  expect(readdirSync(root)).toEqual([]);
});

test('what is longer is kept from its beginning, for nobody else to read', () => {
  const path = join(directoryOf('s1'), 'toolu_1.txt');
  const kept = keep(outputsOf('s1'), 'toolu_1', 'one\n', 'two\nthree\n', 'four');
  expect(kept).toEqual({ path, bytes: 18, lines: 4, problem: undefined });
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\nfour');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(directoryOf('s1')).mode & 0o777).toBe(0o700);
});

test('it is text that Read can show: characters are whole, other bytes and NULs are replaced', () => {
  const path = join(directoryOf('s1'), 'toolu_1.txt');
  const [a, ...b] = Buffer.from('ü');
  keep(outputsOf('s1'), 'toolu_1', '0123456789', Buffer.of(a ?? 0), Buffer.from(b), 'a\0b', Buffer.of(0xff));
  expect(readFileSync(path, 'utf8')).toBe('0123456789üa\ufffdb\ufffd');
});

test('beyond the limit of a file the rest is left out, and no character is halved', () => {
  const kept = keep(outputsOf('s1', { fileBytes: 14 }), 'toolu_1', '0123456789', 'abc', '€', 'more');
  expect(kept).toMatchObject({ bytes: 13, lines: 1, problem: 'only the first 13 bytes are kept' });
  expect(readFileSync(join(directoryOf('s1'), 'toolu_1.txt'), 'utf8')).toBe('0123456789abc');
});

describe('the name', () => {
  test.each(['../../escape', 'a/b', '', '.', '..', 'a\0b', 'x'.repeat(300), 'a b', '-é'])(
    'of a call with the id %j leads nowhere else',
    (id) => {
      keep(outputsOf('s1'), id, 'x'.repeat(20));
      expect(readdirSync(root)).toEqual(['sessions']);
      expect(readdirSync(directoryOf('s1'))).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.txt$/)]);
    },
  );

  test('is new for every call, even with the same id, and never a file that is there', () => {
    const outputs = outputsOf('s1');
    mkdirSync(directoryOf('s1'), { recursive: true });
    writeFileSync(join(root, 'precious'), 'precious');
    symlinkSync(join(root, 'precious'), join(directoryOf('s1'), 'toolu_1.txt'));
    for (const text of ['first', 'second']) keep(outputs, 'toolu_1', text.repeat(10));
    expect(readFileSync(join(root, 'precious'), 'utf8')).toBe('precious');
    const path = join(directoryOf('s1'), 'toolu_1-2.txt');
    expect(readFileSync(path, 'utf8')).toBe('first'.repeat(10));
    expect(readFileSync(join(directoryOf('s1'), 'toolu_1-3.txt'), 'utf8')).toBe('second'.repeat(10));
  });
});

test('a directory that is a link is not used, and the command is told why', () => {
  mkdirSync(join(root, 'sessions', 's1'), { recursive: true });
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), directoryOf('s1'));
  const kept = keep(outputsOf('s1'), 'toolu_1', 'x'.repeat(20), 'more');
  expect(kept).toEqual({ problem: `${directoryOf('s1')} is no directory` });
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});

test('a full disk costs the file, not the command', () => {
  const path = '/dev/full';
  const whole = new WholeOutput(10, 1000, () => ({ path, descriptor: openSync(path, 'w') }));
  for (let n = 0; n < 3; n++) whole.add(Buffer.from('x'.repeat(20)));
  expect(whole.finish()).toEqual({ path, bytes: 0, lines: 0, problem: expect.stringMatching(/^ENOSPC/) });
});

describe('room', () => {
  const DAY = 24 * 60 * 60 * 1000;
  const age = (path: string, ms: number) => {
    const time = new Date(Date.now() - ms);
    utimesSync(path, time, time);
  };
  const kept = (session: string, id: string) => existsSync(join(directoryOf(session), `${id}.txt`));

  test('a session’s oldest outputs go first', () => {
    const outputs = outputsOf('s1', { fileBytes: 100, sessionBytes: 300 });
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
      keep(outputs, id, 'x'.repeat(90));
      age(join(directoryOf('s1'), `${id}.txt`), 1000 * (10 - index));
    }
    expect(readdirSync(directoryOf('s1'))).toEqual(['b.txt', 'c.txt', 'd.txt']);
  });

  test('outputs of a week ago, of any session, go with the first that another keeps; what else lies there stays', () => {
    const outputs = outputsOf('s1');
    for (const [id, days] of [
      ['old', 8],
      ['new', 6],
    ] as const) {
      keep(outputs, id, 'x'.repeat(20));
      age(join(directoryOf('s1'), `${id}.txt`), days * DAY);
    }
    writeFileSync(join(directoryOf('s1'), 'notes.md'), '');
    writeFileSync(join(root, 'sessions', 's1', 's1.jsonl'), '');
    for (const path of ['outputs/notes.md', 's1.jsonl']) age(join(root, 'sessions', 's1', path), 9 * DAY);
    expect(keep(outputsOf('s2'), 'short', 'x')).toBeUndefined();
    expect(kept('s1', 'old')).toBe(true);
    keep(outputsOf('s2'), 'first', 'x'.repeat(20));
    expect([kept('s1', 'old'), kept('s1', 'new'), kept('s2', 'first')]).toEqual([false, true, true]);
    expect(existsSync(join(directoryOf('s1'), 'notes.md'))).toBe(true);
    expect(existsSync(join(root, 'sessions', 's1', 's1.jsonl'))).toBe(true);
  });

  test('all together stay below a limit', () => {
    for (const [index, session] of ['s1', 's2', 's3'].entries()) {
      keep(outputsOf(session), 'a', 'x'.repeat(100));
      age(join(directoryOf(session), 'a.txt'), 1000 * (10 - index));
    }
    keep(outputsOf('s4', { allBytes: 250 }), 'a', 'x'.repeat(100));
    expect(['s1', 's2', 's3', 's4'].map((session) => kept(session, 'a'))).toEqual([false, true, true, true]);
  });
});

test('an output that is to be hidden is removed, and others stay', () => {
  const outputs = outputsOf('s1');
  for (const id of ['a', 'b']) keep(outputs, id, 'x'.repeat(20));
  outputs.remove('a');
  outputs.remove('never');
  expect(readdirSync(directoryOf('s1'))).toEqual(['b.txt']);
});
