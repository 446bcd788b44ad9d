/** Commands that name a file from another directory than the one they start in. Nothing here is ever run. */
import { test } from 'vitest';
import { all, none } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const rule = (text: string): RuleTexts => ({ allow: ['Bash'], deny: [text] });
const SEC = rule('Read(secrets/**)');
const ENV = rule('Read(.env)');
const SRC = rule('Edit(src/**)');

const TO_SECRETS = [
  'env -C secrets',
  'env --chdir=secrets',
  'env --ch secrets',
  'env -iC secrets A=b',
  'env -Csecrets',
  'timeout 5 env -C secrets',
  'unshare --wd=secrets',
  'unshare -r -w secrets',
  'nsenter --wd=secrets',
  'bwrap --chdir secrets',
  'pnpm -C secrets exec',
  'npm --prefix secrets exec',
  'yarn --cwd secrets exec',
  'uv run --directory secrets',
  'uv --directory secrets run',
  'poetry -C secrets run',
  'direnv exec secrets',
  'env -C src env -C ../secrets',
];

test('a program that goes to a directory first names its files from there', () => {
  all(
    SEC,
    'deny',
    TO_SECRETS.map((start) => `${start} cat key`),
  );
  all(SEC, 'deny', ['make -C secrets -f key', 'sudo -D secrets cat key', "env -C secrets sh -c 'cat key'"]);
  all(ENV, 'deny', ['env -C src cat ../.env', 'env -C src -C .. cat .env', 'make -C src -f ../.env']);
  all(SRC, 'deny', [
    'env -C lib tee ../src/a.ts',
    'tar xf z -C lib ../src/a.ts',
    'tar xCf lib z ../src/a.ts',
  ]);
  none(ENV, ['tar -C src -cf - ../.env', 'env -C "$d" cat .env']);
  none(SRC, ['curl -O --output-dir src http://h/a.ts']);
});

test('what is guarded without a rule is so from such a directory', () => {
  none({ allow: ['Bash'] }, [
    'env -C / rm -rf usr',
    'sudo -D / rm -rf usr',
    'env -C .git touch x',
    'env -C ~ cat .hookd/settings.json',
  ]);
});

test('such a program in a directory that no rule is about is left alone', () => {
  all(SEC, 'allow', ['env -C src cat a.ts', 'make -C src test', 'npm --prefix src test', 'env -C src ls']);
  all(SRC, 'allow', ['tar xf z.tar -C vendor', 'uv run --directory docs pytest -q']);
});
