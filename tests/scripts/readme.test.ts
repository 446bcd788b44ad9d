/** README.md, as a newcomer follows it. */
import { expect, test } from 'vitest';
import { followReadme, readmeCommands } from '../../scripts/follow-readme.ts';

test('its commands work one after another, as written, in a fresh clone where only node, npm, bash, git and coreutils are', () => {
  const { ok, commands } = followReadme({ all: false });
  expect(commands.filter(({ code }) => code !== 0)).toEqual([]);
  expect(ok).toBe(true);
  expect(commands.length).toBeGreaterThan(4);
  const seen = commands.map(({ output }) => output).join('');
  expect(seen).toContain('denied Denied by rule Bash(rm:*) (--settings:1).');
  expect(seen).toMatch(/^ok {5}\d+ records in 1 chain, all sound/m);
}, 300_000);

test('a command is a line of a block of shell', () => {
  expect(readmeCommands('x\n```sh\na\n\nb # c\n```\n```\nnot\n```\n')).toEqual(['a', 'b # c']);
});
