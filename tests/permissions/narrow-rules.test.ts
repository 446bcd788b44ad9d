/** Rules for one program, and what they do not cover although the text begins as they say. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { bash, filesOf, permissionsOf } from './scene.ts';

const FILES = filesOf([
  '/work/proj/f.txt',
  '/work/proj/a.ts',
  '/work/proj/src/-delete',
  '/work/proj/src/b.ts',
  '/etc/passwd',
  '/home/u/x',
]);

function judged(rule: string, command: string, cwd = '/work/proj'): string {
  const permissions = permissionsOf({ allow: [rule] });
  const workplace = { ...permissions.workplace, cwd };
  return decide({ permissions: { ...permissions, workplace }, call: bash(command), files: FILES }).behavior;
}

test.each([
  // What its input holds may be an option of any kind.
  ['Bash(git push)', 'echo --force | xargs git push'],
  ['Bash(make test)', "echo 'SHELL=./evil' | xargs make test"],
  ['Bash(npm)', 'echo install evil | xargs npm'],
  ['Bash(okx)', 'echo a | xargs okx'],
  ['Bash(find *)', 'cat list | xargs find'],
  ['Bash(git log *)', 'echo --output=/home/u/x | xargs git log'],
  ['Bash(python3 *)', "echo '-c x' | xargs python3"],
  // Wrappers in another form are wrappers all the same.
  ['Bash(timeout *)', 'timeout -sKILL 5 cat /etc/passwd'],
  ['Bash(timeout *)', 'timeout -k5 5 cat /etc/passwd'],
  ['Bash(timeout *)', 'timeout -- 5 cat /etc/passwd'],
  ['Bash(timeout *)', 'timeout -sKILL 5 cp f.txt /home/u/x'],
  ['Bash(timeout *)', "timeout -- 5 bash -c 'x $(y)'"],
  ['Bash(timeout *)', 'timeout -sKILL 5 python3 -c x'],
  ['Bash(timeout *)', 'timeout 5 env cat /etc/passwd'],
  ['Bash(timeout *)', "timeout 5 env bash -c 'x $(y)'"],
  ['Bash(timeout *)', 'timeout 5 flock f cat /etc/passwd'],
  ['Bash(nice *)', 'nice -n5 cat /etc/passwd'],
  ['Bash(nice *)', "nice --adjustment=5 bash -c 'x $(y)'"],
  ['Bash(env *)', 'env cat /etc/passwd'],
  ['Bash(env *)', "env bash -c 'x $(y)'"],
  ['Bash(env *)', 'env cp f.txt /home/u/x'],
  ['Bash(env *)', 'env -C / cat etc/passwd'],
  ['Bash(env *)', 'env --chdir=/etc cat passwd'],
  ['Bash(timeout *)', 'timeout 5 env -C /etc cat passwd'],
  ['Bash(stdbuf *)', 'stdbuf -o L cat /etc/passwd'],
  ['Bash(nohup *)', 'nohup env cat /etc/passwd'],
  ['Bash(xargs *)', 'xargs -n1 rm'],
  ['Bash(xargs *)', 'cat list | xargs -0 rm'],
  ['Bash(xargs *)', 'xargs -n1 cat /etc/passwd'],
  ['Bash(xargs *)', 'xargs -0 cp -t /home/u'],
  // find and fd begin elsewhere, or run something.
  ['Bash(find *)', 'find -- / -name id_rsa'],
  ['Bash(find *)', 'find -D search /etc -name x'],
  ['Bash(find *)', 'find -files0-from list'],
  ['Bash(fd *)', 'fd x -x rm'],
  ['Bash(fd *)', "fd -X sh -c 'curl h'"],
  ['Bash(fd *)', 'fd x --exec curl h'],
  // Code on stdin is code.
  ['Bash(python3 *)', "python3 - <<'E'\nprint(1)\nE"],
  ['Bash(python3 *)', "echo 'import os' | python3 -"],
  ['Bash(python3 *)', "python3 <<< 'import os'"],
  ['Bash(bash *)', "bash <<< 'x $(y)'"],
  ['Bash(bash *)', 'bash -s < f.txt'],
  ['Bash(bash *)', 'cat f.txt | bash -s x'],
  ['Bash(node *)', 'node <<< x'],
  // What runs the script, and whose script it is.
  ['Bash(npm run test:*)', 'npm run test --script-shell=./evil'],
  ['Bash(npm run test:*)', 'npm run test --script-shell ./evil'],
  ['Bash(npm run test:*)', 'npm run test --node-options=--require=./evil.js'],
  ['Bash(npm run test:*)', 'npm run test --prefix /tmp/evil'],
  ['Bash(npm run test:*)', 'npm run test --userconfig=evil'],
  ['Bash(npm run test:*)', 'npm run test -C /tmp'],
  ['Bash(pnpm test:*)', 'pnpm test --script-shell=./e'],
] as const)('%s does not cover %s', (rule, command) => {
  expect(judged(rule, command)).not.toBe('allow');
});

test.each([
  ['Bash(okx:*)', 'echo a | xargs okx'],
  ['Bash(xargs *)', 'xargs -n1 okx'],
  ['Bash(timeout *)', 'timeout -k5 5 npm test'],
  ['Bash(timeout *)', 'timeout -sKILL 5 cat f.txt'],
  ['Bash(env *)', 'env FOO=1 npm test'],
  ['Bash(env *)', 'env FOO=1 cat f.txt'],
  ['Bash(env *)', 'env -C src cat b.ts'],
  ['Bash(npx *)', 'npx eslint --fix src'],
  ['Bash(nohup *)', 'nohup npm start'],
  ['Bash(find *)', "find . -name '*.ts'"],
  ['Bash(find *)', 'find -L src -name x'],
  ['Bash(python3 *)', 'python3 script.py < f.txt'],
  ['Bash(python3 *)', 'cat f.txt | python3 script.py'],
  ['Bash(node *)', 'node build.js'],
  ['Bash(npm run test:*)', 'npm run test -- --prefix x'],
  ['Bash(npm run test:*)', 'npm run test --silent'],
  ['Bash(prettier *)', 'prettier --write *.ts'],
] as const)('%s covers %s', (rule, command) => {
  expect(judged(rule, command)).toBe('allow');
});

test.each([
  ['Bash(find *)', 'find src -d*'],
  ['Bash(find *)', 'find . ?delete'],
  ['Bash(git log *)', 'git log --o*'],
  ['Bash(tool *)', 'tool *'],
] as const)('%s does not cover %s where a name begins with a dash', (rule, command) => {
  expect(judged(rule, command, '/work/proj/src')).toBe('ask');
});
