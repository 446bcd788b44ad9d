/** Code that reaches a shell or an interpreter by its words, its stdin or a descriptor. Nothing here is ever run. */
import { test } from 'vitest';
import { all, none } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const RULES: RuleTexts = { allow: ['Bash'], deny: ['Bash(git push *)', 'Bash(rm *)'] };
const ENV: RuleTexts = { allow: ['Bash'], deny: ['Read(.env)'] };
const SRC: RuleTexts = { allow: ['Bash'], deny: ['Edit(src/**)'] };

test('the value of an option of a shell is neither its script nor its code', () => {
  all(RULES, 'deny', [
    "echo 'git push' | bash -euo pipefail",
    "bash -eo pipefail <<< 'git push'",
    "bash -O extglob <<< 'git push'",
    "bash -oO pipefail extglob +o posix <<< 'git push'",
    "bash --rcfile x <<< 'git push'",
    "bash -rcfile x <<< 'git push'",
    "bash -s <(echo ls) <<< 'git push'",
    "bash -co pipefail 'git push'",
    "bash -c -o pipefail 'git push'",
    "bash -c +o posix 'git push'",
    "bash -cO extglob 'git push'",
    "bash -c - 'git push'",
    "sh -euco pipefail 'rm f'",
    "zsh -oextendedglob -c 'git push'",
    "find . -exec bash -co pipefail 'git push' ;",
    "git bisect run bash -co pipefail 'git push'",
  ]);
  none(RULES, ['cat list.txt | bash -euo pipefail']);
  all(ENV, 'deny', ["bash -co pipefail 'cat .env'"]);
  all(RULES, 'allow', [
    "bash -euo pipefail -c 'ls | head'",
    "bash -lc 'npm test'",
    'bash -o pipefail s.sh < f.txt',
    'bash -x s.sh a b < f.txt',
    "bash -euo pipefail <<'E'\nls\ngit status\nE",
    'cat f.txt | while read -r l; do bash s.sh "$l"; done',
  ]);
});

test('a program that reads on from the stdin of the shell around it is fed', () => {
  all(RULES, 'deny', [
    "bash -c bash <<< 'git push'",
    "echo git push | sh -c 'exec sh'",
    "eval bash <<< 'git push'",
    "exec <<< 'git push'; bash",
    "timeout 5 sh -c sh <<< 'git push'",
    "{ bash; } <<< 'git push'",
    'echo git push | { sh; }',
    "trap sh EXIT <<< 'git push'",
  ]);
  none(RULES, [
    "f() { bash; }; f <<< 'git push'",
    'f() { bash; }; g() { f; }; cat x | g',
    "trap sh EXIT; exec <<< 'git push'",
    'while ls; do bash; exec < f.txt; done',
    "exec 3<<< 'git push'; exec <&3; bash",
    "bash -c python3 <<< 'import os'",
    "bash <<< 'python3'",
    "bash -c 'ls; bash' < f.txt",
  ]);
  all(RULES, 'allow', [
    'f() { make; }; f; ls | cat',
    'f() { git status; }; f | head',
    'log() { while read -r l; do echo "$l"; done; }; ls | log',
    "cat f.txt | sh -c 'wc -l'",
    'exec > out.txt; ls',
    'eval ls <<< x',
  ]);
});

test('a program that starts a shell where it is given no command runs its input', () => {
  none(
    RULES,
    [
      ...['unshare -r', 'setarch x86_64', 'linux64', 'script -q /dev/null', 'chroot /', 'sg g', 'newgrp g'],
      ...[
        'fakeroot',
        'nix-shell',
        'nix develop',
        'pipenv shell',
        'poetry shell',
        'adb shell',
        'nsenter -t 1 -m',
      ],
      ...['launch-it bash', 'launch-it -x python3 -', 'kubectl run -i x -- sh'],
    ].map((command) => `${command} <<< 'git push'`),
  );
  all(RULES, 'allow', [
    'unshare ls < f.txt',
    'fakeroot make build',
    'timeout 5 ls < f.txt',
    'npm test < f.txt',
    'ls | grep bash',
    'echo x | tee bash',
  ]);
});

test('stdin is known by every path to it', () => {
  none(RULES, [
    ...[
      '//dev/stdin',
      '/dev/./stdin',
      '/dev/../dev/stdin',
      '../../dev/stdin',
      '/proc/self/root/dev/stdin',
    ].map((path) => `bash ${path} <<< 'git push'`),
    "cd /dev; bash stdin <<< 'git push'",
    ". /dev/./stdin <<< 'git push'",
    "bash /dev/./fd/3 3<<< 'git push'",
    "python3 /dev/../dev/stdin <<< 'x'",
    'python3 /dev/fd/3 3<<< x',
  ]);
});

test('an interpreter asks where code stands in the text or on stdin, whatever options it has', () => {
  none(RULES, [
    "python3 <(echo 'import os')",
    'perl <(echo x)',
    'node <(echo x)',
    'tclsh <(echo x)',
    "make -f <(echo 'x:;git push')",
    'psql -f <(echo x)',
    'python3 -W ignore <<< x',
    'perl -I lib <<< x',
    'node -r fs <<< x',
    'python3 -i s.py <<< x',
    'python3 -m code <<< x',
    "python3 -m timeit 'x'",
    "psql mydb <<< '\\! git push'",
    'mysql db <<< x',
    'duckdb x.db <<< x',
    "vim f.txt <<< ':!git push'",
    'R --no-save <<< x',
    'julia <<< x',
    'lftp <<< x',
    'sftp h <<< x',
    'mailx a@b <<< x',
  ]);
  none(ENV, [
    "vim f.txt <<< ':r .env'",
    'gcc -E - <<< \'#include ".env"\'',
    'cpp <<< \'#include ".env"\'',
    'as <<< \'.include ".env"\'',
    'cat f.txt | cpp',
  ]);
  all(RULES, 'allow', [
    'python3 s.py < f.txt',
    'python3 -u s.py < f.txt',
    'python3 -W ignore s.py < f.txt',
    "python3 -m json.tool <<< '{}'",
    'python3 cmp.py <(sort a) <(sort b)',
    'node --max-old-space-size=4 s.js < f.txt',
    'node -r dotenv/config s.js < f.txt',
    'php artisan migrate < f.txt',
    'git log | less',
    "echo '#include <stdio.h>' | gcc -E -",
    "echo 'int main(){}' | gcc -xc -",
  ]);
});

test('env takes a text apart and goes on with the words', () => {
  all(RULES, 'deny', [
    "env --split='git push'",
    "env --s='git push'",
    "env --split 'A=1 git push'",
    "env -S 'A=1 git' push",
    "env -vS'A=1 git' push",
    "env -S 'git\\_push'",
    "env -S '\\_git push'",
  ]);
  none(RULES, ["env -S 'git \u0024{X}push'", "env -S 'git\\tpush'"]);
  all(RULES, 'allow', ["env -S 'ls -la'", 'env -S ls a', 'env A=1 ls']);
});

test('code for a shell that may read it otherwise than bash asks', () => {
  none(RULES, [
    "sh -c '((git push))'",
    "ksh -c '((git push))'",
    "sh <<'E'\n((git push))\nE",
    'sh -c \'eval "((git push))"\'',
    "sh -c \"echo \\$'a\\\\'; git push #'\"",
    "sh -c 'echo \"\u0024{x:-'\\''}\"; git push #'\\''}\"'",
    "bash --posix -c 'echo \"\u0024{x:-'\\''}\"; git push #'\\''}\"'",
    "sh -c '[[ a && b ]]'",
    'pwsh -Command "& git push"',
    'pwsh -EncodedCommand AAAA',
    "nu -c '^git push'",
    "nu --commands '^git push'",
    "fish --command='(echo git) push'",
    "fish -c 'git (echo push)'",
    "elvish -c 'e:git push'",
    "rc -c 'git pu^sh'",
    "xonsh -c '![git push]'",
    "zsh -c '=git push'",
    "zsh -c '- git push'",
    "zsh -c 'echo \u0024{(e):-\\$(git push)}'",
    "zsh -ic 'echo a # ; git push'",
    'zsh -c "ls *(e:\'git push\':)"',
  ]);
  all(RULES, 'deny', [
    "fish --command='git push'",
    "fish -C 'git push'",
    "nu --commands 'git push'",
    "pwsh -Command 'git push'",
    'pwsh -command git push',
    "zsh -c 'git push'",
  ]);
  none({ allow: ['Bash(sh *)'] }, ["sh -c '[[ a > f ]]'"]);
  none(SRC, ["sh -c '[[ a > src/a.ts ]]'", "zsh -c 'echo x >! src/a.ts'"]);
  all(RULES, 'allow', [
    'sh -c \'ls; echo "a $x" $((1+2)) "\u0024{x:-y}"\'',
    "sh <<'E'\ngrep 'foo$' f.txt\nE",
    "sh -c '[[ -f x ]] && echo y'",
    'zsh -c \'ls -la && echo "a $x" > out.txt\'',
    "zsh -c 'for f in *.txt; do echo \u0024{f%.txt}; done'",
    'zsh -c \'git commit -m "fix(x): y"\'',
    "fish -c 'ls -la | head'",
    "pwsh -c 'ls'",
    "bash -c '((i++)); [[ a < b ]]'",
  ]);
});

test('a shell that may be told to keep to the standard reads quotes and assignments otherwise', () => {
  none(RULES, [
    'set -o posix\necho "\u0024{x:-\'}"; git push #\'}"',
    'set -o po$y\necho "\u0024{x:-\'}"; git push #\'}"',
    's\'e\'t -o po"six"\necho "\u0024{x:-\'}"; git push #\'}"',
    'POSIXLY_CORRECT=1\necho "\u0024{x:-\'}"; git push #\'}"',
    'POSIXLY_CORRECT=1; x=rm times; $x f',
    'x=rm times; $x f',
    'x=rm :; $x f',
    'POSIXLY_CORRECT=1 bash -c ls',
    'env POSIXLY_CORRECT=1 bash -c ls',
  ]);
  all(RULES, 'allow', ['set -euo pipefail\nx="\u0024{A:-\'b\'}"\necho "$x"', 'x=1 ls; echo $y']);
});
