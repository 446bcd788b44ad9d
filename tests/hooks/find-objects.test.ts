import { expect, test } from 'vitest';
import { findObjects } from '../../src/hooks/find-objects.ts';

test.each([
  ['nothing here', []],
  ['{}', [{}]],
  ['a {"b":1} c {"d":{"e":2}} f', [{ b: 1 }, { d: { e: 2 } }]],
  ['{"a":"}"} {"b":"\\"}"}', [{ a: '}' }, { b: '"}' }]],
  ['{ not json {"a":1} }', [{ a: 1 }]],
  ['if (x) { "quote" } {"a":1}', [{ a: 1 }]],
  ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ['{"a":1', []],
  ['it is 5" {"a":1}', [{ a: 1 }]],
  ['{"open\n{"a":1}', [{ a: 1 }]],
  ['{\n  "a": [\n    {"b": 1}\n  ]\n}', [{ a: [{ b: 1 }] }]],
])('%j holds %j', (text, objects) => {
  expect(findObjects(text)).toEqual({ objects, complete: true });
});

test('text that is made to take long is given up', () => {
  const began = performance.now();
  expect(findObjects('{"a":'.repeat(500_000), 10_000_000).complete).toBe(false);
  expect(performance.now() - began).toBeLessThan(5_000);
});
