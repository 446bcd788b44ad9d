/** A deny rule for the whole Read tool, in the shell: it is about contents. */
import { expect, test } from 'vitest';
import { bash, judge } from './scene.ts';

const decided = (command: string) => judge({ allow: ['Bash'], deny: ['Read'] }, bash(command)).behavior;

test.each(['cat f.txt', 'python3 x.py', 'bash -e f.txt', 'bash f.txt', 'perl f.txt', 'sh -c "cat f.txt"'])(
  '%j reads a file',
  (command) => {
    expect(decided(command)).toBe('deny');
  },
);

test.each(['ls', 'ls -la src', 'stat f.txt', 'bash -c zz1', 'python3 -c 1', 'perl -e 1'])(
  '%j shows no contents',
  (command) => {
    expect(decided(command)).toBe('allow');
  },
);

test.each([
  'bash --rcfile -c .env',
  'bash --init-file -c ./.env',
  'sh --rcfile -c .env',
  'bash run.sh -c .env',
  'python show.py -c .env',
  'node app.js -e .env',
  'python -W -c .env',
  'perl -pie .env',
  'node -r -e .env',
])('%j names a file, though the option before it has the look of one that takes code', (command) => {
  expect(judge({ allow: ['Bash'], deny: ['Read(.env)'] }, bash(command)).behavior).toBe('deny');
});
