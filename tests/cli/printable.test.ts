import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { oneLine, printable } from '../../src/cli/output.ts';
import { eventLines } from '../../src/cli/render.ts';
import { renderRecord } from '../../src/cli/render-record.ts';

const colours = picocolors.createColors(false);

test.each([
  ['a\tb\nc', 'a\tb\nc'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['\u009b8m', '\\u009b8m'],
  ['a\u2028b', 'a\\u2028b'],
  ['\ud800', '\\ud800'],
  ['😀 ü é', '😀 ü é'],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('one line is one line, of at most so many characters', () => {
  expect(oneLine('a\n\n b', 40)).toBe('a ⏎ b');
  expect(oneLine('x'.repeat(50), 40)).toHaveLength(40);
});

test('a warning, which may quote a file of the project, is made printable', () => {
  expect(eventLines({ kind: 'warning', text: 'key "\u001b[8m"' }, { colours: colours, columns: 80 })).toEqual(
    ['warning: key "\\u001b[8m"'],
  );
});

test('no field of a record reaches the terminal as it is', () => {
  const evil = '\u001b[2J';
  const record = {
    v: 1,
    seq: 1,
    prev: '',
    hash: '',
    time: evil.repeat(5),
    kind: evil,
    session: evil,
    text: evil,
  };
  expect(renderRecord(record, colours)).not.toContain('\u001b');
});
