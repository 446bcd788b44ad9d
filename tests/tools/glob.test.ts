import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { glob as globTool } from '../../src/tools/glob.ts';
import { openDescriptors } from '../lib/children.ts';
import { makeWorkbench, parse, runPermitted, type Workbench } from './context.ts';

let bench: Workbench;
let clock: number;
beforeEach(() => {
  bench = makeWorkbench();
  clock = 1_000_000;
});
afterEach(() => bench.remove());

/** Each file is newer than the one before. */
function files(...names: string[]): void {
  for (const name of names) {
    const path = join(bench.cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name);
    clock += 10;
    utimesSync(path, clock, clock);
  }
}
const glob = (pattern: string, path?: string, changes = {}) =>
  runPermitted(
    globTool,
    { pattern, ...(path === undefined ? {} : { path }) },
    { ...bench.context, ...changes },
  );
const found = async (pattern: string, path?: string) => (await glob(pattern, path)).text.split('\n');

describe('what is found', () => {
  beforeEach(() => {
    files(
      'src/a.ts',
      'src/deep/b.ts',
      'c.ts',
      '.hidden/d.ts',
      '.env',
      'node_modules/m/e.ts',
      '.git/config',
      "it's ü.txt",
    );
  });

  test.each<[string, string[]]>([
    ['**/*.ts', ['.hidden/d.ts', 'c.ts', 'src/deep/b.ts', 'src/a.ts']],
    ['*', ["it's ü.txt", '.env', 'c.ts']],
    ['src/**', ['src/deep/b.ts', 'src/a.ts']],
    ['./src/*', ['src/a.ts']],
    ['src/{a,x}.ts', ['src/a.ts']],
    ['c.ts', ['c.ts']],
    ['src', ['(no matches)']],
    ['*.py', ['(no matches)']],
    ['node_modules/**/*.ts', ['node_modules/m/e.ts']],
    ['.git/*', ['.git/config']],
    ["it's*", ["it's ü.txt"]],
    ['src/', ['(no matches)']],
    ['.', ['(no matches)']],
    ['missing/*', ['(no matches)']],
    ['c.ts/*', ['(no matches)']],
    ['**/[!a-b].ts', ['.hidden/d.ts', 'c.ts']],
    ['{src,src/deep}/?.ts', ['src/deep/b.ts', 'src/a.ts']],
  ])('%s', async (pattern, names) => {
    expect(await found(pattern)).toEqual(names);
  });

  test('path chooses the directory; what is shown can be used as it is', async () => {
    expect(await found('*.ts', 'src')).toEqual(['src/a.ts']);
    expect(await found('*', join(bench.cwd, '.git'))).toEqual(['.git/config']);
    writeFileSync(join(bench.outside, 'o.ts'), '');
    expect(await found('*.ts', '../outside')).toEqual([join(bench.outside, 'o.ts')]);
  });

  test('an absolute pattern inside the directory is taken', async () => {
    expect(await found(`${bench.cwd}/src/*.ts`)).toEqual(['src/a.ts']);
  });

  test('parentheses, plus and exclamation marks in names are plain characters', async () => {
    files('app/(group)/page.tsx', 'app/@slot/page.tsx', 'a+b', '!c');
    expect(await found('app/(group)/*')).toEqual(['app/(group)/page.tsx']);
    expect(await found('**/(group)/**')).toEqual(['app/(group)/page.tsx']);
    expect(await found('app/@slot/*.tsx')).toEqual(['app/@slot/page.tsx']);
    expect(await found('{a+b,!c}')).toEqual(['!c', 'a+b']);
  });
});

test.each<[string, string | undefined, string]>([
  ['*', 'src/../x', 'x'],
  ['secrets/*', undefined, 'secrets'],
  ['./secrets//deep/**/*.pem', '.', 'secrets/deep'],
  ['s\\ecrets/*', undefined, 'secrets'],
  ['{secrets/a,secrets/b}/*', undefined, 'secrets'],
  ['secrets/key', undefined, 'secrets'],
  ['{a,b}/*', 'x', 'x'],
  ['../*', undefined, '..'],
  ['a/../../*', 'x', ''],
  ['{..,src}/*', undefined, ''],
])('rules are matched against the directory that %s in %s searches', async (pattern, path, place) => {
  const input = { pattern, ...(path === undefined ? {} : { path }) };
  const { call } = await parse(globTool, input, bench.context);
  expect(call.value.specifier).toEqual({ kind: 'path', access: 'read', path: join(bench.cwd, place) });
});

test('rules are matched against the directory that an absolute pattern searches, or one from home', async () => {
  const placeOf = async (input: object) => (await parse(globTool, input, bench.context)).call.value.specifier;
  const access = { kind: 'path', access: 'read' };
  expect(await placeOf({ pattern: `${bench.cwd}/secrets/*` })).toEqual({
    ...access,
    path: join(bench.cwd, 'secrets'),
  });
  expect(await placeOf({ pattern: '~/.ssh/*', path: '~' })).toEqual({
    ...access,
    path: join(bench.home, '.ssh'),
  });
  expect(await placeOf({ pattern: `${bench.outside}/a/*` })).toEqual({
    ...access,
    path: join(bench.outside, 'a'),
  });
  expect(await placeOf({ pattern: '~/.ssh/*' })).toEqual({ ...access, path: join(bench.home, '.ssh') });
  expect(await placeOf({ pattern: '/*' })).toEqual({ ...access, path: '/' });
});

test.each(['../outside/*.ts', 'src/../../outside/*.ts'])(
  'the pattern %s is searched where it leads, and that is what was judged',
  async (pattern) => {
    files('src/a.ts');
    writeFileSync(join(bench.outside, 'o.ts'), '');
    expect(await found(pattern)).toEqual([join(bench.outside, 'o.ts')]);
    expect(await found(`${bench.outside}/*`)).toEqual([join(bench.outside, 'o.ts')]);
  },
);

test('files of $HOOKD_HOME are left out, however they are reached', async () => {
  const { hookdHome } = bench.context.workplace;
  mkdirSync(join(hookdHome, 'audit'), { recursive: true });
  for (const name of ['settings.json', 'audit/1.jsonl']) writeFileSync(join(hookdHome, name), '');
  writeFileSync(join(bench.home, 'mine.json'), '');
  symlinkSync(join(hookdHome, 'settings.json'), join(bench.home, 'link.json'));
  expect(await found('**', bench.home)).toEqual([join(bench.home, 'mine.json')]);
  expect(await found('*', hookdHome)).toEqual(['(no matches)']);
});

describe('a pattern that would take too long is refused before anything is searched', () => {
  test.each([
    ['twenty pairs of braces', '{a,b}'.repeat(20), /more than 1000 patterns/],
    ['a long range', '{1..2000}', /more than 1000 patterns/],
    ['ranges that multiply', '{1..40}{1..40}', /more than 1000 patterns/],
    [
      'nested braces',
      `${'{a,'.repeat(200)}b${'}'.repeat(200)}${'{c,d}'.repeat(5)}`,
      /more than 1000 patterns/,
    ],
    ['many stars', `${'*a'.repeat(11)}b`, /more than 10 stars/],
    ['many double stars', `${'**/a/'.repeat(11)}b`, /more than 10 times \*\*/],
    ['many characters', 'a'.repeat(1001), /longer than 1000/],
  ])('%s', async (_name, pattern, why) => {
    const { ok, text } = await glob(pattern);
    expect(ok).toBe(false);
    expect(text).toMatch(why);
  });
});

test.each([
  '*a*a*a*a*a*a*a*a*a*b',
  '{*a*a*a,*a*a}*a*a*a*a*b',
  '+(+(a))b',
  '(a+)+b',
  '**/**/*a*a*a*a*b',
  '{{{{',
  '[a',
  '{a',
])('the pattern %s is done with a long name at once', async (pattern) => {
  files('a'.repeat(250), 'deep/'.repeat(100) + 'a'.repeat(250));
  const began = performance.now();
  expect(await glob(pattern)).toMatchObject({ ok: true, text: '(no matches)' });
  expect(performance.now() - began).toBeLessThan(2000);
});

test.each(['{..,src}/*', '{a,/etc}/*', '**/{../,}x', 'a*/../../x'])(
  'the pattern %s leads out of the directory in more ways than one and is an error',
  async (pattern) => {
    files('src/a.ts');
    const { ok, text } = await glob(pattern);
    expect({ ok, told: text.includes('leads out of') }).toEqual({ ok: false, told: true });
  },
);

test('a missing directory, and a file in its place, are errors', async () => {
  files('f');
  expect(await glob('*', 'missing')).toMatchObject({
    ok: false,
    text: expect.stringContaining('does not exist'),
  });
  expect(await glob('*', 'f')).toMatchObject({
    ok: false,
    text: expect.stringContaining('is not a directory'),
  });
});

test('at most a hundred are shown, the newest, and the rest is counted', async () => {
  files(...Array.from({ length: 130 }, (_, index) => `f${index}`));
  const lines = await found('f*');
  expect({ first: lines[0], count: lines.length, last: lines.at(-1) }).toEqual({
    first: 'f129',
    count: 101,
    last: '... (30 more files; a narrower pattern shows them)',
  });
});

describe('links', () => {
  test('one to a file inside is listed; one that leads outside, nowhere or round is not', async () => {
    files('real');
    writeFileSync(join(bench.outside, 'secret'), '');
    symlinkSync('real', join(bench.cwd, 'inside'));
    symlinkSync(join(bench.outside, 'secret'), join(bench.cwd, 'out'));
    symlinkSync('nowhere', join(bench.cwd, 'dangling'));
    symlinkSync('round', join(bench.cwd, 'round'));
    expect((await found('*')).toSorted()).toEqual(['inside', 'real']);
  });

  test('a pattern that begins with a link is judged, and searched, where the link leads', async () => {
    writeFileSync(join(bench.outside, 'secret'), '');
    symlinkSync(bench.outside, join(bench.cwd, 'out'));
    const { call } = await parse(globTool, { pattern: 'out/*' }, bench.context);
    expect(call.value.specifier).toMatchObject({ path: join(bench.cwd, 'out') });
    expect(await found('out/*')).toEqual(['out/secret']);
    const { ok, text } = await glob('out/*', '.', { target: join(bench.cwd, 'out') });
    expect({ ok, told: text.includes('changed between') }).toEqual({ ok: false, told: true });
  });

  test('a pattern that goes through a link further on finds nothing there', async () => {
    writeFileSync(join(bench.outside, 'secret'), '');
    symlinkSync(bench.outside, join(bench.cwd, 'out'));
    for (const pattern of ['o*/*', '{out,x}/secret', '**/secret', '*/secret'])
      expect(await found(pattern)).toEqual(['(no matches)']);
  });

  test('a circle of directories does not hold the search', async () => {
    files('a/f');
    symlinkSync('..', join(bench.cwd, 'a/up'));
    symlinkSync('../a', join(bench.cwd, 'a/self'));
    expect(await found('**/f')).toEqual(['a/f']);
  });

  test('a directory that became a link after the decision is not searched', async () => {
    writeFileSync(join(bench.outside, 'secret'), '');
    const path = join(bench.cwd, 'sub');
    symlinkSync(bench.outside, path);
    const { ok, text } = await glob('*', 'sub', { target: path });
    expect({ ok, told: text.includes('changed between') }).toEqual({ ok: false, told: true });
    rmSync(path);
    mkdirSync(join(bench.cwd, 'real'));
    symlinkSync(bench.outside, path);
    expect((await glob('*', 'sub', { target: join(bench.cwd, 'real') })).ok).toBe(false);
  });
});

test('names that a deny rule covers are neither listed nor counted', async () => {
  files('a.ts', 'secrets/key', '.env');
  const hides = (path: string): boolean => /secrets|\.env/.test(path);
  expect((await glob('**', undefined, { hides })).text).toBe('a.ts');
  expect((await glob('secrets/*', undefined, { hides })).text).toBe('(no matches)');
});

test('an interrupt ends the search of a large tree', async () => {
  const controller = new AbortController();
  const run = glob('**/no such name', '/', { signal: controller.signal });
  controller.abort();
  expect(await run).toEqual({ ok: false, text: 'The user interrupted the search.' });
});

test('an interrupt in the middle of a walk that finds nothing ends it too', async () => {
  const controller = new AbortController();
  const run = glob('**/no such name', '/usr', { signal: controller.signal });
  setImmediate(() => setImmediate(() => setImmediate(() => controller.abort())));
  expect(await run).toEqual({ ok: false, text: 'The user interrupted the search.' });
});

test('no descriptor stays open', async () => {
  files('a', 'b/c');
  await glob('**');
  const before = openDescriptors();
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([
      glob('**'),
      glob('../x'),
      glob('*', 'missing'),
      glob('**', '.', { signal: AbortSignal.abort() }),
    ]);
  }
  expect(openDescriptors()).toBe(before);
});
