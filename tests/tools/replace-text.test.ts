import { describe, expect, test } from 'vitest';
import { replaceText } from '../../src/tools/replace-text.ts';

describe('text is replaced exactly', () => {
  test.each<[string, string, string, string, boolean, string]>([
    ['once', 'one two', 'two', '2', false, 'one 2'],
    ['everywhere', 'a b a', 'a', 'A', true, 'A b A'],
    ['by nothing', 'abc', 'b', '', false, 'ac'],
    ['matches do not overlap', 'aaa', 'aa', 'b', true, 'ba'],
    ['what looks like a pattern is text', 'a.c abc', 'a.c', "$& $$ $1 $` $'", false, "$& $$ $1 $` $' abc"],
    ['the same everywhere', 'x done y done', 'done', '$& $$', true, 'x $& $$ y $& $$'],
    [
      'CRLF is found by LF and kept',
      'alpha\r\nbeta\r\n',
      'alpha\nbeta',
      'ALPHA\nBETA',
      false,
      'ALPHA\r\nBETA\r\n',
    ],
    ['the same everywhere', 'a\r\nb\r\na\r\nb\r\n', 'a\nb', 'A\nB', true, 'A\r\nB\r\nA\r\nB\r\n'],
    ['mixed ends keep each its own', 'a\r\nb\nc\r\nd\n', 'a\nb\nc', 'a\nB\nc', false, 'a\r\nB\nc\r\nd\n'],
    ['each place keeps its own', 'a\nb|a\r\nb', 'a\nb', 'A\nB', true, 'A\nB|A\r\nB'],
    [
      'an inserted line ends like its neighbours',
      'a\r\nb\r\n',
      'a\nb',
      'a\nnew\nb',
      false,
      'a\r\nnew\r\nb\r\n',
    ],
    ['untouched lines around it keep theirs', 'a\nb\r\nc\r\n', 'a\nb\nc', 'a\nc', false, 'a\nc\r\n'],
    ['lines put into one line end like it', 'a\r\nb\r\n', 'b', 'b\nc', false, 'a\r\nb\r\nc\r\n'],
    ['also in a last line without end', 'a\r\nb', 'b', 'b\nc', false, 'a\r\nb\r\nc'],
    ['a text of one line has no style', 'b', 'b', 'b\nc', false, 'b\nc'],
    ['a line end at the start takes all of CRLF', 'a\r\nb', '\nb', '', false, 'a'],
    ['a line end at the end takes all of CRLF', 'a\r\nb', 'a\n', '', false, 'b'],
    ['a written \\r\\n is found as it is', 'a\r\nb\nc', 'a\r\nb', 'a\nb', false, 'a\nb\nc'],
    ['a written \\r\\n is put as it is', 'a\nb', 'a\nb', 'a\r\nb', false, 'a\r\nb'],
    ['a lone \\r is a character', 'a\rb\r\nc', 'a\rb', 'x', false, 'x\r\nc'],
    ['the last match ends the text', 'ab', 'ab', 'c', false, 'c'],
    ['characters of several units', '😀a😁', '😁', 'ü', false, '😀aü'],
  ])('%s: %j', (_name, text, oldText, newText, all, expected) => {
    expect(replaceText(text, oldText, newText, all)).toEqual({ ok: true, text: expected });
  });

  test.each<[string, string, string, boolean, number]>([
    ['absent', 'abc', 'x', false, 0],
    ['absent everywhere', 'abc', 'x', true, 0],
    ['twice', 'a b a', 'a', false, 2],
    ['twice with different line ends', 'a\nb|a\r\nb', 'a\nb', false, 2],
    ['a written \\r\\n is not \\n', 'a\nb', 'a\r\nb', false, 0],
    ['in another case', 'ABC', 'abc', false, 0],
  ])('%s: how often it was found is said', (_name, text, oldText, all, matches) => {
    expect(replaceText(text, oldText, 'new', all)).toEqual({ ok: false, matches });
  });

  test('a hundred thousand lines are one match, and as many matches are quick', () => {
    const lines = 'q\n'.repeat(100_000);
    const text = lines.replaceAll('\n', '\r\n');
    expect(replaceText(`x${text}`, `x${lines}`, 'y', false)).toEqual({ ok: true, text: 'y' });
    expect(replaceText(text, 'q\n', 'Q\n', true)).toEqual({ ok: true, text: text.toUpperCase() });
  });
});
