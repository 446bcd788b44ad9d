import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { bash, FILES, permissionsOf, read } from './scene.ts';

const list = (count: number, text: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => text(i));

const permissions = permissionsOf({
  allow: list(40, (i) => `Bash(tool${i} *)`),
  ask: list(10, (i) => `Edit(generated${i}/*)`),
  deny: [...list(30, (i) => `Bash(bad${i}:*)`), ...list(20, (i) => `Read(secret${i}/**)`)],
});

test.each([[bash('git status')], [bash('tool3 a b c')], [read('/work/proj/f.txt')]])(
  'a plain call over 100 rules takes a fraction of a millisecond',
  (call) => {
    let best = Number.POSITIVE_INFINITY;
    // The best of many batches: other processes may have the processor for some of them.
    for (let batch = 0; batch < 50; batch++) {
      const started = performance.now();
      for (let i = 0; i < 20; i++) decide({ permissions, call, files: FILES });
      best = Math.min(best, (performance.now() - started) / 20);
    }
    expect(best).toBeLessThan(0.5);
  },
);

/** Text that is made to take long: it may ask, it may not hang. */
test.each([
  ['substitutions', '$('.repeat(20_000)],
  ['groups', '('.repeat(60_000)],
  ['braces', '{a,b}'.repeat(10_000)],
  ['globs', `cat ${'/*/*/* '.repeat(30)}`],
  ['eval', `${'eval '.repeat(10_000)}x`],
  ['sudo', `${'sudo -n '.repeat(5000)}x`],
  ['find', `find . ${'-exec a '.repeat(5000)}`],
  ['env', "env -S 'env -S ".repeat(3000)],
  ['sed', `sed ${'e '.repeat(30_000)}`],
  ['words', `tool3 ${list(5000, (i) => `w${i}`).join(' ')}`],
  ['commands', `${'true; '.repeat(8000)}bad3`],
])('endless %s are answered in time', (_, command) => {
  const started = performance.now();
  const { behavior } = decide({ permissions, call: bash(command), files: FILES });
  expect(behavior).not.toBe('allow');
  expect(performance.now() - started).toBeLessThan(5000);
});
