import { expect, test } from 'vitest';
import { isSafeAssignment, strippings } from '../../../src/permissions/shell/strip.ts';

const inner = (text: string): string => {
  const words = text.split(' ');
  const all = strippings(words);
  return words.slice(all[all.length - 1]?.taken).join(' ');
};

test.each(['__proto__ x', 'constructor x', 'toString x'])('%j is no wrapper', (text) => {
  expect(inner(text)).toBe(text);
});

test.each([
  ['timeout 5 x a', 'x a'],
  ['timeout -s KILL -k 1s 5.5m x', 'x'],
  ['timeout --foreground --kill-after=3 5 x', 'x'],
  ['nice x', 'x'],
  ['nice -n 5 x', 'x'],
  ['nice -5 x', 'x'],
  ['nohup timeout 5 nice x', 'x'],
  ['stdbuf -oL -e0 x', 'x'],
  ['command -p -- x', 'x'],
  ['builtin echo a', 'echo a'],
  ['xargs x', 'x'],
])('%j runs %j', (text, expected) => {
  expect(inner(text)).toBe(expected);
});

test.each([
  ['timeout x'],
  ['timeout --unknown 5 x'],
  ['nice -n5 x'],
  ['nice --adjustment=5 x'],
  ['nohup -- x'],
  ['stdbuf --output=L x'],
  ['stdbuf -o L x'],
  ['command -v x'],
  ['xargs -n1 x'],
  ['env x'],
  ['sudo x'],
  ['/usr/bin/timeout 5 x'],
  ['timeout 5'],
])('%j is left as it is', (text) => {
  expect(inner(text)).toBe(text);
});

test('what xargs runs is not unwrapped again', () => {
  expect(inner('xargs timeout 5 x')).toBe('timeout 5 x');
});

test.each([
  ['NODE_ENV', 'test', true],
  ['NODE_ENV', '', false],
  ['NODE_ENV', 'a b', false],
  ['NODE_ENV', undefined, false],
  ['PATH', 'x', false],
  ['LD_PRELOAD', 'x', false],
  ['GIT_DIR', 'x', false],
])('%s=%j before a command is safe: %s', (name, value, safe) => {
  expect(isSafeAssignment({ name, value })).toBe(safe);
});
