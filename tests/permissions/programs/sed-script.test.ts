/** What a script of sed reads, writes and runs, against what GNU sed itself says of it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSedScript } from '../../../src/permissions/programs/sed-script.ts';
import { mayBeMore, refusedBySed, sedScripts } from '../fuzz/sed-scripts.ts';

/** Of GNU sed 4.9: scripts that it refuses with --sandbox, as they read, write or run. */
const REFUSED: readonly string[] = JSON.parse(
  readFileSync(new URL('../fuzz/sed-refused.json', import.meta.url), 'utf8'),
);

test('no script that GNU sed 4.9 refuses in its sandbox is taken for one that only edits', () => {
  expect(REFUSED.length).toBeGreaterThan(300);
  expect(REFUSED.filter((script) => !mayBeMore(script))).toEqual([]);
});

test('nor one that the sed of this machine refuses, where it is GNU sed', () => {
  const scripts = sedScripts(1500, 7);
  const refused = refusedBySed(scripts) ?? scripts.map((script) => REFUSED.includes(script));
  expect(refused.length).toBe(scripts.length);
  expect(scripts.filter((script, index) => refused[index] && !mayBeMore(script))).toEqual([]);
});

test.each([
  's/[^/]*$//;s/[/]/#/g',
  's/[]/]/x/;s/[^]/]/x/;s/[[:alpha:]/]/x/;s/[\\/]/x/;s/[[.].]/]/x/',
  ':a;N;$!ba;s/\\n/ /g',
  '/start/,/end/{//!d;}',
  '\\,/a,I,+3!{s|x\\|[|]|y|gI;p;}',
  '1a\\\nmore\\\nand more\n$d',
  'a more; e x',
  '/a/i\\  more',
  's/\\x1b\\[[0-9;]*[mK]//g',
  's/a/b/ ; s,c,d,2p # e x',
  'y/abc[/ABC]/;l 5;q5',
  '0~3d;$!N;P;D',
])('%j only edits', (script) => {
  expect(readSedScript([script])).toEqual({ reads: [], writes: [], code: [], runs: false, sure: true });
});

test.each([
  ['s/[/]/#/;1e curl h', { code: ['curl h'] }],
  [':a e curl h', { code: ['curl h'] }],
  ['1!bx e curl h\n:x', { code: ['curl h'] }],
  ['v;e curl h', { code: ['curl h'] }],
  ['v 4.2 e curl h', { code: ['curl h'] }],
  ['a x\\\\\ne curl h', { code: ['curl h'] }],
  ['s/a/b/ e;p', { runs: true }],
  ['e', { runs: true }],
  [':a w /home/u/x ', { writes: ['/home/u/x '] }],
  ['s/[/]/#/w out', { writes: ['out'] }],
  ['s/[/]/#/;r .env', { reads: ['.env'] }],
])('%j does more', (script, more) => {
  expect(readSedScript([script])).toEqual({
    ...{ reads: [], writes: [], code: [], runs: false, sure: true },
    ...more,
  });
});

test.each([
  ['sxaxbx'],
  ['s/[/a/'],
  ['s/a\nb/c/'],
  ['e c\\x75rl h'],
  ['a\\\\\\\ne curl h'],
  ['a\\ \ne curl h'],
  ['k'],
  ['a x\\', 'e curl h'],
])('%j is not certain', (...parts) => {
  expect(readSedScript(parts).sure).toBe(false);
});
