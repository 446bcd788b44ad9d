import { expect, test } from 'vitest';
import { checkFlags } from '../../src/cli/given-once.ts';

const declared = { narg: { model: 1, n: 1, 'add-dir': 1 }, array: ['add-dir'], number: ['n'] };

test.each<[Record<string, unknown>, string | undefined]>([
  [{ _: ['a', 'b'], model: 'm', n: 3, 'add-dir': ['x', 'y'] }, undefined],
  [{}, undefined],
  [{ model: ['a', 'b'] }, '--model was given more than once.'],
  [{ n: [1, 2] }, '-n was given more than once.'],
  [{ n: Number.NaN }, '-n takes a number.'],
  [{ n: Number.POSITIVE_INFINITY }, '-n takes a number.'],
  [{ model: false }, '--model takes a value.'],
  [{ 'add-dir': [false] }, '--add-dir takes a value.'],
])('%j', (argv, problem) => {
  const check = () => checkFlags(argv, declared);
  if (problem === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(problem);
});
