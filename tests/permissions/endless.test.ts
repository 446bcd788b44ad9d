import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { understandCommand } from '../../src/permissions/understanding.ts';
import { ENDLESS } from './endless.ts';
import { bash, FILES, permissionsOf, WORKPLACE } from './scene.ts';

const permissions = permissionsOf({ allow: ['Bash'], deny: ['Bash(bad:*)', 'Read(.env)', 'Edit(/gen/**)'] });

/** Counts instead of times: a machine that is busy elsewhere changes nothing. scripts/decision-speed.ts prints the times. */
test.each(ENDLESS)('the work for endless %s is bounded', (_, command) => {
  let looks = 0;
  const counted =
    <R>(look: (path: string) => R) =>
    (path: string): R => {
      looks++;
      return look(path);
    };
  const files = {
    realPath: counted(FILES.realPath),
    kindOf: counted(FILES.kindOf),
    entries: counted(FILES.entries),
  };
  decide({ permissions, call: bash(command), files, isSet: counted((name) => name === 'PATH') });
  expect(looks).toBeLessThan(15_000);
  const { analysis, reach } = understandCommand(command, { cwd: WORKPLACE.cwd, home: WORKPLACE.home });
  expect(analysis.commands.length).toBeLessThan(4000);
  expect(reach.readings.length).toBeLessThan(4000);
  expect(reach.readings.reduce((sum, { words }) => sum + words.length, 0)).toBeLessThan(10_000);
});

test('what runs at the end of an endless command is denied or asked, never allowed', () => {
  const hidden = ENDLESS.filter(([, command]) => /(?:^|[;&|\n ])bad$/.test(command));
  expect(hidden.length).toBeGreaterThan(9);
  for (const [what, command] of hidden)
    expect(decide({ permissions, call: bash(command), files: FILES }).behavior, what).not.toBe('allow');
});

test('a denied command in the middle of an endless one is denied all the same', () => {
  for (const command of [
    `for x in ${"'a' ".repeat(15_000)}; do bad; done`,
    `${'a; '.repeat(400)} ! bad`,
    `cat ${'a '.repeat(1300)} .env`,
    `cat ${'a '.repeat(900)} .env`,
  ])
    expect(decide({ permissions, call: bash(command), files: FILES }).behavior).toBe('deny');
});

test('one command of more words than are looked at by every check asks', () => {
  const files = (count: number) => Array.from({ length: count }, (_, i) => `src/f${i}.txt`).join(' ');
  const decided = (command: string) => decide({ permissions, call: bash(command), files: FILES }).behavior;
  expect(decided(`cp ${files(700)} src`)).toBe('allow');
  expect(decided(`cp ${files(900)} src`)).toBe('ask');
});
