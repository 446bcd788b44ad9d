/** The index of path rules by directory only saves work: with it and without, the same rules reach below a directory. */
import { expect, test } from 'vitest';
import { BelowIndex } from '../../src/permissions/below-index.ts';
import { mayCoverBelow } from '../../src/permissions/path-rule.ts';
import { Random } from '../support/random.ts';
import { permissionsOf, WORKPLACE } from './scene.ts';

const PARTS = ['src', 'a', 'B', '*', '**', 'x*', '.env', '[ab]', 'lib', 'proj', 'work'] as const;
const ANCHORS = ['', './', '/', '//', '~/', '//work/', '//work/proj/', '!'] as const;
const PLACES = ['/', '/work', '/work/proj', '/work/PROJ', '/work/lib', '/home/u', '/home', '/etc'] as const;
const NAMES = ['src', 'SRC', 'a', 'b', 'x1', '.env', 'lib'] as const;

test('below every directory the same rules are found with the index and without', () => {
  const random = new Random(11);
  const path = (from: readonly [string, ...string[]], most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(from)).join('/');
  let found = 0;
  for (let round = 0; round < 300; round++) {
    const texts = Array.from(
      { length: 6 },
      () => `Read(${random.pick(ANCHORS)}${path(PARTS, 3)}${random.chance(0.2) ? '/' : ''})`,
    );
    const { paths } = permissionsOf({ deny: texts }).rules.deny;
    const index = new BelowIndex(paths, WORKPLACE);
    for (let at = 0; at < 20; at++) {
      const base = random.pick(PLACES);
      const directory = random.chance(0.3) ? base : `${base === '/' ? '' : base}/${path(NAMES, 3)}`;
      for (const rule of paths) {
        if (!mayCoverBelow(rule.pattern, directory, WORKPLACE)) continue;
        found++;
        expect([rule.source.text, directory, index.some(directory, (one) => one === rule)]).toEqual([
          rule.source.text,
          directory,
          true,
        ]);
      }
    }
  }
  expect(found).toBeGreaterThan(1000);
});
