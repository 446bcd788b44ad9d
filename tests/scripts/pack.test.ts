/** The package as somebody gets it who has neither the repository nor a network. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

test('holds what hookd needs and nothing of its development; installs without a network, and runs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hookd-pack-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const env = { ...process.env, HOME: directory, HOOKD_HOME: join(directory, 'home') };
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory], ROOT),
  ) as [{ filename: string; files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);
  const folders = new Set(paths.map((path) => (path.includes('/') ? path.split('/')[0] : path)));
  expect([...folders].sort()).toEqual([
    'CHANGELOG.md',
    'README.md',
    'SECURITY.md',
    'dist',
    'docs',
    'hooks',
    'package.json',
    'settings.example.json',
    'settings.example.test.jsonl',
  ]);
  expect(paths).toContain('dist/THIRD-PARTY-LICENSES.txt');
  expect(paths).toContain('dist/check-worker.js');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  run('npm', ['install', ...quiet, join(directory, packed.filename)], directory);
  const hookd = join(directory, 'node_modules/.bin/hookd');
  expect(run(hookd, ['--version'], directory)).toBe('0.1.0\n');
  expect(run(hookd, ['demo', 's02'], directory)).toContain('●');
}, 120_000);
