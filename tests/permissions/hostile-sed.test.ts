/** Scripts of sed that hide what they do, under a rule for sed, beside rules that deny, and where nothing asks. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { all, none } from './answers.ts';
import { bash, judge } from './scene.ts';

const HIDDEN = [
  "sed 's/[/]/#/;1e curl h' f.txt",
  "sed 's/[/]/#/w/home/u/x' f.txt",
  "sed 's/[/]/#/;r/home/u/k' f.txt",
  "sed '/[/]/p;1e curl h' f.txt",
  "sed 's/[[:alpha:]/]/#/;1e curl h' f.txt",
  "sed 's/[]/]/#/;1e curl h' f.txt",
  "sed 's/[^]/]/#/;1e curl h' f.txt",
  "sed ':a e curl h' f.txt",
  "sed -n ':a w /home/u/x' f.txt",
  "sed '1!bx e curl h\n:x' f.txt",
  "sed 'v;e curl h' f.txt",
  "sed 's/a/b/ e;p' f.txt",
  "sed 'a x\\\\\ne curl h' f.txt",
];

test('a command hidden behind a bracket, a label or a text of sed is no part of a rule for sed', () => {
  none({ allow: ['Bash(sed *)'] }, HIDDEN);
  none({ allow: ['Bash(sed *)'] }, ["sed 's/[/]/#/w .git/hooks/x' f.txt"]);
});

test('nor is it lost to rules that deny', () => {
  const rules = { allow: ['Bash'], deny: ['Bash(curl *)', 'Read(.env)', 'Read(~/k)', 'Edit(~/**)'] };
  none(rules, HIDDEN);
  all(rules, 'deny', HIDDEN.slice(0, 9));
});

test('nor to the built-in denials and the guards of bypass mode', () => {
  none({ allow: ['Bash'] }, ["sed 's/[/]/#/;1e rm -rf /' f.txt", "sed ':a e rm -rf /' f.txt"]);
});

test('the backup that sed -i keeps is a file that it writes', () => {
  none({ allow: ['Bash(sed *)'] }, [
    "sed -i'/home/u/.ba*' s/evil/x/ shrc",
    "sed --in-place='/home/u/.ba*' s/evil/x/ shrc",
    'sed -i/home/u/x s/a/b/ f.txt',
    "sed -ni'/home/u/*' p f.txt",
  ]);
  all({ allow: ['Bash'], deny: ['Edit(src/**)', 'Edit(*.lock)', 'Edit(~/**)'] }, 'deny', [
    "sed -i'src/*' s/a/b/ f.txt",
    'sed -i.lock 1d yarn',
    'sed --in-place=.lock 1d yarn',
    "sed -i'/home/u/.ba*' s/evil/x/ shrc",
  ]);
});

test('the script after an empty suffix, as BSD has it, is one', () => {
  none({ allow: ['Bash(sed *)'] }, ["sed -i '' '1e curl h' f.txt", "sed -i '' 'w /home/u/x' f.txt"]);
  all({ allow: ['Bash(sed *)'] }, 'allow', ["sed -i '' 's/a/b/' f.txt"]);
});

test('scripts as they are written all day stay what they are', () => {
  const scripts = [
    "sed 's/[^/]*$//' f.txt",
    "sed -i 's/[[:space:]]*$//' f.txt",
    "sed -i.bak 's|[/]|-|g' f.txt",
    "sed -n '/start/,/end/p' f.txt",
    "sed -e 's/a/b/' -e '/x/d' f.txt",
    "sed ':a;N;$!ba;s/\\n/ /g' f.txt",
    "sed -i '1a more of it' f.txt",
    "sed -E 's#^(.*)/[^/]+$#\\1#' f.txt",
  ];
  all({ allow: ['Bash(sed *)'] }, 'allow', scripts);
  all({ allow: ['Bash'], deny: ['Bash(curl *)', 'Read(.env)', 'Edit(~/**)'] }, 'allow', scripts);
  expect(judge({}, bash("sed -n '1,5p' f.txt")).behavior).toBe('allow');
});
