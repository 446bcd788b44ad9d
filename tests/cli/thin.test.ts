/** The commands that only ask the daemon or the audit log something load little, and answer as the others do. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainTailFlags } from '../../src/cli/audit-tail-flags.ts';
import { HOOKD, hookd, makeWorkspace, modelScript } from '../support/hookd.ts';
import { text } from '../support/in-process.ts';

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
    expect(code.length).toBeLessThan(96 * 1024);
  });

  it.each([
    [[], { count: 20, json: false }],
    [['--json'], { count: 20, json: true }],
    [['-n', '100'], { count: 100, json: false }],
    [['--lines', '0', '--json'], { count: 0, json: true }],
    [['--json', '-n', '5'], { count: 5, json: true }],
    [['-n'], undefined],
    [['-n', '--json'], undefined],
    [['-n', '-1'], undefined],
    [['-n', '1e2'], undefined],
    [['-n', '5', '-n', '5'], undefined],
    [['--json', '--json'], undefined],
    [['-f'], undefined],
    [['--help'], undefined],
    [['--kind', 'permission'], undefined],
  ])('takes of "audit tail" what is plain, and leaves %j as it should', (flags, taken) => {
    expect(plainTailFlags(flags)).toEqual(taken);
  });

  it('prints of the audit log what the parsed command prints', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [[text('done')]]);
    await hookd(workspace, ['-p', 'go', '--model-script', script, '--no-daemon']);
    const plain = await hookd(workspace, ['audit', 'tail', '-n', '5', '--json']);
    expect(plain).toEqual(await hookd(workspace, ['audit', 'tail', '-n=5', '--json']));
    expect(plain.stdout.split('\n')).toHaveLength(6);
    expect(await hookd(workspace, ['audit', 'tail'])).toEqual(
      await hookd(workspace, ['audit', 'tail', '-n=20']),
    );
    const lost = { ...workspace, env: { ...workspace.env, HOOKD_HOME: 'relative' } };
    const refused = await hookd(lost, ['audit', 'tail']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused).toEqual(await hookd(lost, ['audit', 'tail', '-n=20']));
  });
});
