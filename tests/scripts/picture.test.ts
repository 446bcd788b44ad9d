/** The picture in README.md shows what hookd prints. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { svgOf, terminalLines } from '../../scripts/picture.ts';

test('the picture is what hookd prints today: npx tsx scripts/picture.ts makes it anew', () => {
  const lines = terminalLines();
  expect(lines.some((line) => line.includes('deny rule Bash(rm:*) (settings.json:4)'))).toBe(true);
  expect(lines.at(-1)).toMatch(/^ok {5}\d+ records in 1 chain, all sound/);
  expect(readFileSync(resolve(import.meta.dirname, '../../docs/terminal.svg'), 'utf8')).toBe(svgOf(lines));
});
