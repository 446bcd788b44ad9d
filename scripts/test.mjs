// Everything that must hold: types, lint, generated docs, then all tests. Writes the runner's report to reports/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const only = process.argv.slice(2);
const report = join(root, 'reports', 'vitest.json');
const bin = (name) => join(root, 'node_modules', '.bin', name);

rmSync(report, { force: true });
mkdirSync(dirname(report), { recursive: true });

// The tests' own programs (hooks in several languages, their grep and sed) are looked for where systems keep them, too;
// where one is missing, the cases that need it are left out and named.
const usual = ['/usr/local/bin', '/usr/bin', '/bin'];
const places = (process.env.PATH ?? '').split(delimiter).filter((place) => place !== '');
const PATH = [...places, ...usual.filter((place) => !places.includes(place))].join(delimiter);

const steps = [
  ['types', bin('tsc'), ['--noEmit']],
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated docs are fresh', bin('tsx'), ['scripts/generate-docs.ts', '--check']],
  [
    'tests',
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only],
  ],
];

let failed = false;
for (const [title, command, args] of steps) {
  process.stderr.write(`hookd test: ${title}\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) process.stderr.write(`hookd test: ${title}: ${error.message}\n`);
  if (status !== 0) {
    process.stderr.write(`hookd test: ${title} failed\n`);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
