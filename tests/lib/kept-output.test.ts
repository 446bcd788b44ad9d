import { expect, test } from 'vitest';
import { OutputKeeper } from '../../src/lib/kept-output.ts';

function kept(limit: number, chunks: readonly (string | Uint8Array)[]) {
  const keeper = new OutputKeeper(limit);
  for (const chunk of chunks) keeper.add(Buffer.from(chunk));
  return keeper.finish();
}

test.each([
  ['nothing', [], { first: '', last: '', omitted: 0 }],
  ['less than the limit', ['ab', 'c'], { first: 'abc', last: '', omitted: 0 }],
  ['exactly the limit', ['abcdefgh'], { first: 'abcd', last: 'efgh', omitted: 0 }],
  ['one more', ['abcdefghi'], { first: 'abcd', last: 'fghi', omitted: 1 }],
  ['many chunks', [...'abcdefghijklmnop'], { first: 'abcd', last: 'mnop', omitted: 8 }],
  ['a pair across the end of the first part', ['abc😀efghi'], { first: 'abc', last: 'fghi', omitted: 3 }],
  ['a pair across the start of the last part', ['abcdefg😀hij'], { first: 'abcd', last: 'hij', omitted: 5 }],
])('%s', (_name, chunks, expected) => {
  expect(kept(8, chunks)).toEqual(expected);
});

test('a character that is cut between chunks is whole', () => {
  const bytes = Buffer.from('ü😀文');
  expect(
    kept(
      100,
      [...bytes].map((byte) => Uint8Array.of(byte)),
    ),
  ).toEqual({ first: 'ü😀文', last: '', omitted: 0 });
});

test('bytes that are no UTF-8 become replacement characters', () => {
  expect(kept(100, [Uint8Array.of(0x61, 0xe9), Uint8Array.of(0x62, 0xf0, 0x9f)]).first).toBe(
    'a\ufffdb\ufffd',
  );
});

test('what is counted is right after very much', () => {
  const chunk = 'x'.repeat(65_536);
  expect(kept(1_000, ['start', ...Array.from({ length: 500 }, () => chunk), 'end'])).toEqual({
    first: `start${'x'.repeat(495)}`,
    last: `${'x'.repeat(497)}end`,
    omitted: 500 * 65_536 + 8 - 1_000,
  });
});
