/** Forms that need no question: each only reads, or is what a rule says in other spacing or quotes. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { all } from './answers.ts';
import { bash, judgeIn, type RuleTexts } from './scene.ts';

test('an exact rule for several commands holds whatever the blanks around its operators are', () => {
  const rules: RuleTexts = {
    allow: ['Bash(make a && make b)', 'Bash(make c||make d)', 'Bash(make e; make f)'],
  };
  all(rules, 'allow', [
    'make a&&make b',
    'make a  &&make b',
    'make c || make d',
    'make c||make d',
    'make e;make f',
    'make e ; make f;',
  ]);
  all(rules, 'ask', [
    'make a;make b',
    'make a&&make b&&make x',
    'make a & make b',
    'make "a&&make b"',
    'make a&&make $(make b)',
    'make a',
  ]);
});

test('a star after an option and "=" stands for a quoted value', () => {
  const rules: RuleTexts = { allow: ['Bash(tool --note=*)'] };
  all(rules, 'allow', ['tool --note="a b"', "tool --note='a b' c", 'tool "--note=a b"', 'tool --note=a']);
  all(rules, 'ask', ['tool "--note x"', 'tool --note="$X"', '"tool --note=x"', 'tool -v --note="a b"']);
});

test('one plain command that only reads may go into a variable', () => {
  all({}, 'allow', ['a=$(date +%s)', 'N=$(cat f.txt)', 'a=$(git status)']);
  all({ allow: ['Bash(make *)'] }, 'ask', [
    'a=$(make x)',
    'a=$(rm x)',
    'a=$(cat /etc/passwd)',
    'a=$(date); echo $a',
    'PATH=$(pwd)',
    'GIT_PAGER=$(pwd)',
    'a=$(date) ls',
    'a=$(date) b=$(date)',
    'a=$(ls; rm x)',
    'a=$(ls $(rm x))',
    'a+=$(date)',
    'a[0]=$(date)',
    'a="$(date)"',
  ]);
  all({ deny: ['Read(.env)'] }, 'deny', ['a=$(cat .env)']);
});

test('git grep, ps without dashes and numbers of find only read', () => {
  all({}, 'allow', [
    'git grep -n x',
    'git grep -e x -- src',
    'ps aux',
    'ps axu',
    'find . -mtime -1 -size -10k',
    'find . -perm -644',
  ]);
  all({}, 'ask', [
    'git grep -O x',
    'git grep -Oless x',
    'git grep --open-files-in-pager=less x',
    'git grep -f /etc/passwd',
    'git grep x -- :/',
    "git grep x ':(top)'",
    'git grep x ../other',
    'git grep --no-index x',
    'git grep --textconv x',
    'git log --format=%G?',
    'git log --pretty=format:%h%GK',
    'file -z f.txt',
    'file -p f.txt',
    'ps -ef',
    'find . -mtime -delete',
    'find . -mtime -1 -delete',
    'find -1',
  ]);
  all({ deny: ['Read(.env)'] }, 'ask', ['git grep x']);
  // The environment of every process, hookd's among them.
  all({}, 'deny', ['ps e', 'ps auxe']);
});

test('mode acceptEdits lets a time limit stand before mkdir, and before nothing else', () => {
  const answers = (commands: readonly string[]): readonly string[] =>
    commands.map((command) => judgeIn('acceptEdits', {}, bash(command)).behavior);
  expect(answers(['timeout 5 mkdir d', 'timeout 5s mkdir -p a/b'])).toEqual(['allow', 'allow']);
  const asked = [
    'timeout 5 touch d',
    'timeout 5 rm f.txt',
    'nohup mkdir d',
    'timeout 5 nice mkdir d',
    'timeout 5 mkdir ../d',
    'timeout 5 mkdir .git/d',
    'CI=1 timeout 5 mkdir d',
    'timeout 5 /bin/mkdir d',
  ];
  expect(answers(asked)).toEqual(asked.map(() => 'ask'));
});

test('a pattern for names, sizes and times is no word about what one of the many files holds', () => {
  const rules: RuleTexts = { allow: ['Bash'], deny: ['Read(./.env)'] };
  all(rules, 'allow', ['ls .*', 'ls -la .e*', 'stat .*', 'wc -c .*', 'wc --bytes .e*', 'touch .e*']);
  all(rules, 'deny', ['ls .env', 'stat .env', 'wc -c .env', 'touch .env']);
  all(rules, 'deny', [
    'cat .*',
    'wc .*',
    'wc -cl .*',
    'wc -l .e*',
    'head .e*',
    'file .*',
    'cp .e* x',
    'rm .e*',
  ]);
  all({ allow: ['Bash'], deny: ['Edit(./.env)'] }, 'deny', ['touch .e*', 'touch .env']);
  all({ allow: ['Bash'], deny: ['Read(secrets/**)'] }, 'deny', [
    'ls secrets/*',
    'stat s*',
    'touch secrets/*',
  ]);
  all({ allow: ['Bash'], ask: ['Read(./.env)'] }, 'allow', ['ls .*']);
});

test('lists in braces are the words that bash makes of them', () => {
  const rules: RuleTexts = { allow: ['Bash'], deny: ['Bash(rmx:*)', 'Read(./.env)', 'Edit(src/**)'] };
  all(rules, 'allow', [
    'mkdir -p {a,b}/{c,d}',
    'touch t{8,9}',
    'cp f.txt{,.bak}',
    '{echo,a} b',
    'tool {a,b}',
  ]);
  all(rules, 'deny', ['cat {f.txt,.env}', 'cat .{env,x}', 'touch {n,src}/x', '{rmx,a}', 'tool | {rmx,a}']);
  all(rules, 'ask', [
    'touch t{1..3}',
    'touch {a,$X}',
    'touch {a,{b,c}}',
    'touch {a,c*}',
    'set +B; cat {a,b}',
    'bash +B -c "cat {a,b}"',
    'sh -c "cat {a,b}"',
    `touch ${'{a,b}'.repeat(6)}`,
  ]);
  all({ allow: ['Bash(touch:*)'] }, 'ask', ['touch t{8,9}']);
});

test('a star in quotes stands for what is in the quotes of a command', () => {
  const rules: RuleTexts = { allow: ['Bash(git commit -m "*")', 'Bash( odd)', 'Bash(two  blanks)'] };
  all(rules, 'allow', ['git commit -m "fix it"', 'git commit -m "x; y"', 'two  blanks']);
  all(rules, 'ask', [
    'git commit -m x',
    'git commit -m "x" --amend',
    'git commit -m "x" -F "y"',
    'git commit -m "$(id)"',
    'git commit -m "x"; rm y',
    "git commit -m 'x'",
    'two blanks',
  ]);
});

test('xargs without input hands nothing on', () => {
  all({}, 'allow', ['xargs grep a', 'xargs grep -n a f.txt']);
  all({}, 'ask', ['xargs grep a < f.txt', 'xargs cat', 'xargs grep a /etc/passwd', 'ls | xargs grep a']);
  all({ deny: ['Read(.env)'] }, 'ask', ['xargs grep a']);
});
