import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { bash, FILES, permissionsOf } from './scene.ts';

const list = (count: number, text: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => text(i));

const permissions = permissionsOf({
  allow: list(40, (i) => `Bash(tool${i} *)`),
  ask: list(10, (i) => `Edit(generated${i}/*)`),
  deny: [...list(30, (i) => `Bash(bad${i}:*)`), ...list(20, (i) => `Read(secret${i}/**)`)],
});

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
