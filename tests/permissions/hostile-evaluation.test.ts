/** Places where bash takes data for code. Nothing here is ever run. */
import { test } from 'vitest';
import { all, none } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const RULES: RuleTexts = { allow: ['Bash'], deny: ['Bash(git push *)', 'Bash(curl *)'] };

test('a subscript, an offset or a name that bash evaluates asks', () => {
  none(RULES, [
    "echo \u0024{a['$(curl x)']}",
    'echo "\u0024{a[$(curl x)]}"',
    "echo \u0024{x:'a[$(curl y)]'}",
    "[[ -v 'a[$(curl x)]' ]]",
    '[[ -v a[$x] ]]',
    "test -v 'a[$(curl x)]'",
    '[ -v "$x" ]',
    "printf -v 'a[$(curl x)]' y",
    'printf -v "$x" y',
    "read 'a[$(curl x)]' <<< y",
    'read "$x" <<< y',
    "declare 'a[$(curl x)]=1'",
    'declare "$x=1"',
    "declare -n r='a[$(curl x)]'; echo $r",
    "let 'a[$(curl x)]=1'",
    'let "$x"',
    "unset 'a[$(curl x)]'",
    'unset "$x"',
    "x='a[$(curl x)]'; echo $((x))",
    'x=\'$(curl x)\'; echo "\u0024{x@P}"',
    'y="\u0024{x@P}"',
  ]);
  all(RULES, 'allow', [
    'echo "\u0024{a[0]}" "\u0024{a[@]}" "\u0024{x:0:3}" "\u0024{x:-no}" "\u0024{x: -1}"',
    'n=1; n=$((n + 1)); echo $n',
    '[[ -v HOME ]] && export A="$B"',
    'read -r line < f.txt',
  ]);
});

test('code that waits for its moment is code', () => {
  all(RULES, 'deny', ["trap 'curl x' DEBUG", "trap 'curl x' EXIT", "eval 'curl x'", 'f() { curl x; }; f']);
  none(RULES, [
    'trap "$x" EXIT',
    "alias l='curl x'; l",
    "PS4='$(curl x)' bash -xc ls",
    "PROMPT_COMMAND='curl x' bash -i",
    'BASH_ENV=f bash x',
    "mapfile -C 'curl x' -c 1 a < f",
    "complete -C 'curl x' y",
    'ls() { "$@"; }; ls curl x',
    'f() { git "$@"; }; f push',
    'a=(git push); "\u0024{a[@]}"',
    'IFS=,; x=git,push; $x',
  ]);
});

test('a shell that reads a descriptor runs what nobody saw', () => {
  none(RULES, [
    'bash <&3',
    'exec 3< f; bash <&3',
    'bash /dev/fd/3',
    'bash /proc/self/fd/3',
    '. /dev/fd/3',
    'bash5.2 < f',
  ]);
});

test('an assignment that nothing follows changes nothing', () => {
  all(RULES, 'allow', ['PATH=/x', 'PROMPT_COMMAND=x']);
  none(RULES, ['PATH=/x; ls', 'PATH=$(echo /x); ls', "eval 'PATH=/x'; ls"]);
});
