/** The commands that only ask the daemon something load little. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOKD } from '../support/hookd.ts';

const DIST = dirname(HOOKD);

/** The files that are loaded with this one; those that it loads later, too, when `lazily`. */
function loadedWith(file: string, lazily: boolean, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = readFileSync(join(DIST, file), 'utf8');
  for (const [, next = ''] of code.matchAll(/(?:from|^import) "\.\/([\w.-]+\.js)"/gm))
    loadedWith(next, false, seen);
  if (lazily)
    for (const [, next = ''] of code.matchAll(/import\("\.\/([\w.-]+\.js)"\)/g))
      loadedWith(next, false, seen);
  return seen;
}

describe('a thin command', () => {
  it('loads neither the parser of command lines nor the model, validators or watchers', () => {
    const files = [...loadedWith('thin.js', true)];
    const code = files.map((file) => readFileSync(join(DIST, file), 'utf8')).join('\n');
    expect(files.length).toBeGreaterThan(3);
    expect(code).toContain('No daemon runs');
    for (const absent of [
      'node_modules/yargs',
      'node_modules/@anthropic-ai',
      'node_modules/ajv',
      'node_modules/chokidar',
      'node_modules/pino',
      'node_modules/hono',
    ])
      expect(code.includes(absent), absent).toBe(false);
    expect(code.length).toBeLessThan(64 * 1024);
  });
});
