import { describe, expect, test } from 'vitest';
import { changeFields, type Hunk, structuredPatch } from '../../src/tools/structured-patch.ts';

const ten = Array.from({ length: 10 }, (_, index) => `${index + 1}\n`).join('');

test.each<[string, string, string, readonly Hunk[]]>([
  ['nothing', 'a\n', 'a\n', []],
  [
    'the first line, as observed on Claude Code 2.1.332',
    'aaa\nbbb\n',
    'ccc\nbbb\n',
    [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-aaa', '+ccc', ' bbb'] }],
  ],
  [
    'a line in the middle, with three lines around it',
    ten,
    ten.replace('5', 'five'),
    [
      {
        oldStart: 2,
        oldLines: 7,
        newStart: 2,
        newLines: 7,
        lines: [' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
      },
    ],
  ],
  [
    'a line more',
    'a\nb\n',
    'a\nx\nb\n',
    [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [' a', '+x', ' b'] }],
  ],
  [
    'a line less, the same as the one after it',
    'a\na\na\n',
    'a\na\n',
    [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 2, lines: [' a', ' a', '-a'] }],
  ],
  [
    'the newline at the end',
    'a\nb',
    'a\nb\n',
    [
      {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 2,
        lines: [' a', '-b', '\\ No newline at end of file', '+b'],
      },
    ],
  ],
  ['an empty file', '', 'a\n', [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] }]],
  [
    'carriage returns, which belong to their lines',
    'a\r\nb\r\n',
    'a\r\nc\r\n',
    [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a\r', '-b\r', '+c\r'] }],
  ],
])('a change of %s', (_name, before, after, patch) => {
  expect(structuredPatch(before, after)).toEqual(patch);
});

describe('of any two texts', () => {
  test('the patch makes the one of the other, and its numbers are those of its lines', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const text = () =>
      Array.from({ length: random(9) }, () => 'ab'.charAt(random(2))).join('\n') + ['', '\n'][random(2)];
    let changes = 0;
    for (let round = 0; round < 3000; round += 1) {
      const [before, after] = [text(), text()];
      const [hunk, ...more] = structuredPatch(before, after);
      expect(more).toEqual([]);
      expect(hunk === undefined).toBe(before === after);
      if (hunk === undefined) continue;
      changes += 1;
      expect(patched(before, hunk)).toBe(after);
      expect(count(hunk, /^[- ]/)).toBe(hunk.oldLines);
      expect(count(hunk, /^[+ ]/)).toBe(hunk.newLines);
    }
    expect(changes).toBeGreaterThan(2000);
  });
});

test('of a text over 1 MiB neither the patch nor the original is given', () => {
  const large = 'x'.repeat(1024 * 1024 + 1);
  const nothing = { originalFile: null, structuredPatch: [] };
  expect(changeFields(large, 'y')).toEqual(nothing);
  expect(changeFields('y', large)).toEqual(nothing);
  expect(changeFields(undefined, 'y')).toEqual(nothing);
  expect(changeFields('y\n', 'z\n').originalFile).toBe('y\n');
});

function count({ lines }: Hunk, kind: RegExp): number {
  return lines.filter((line) => kind.test(line)).length;
}

function patched(before: string, { oldStart, oldLines, lines }: Hunk): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const now = lines.flatMap((line, index) => {
    if (!/^[+ ]/.test(line)) return [];
    return [line.slice(1) + (lines[index + 1]?.startsWith('\\') ? '' : '\n')];
  });
  return [...old.slice(0, oldStart - 1), ...now, ...old.slice(oldStart - 1 + oldLines)].join('');
}
